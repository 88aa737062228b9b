"""New texts against old ones: exact tests, memory in the model file, what to look at."""

import numpy as np
import pytest
from scipy.stats import fisher_exact
from sklearn.metrics.pairwise import cosine_similarity

from honeybayes import TextClassifier, load_model, save_model
from honeybayes.evaluate import _new_texts as module
from honeybayes.evaluate import check_new_texts, remember_texts
from honeybayes.tables import load_corpus


@pytest.fixture(scope="module")
def months():
    corpus = load_corpus("messages")
    order = np.random.default_rng(0).permutation(len(corpus))
    texts, labels = [corpus.documents[row] for row in order], corpus.labels[order]
    classifier = TextClassifier("CNB").fit(texts[:150], labels[:150])
    remember_texts(classifier, texts[:400], np.arange(400) < 150)
    return classifier, texts[:400], texts[400:], labels[400:]


def test_a_month_like_the_old_one_is_the_same_and_gives_rows_to_look_at(months):
    classifier, _, new, _ = months
    found = check_new_texts(classifier, [*new, " "], n_random=7, n_doubtful=5)
    assert (found.verdict, found.findings, found.n_texts, found.n_old) == ("same", (), 200, 400)
    assert len(set(found.random)) == 7
    assert len(set(found.doubtful)) == 5
    assert not {*found.random} & {*found.doubtful}
    assert 200 not in found.random + found.doubtful
    assert found.labels[:200].tolist() == classifier.predict(new).tolist()
    others = [row for row in range(200) if row not in found.random]
    assert {*found.doubtful} == {*sorted(others, key=lambda row: found.confidence[row])[:5]}
    assert found.describe() == [
        "200 new texts, compared with 400 old ones: no change that is more than chance."
    ]
    assert check_new_texts(classifier, new[:49]).verdict == "unknown"


def test_new_words_and_a_class_that_grew_are_found(months):
    classifier, _old, new, _labels = months
    strange = [f"{words} The ransomware encrypted Ordner." for words in new[:40]]
    found = check_new_texts(classifier, [*new[40:], *strange])
    assert found.verdict == "drift"
    [words] = [each for each in found.findings if each.kind == "words"]
    assert {"ransomware", "encrypted", "ordner"} <= set(words.name.split(", "))
    assert {*range(160, 200)} <= set(words.rows)
    assert words.p_value < 0.05
    assert words.before < 0.2 <= words.after
    assert sum(row >= 160 for row in found.doubtful) >= 5
    assert "ransomware" in found.describe()[1]

    answers = classifier.predict(new)
    name = np.unique(answers)[0]
    chosen = [words for words, each in zip(new, answers, strict=True) if each == name]
    found = check_new_texts(classifier, chosen * 4 + new[:60])
    grown = [each for each in found.findings if each.kind == "class"]
    assert [each.name for each in grown] == [name]
    assert grown[0].after > grown[0].before + 0.3
    assert str(name) in grown[0].describe()


def test_a_confidence_that_fell_is_found(months):
    classifier, old, _, _ = months
    found = check_new_texts(classifier, [" ".join(words.split()[:2]) for words in old])
    [fall] = [each for each in found.findings if each.kind == "confidence"]
    assert fall.after < fall.before - 0.02
    assert "fell" in fall.describe()


def test_the_model_file_remembers_as_the_old_texts_do(months, tmp_path):
    classifier, old, new, _ = months
    save_model(classifier, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb")
    strange = [f"{words} ransomware encrypted" for words in new]
    a, b = (check_new_texts(each, strange) for each in (classifier, loaded))
    c = check_new_texts(classifier, strange, old)
    assert a.findings == b.findings == c.findings
    plain = TextClassifier("CNB").fit(old[:10], [*"ab"] * 5)
    with pytest.raises(ValueError, match=r"does not remember .* old="):
        check_new_texts(plain, new)
    broken = load_model(tmp_path / "model.hb")
    broken.memory_terms_ = broken.memory_terms_[1:]
    with pytest.raises(ValueError, match="different numbers of words"):
        save_model(broken, tmp_path / "broken.hb")


def test_random_checks_judge_the_promise(months):
    classifier, _, new, _ = months
    found = check_new_texts(classifier, new)
    right = {row: found.labels[row] for row in found.random}
    judged = found.judge(right | {199: "x", 198: "x"})
    n_checked = len(found.random)
    assert (judged.right.accuracy, judged.has_fallen) in ((1.0, False), (18 / 20, False))
    assert found.judge(dict.fromkeys(found.random, "none of them")).has_fallen
    assert "0 of 20 random checks" in found.judge(dict.fromkeys(found.random, "x")).describe()
    assert n_checked == 20
    assert found.promised is not None
    with pytest.raises(ValueError, match="No random check"):
        found.judge({})


def test_words_are_tested_as_fisher_does():
    """Fisher for each word; corrected by the number of words that can be significant at all."""
    rng = np.random.default_rng(0)
    chances = np.append(np.full(60, 0.03), 0.3)
    old, new = (rng.random((n, 61)) < chances for n in (120, 80))
    new[:, 0] |= rng.random(80) < 0.4
    counts = old.sum(axis=0) + new.sum(axis=0)
    p_values = [
        fisher_exact([[b, 80 - b], [a, 120 - a]], alternative="greater").pvalue
        for a, b in zip(old.sum(axis=0), new.sum(axis=0), strict=True)
    ]
    found = module.hypergeom.sf(new.sum(axis=0) - 1, 200, counts, 80)
    assert found == pytest.approx(p_values)
    number = module._count_testable(counts, 80, 200)
    level = module.LEVEL * module.SINGLE_WORDS
    lowest = module.hypergeom.sf(np.minimum(counts, 80) - 1, 200, counts, 80)
    possible = [(lowest <= level / n).sum() <= n for n in range(1, 62)]
    assert number == 1 + possible.index(True)  # Tarone's condition


def test_the_distance_is_the_maximum_mean_discrepancy(monkeypatch):
    """Against the definition: means of all pairs of cosines, within and between both sides."""
    rng = np.random.default_rng(0)
    words = module.sparse.csr_array((rng.random((60, 30)) < 0.3).astype(float))
    is_new = np.arange(60) >= 40
    shuffles = []
    monkeypatch.setattr(module, "N_SHUFFLES", 19)
    p_value = module._shuffle_test(module._topics(words), is_new, np.random.default_rng(1))
    weighted = module.TfidfTransformer().fit_transform(words)
    svd = module.TruncatedSVD(29, n_iter=3, random_state=0)
    kernel = cosine_similarity(svd.fit_transform(weighted))
    np.fill_diagonal(kernel, 0)

    def distance(sides):
        new, old = kernel[np.ix_(sides, sides)], kernel[np.ix_(~sides, ~sides)]
        between = kernel[np.ix_(sides, ~sides)].mean()
        return new.sum() / (20 * 19) + old.sum() / (40 * 39) - 2 * between

    again = np.random.default_rng(1)
    shuffles = [distance(again.permutation(is_new)) for _ in range(19)]
    assert p_value == (1 + sum(each >= distance(is_new) for each in shuffles)) / 20


@pytest.mark.statistics
def test_months_without_change_rarely_raise_drift(months):
    """At most 5 % in the long run; of 60 months more than 8 have a chance of 1 in 200."""
    corpus = load_corpus("messages")
    texts = np.array(corpus.documents, dtype=object)
    raised = 0
    for seed in range(60):
        order = np.random.default_rng(seed).permutation(len(texts))
        old, new = texts[order[:350]].tolist(), texts[order[350:]].tolist()
        classifier = TextClassifier("CNB").fit(old[:100], corpus.labels[order[:100]])
        raised += check_new_texts(classifier, new, old, random_state=seed).verdict == "drift"
    assert raised <= 8


def test_vectors_show_what_words_cannot():
    """All texts have the same words; only the encoder knows which of them are alike."""
    numbers = np.random.default_rng(0).permutation(900)
    texts = [f"common word {n}" for n in numbers]
    odd, even = (
        [text for text, n in zip(texts, numbers, strict=True) if n % 2 == of] for of in (1, 0)
    )
    old, new = even[:360] + odd[:40], even[360:440] + odd[40:100]

    def encode(some):
        return np.array([[1.0, text[-1] in "13579"] for text in some])

    labels = [("first", "second")[n % 3 == 0] for n in range(40)]
    settings = {"model": "FewLabels", "calibrate": None}
    verdicts = []
    for encoder in (None, encode):
        classifier = TextClassifier(encoder=encoder, **settings).fit(
            old[:40], labels, pool=old[40:]
        )
        remember_texts(classifier, old)
        found = check_new_texts(classifier, new)
        verdicts.append((found.verdict, [each.kind for each in found.findings]))
    assert verdicts == [("same", []), ("drift", ["words"])]
    assert classifier.memory_vectors_.dtype == np.int8
