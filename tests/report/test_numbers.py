"""The numbers on the page against the definitions, computed in plain code."""

import dataclasses
import math
import re
from collections import Counter

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline

from honeybayes import TextClassifier
from honeybayes.evaluate import RandomSplits, RepeatedFolds, compare
from honeybayes.report import estimate_gain, examine, write_model_report, write_report
from honeybayes.tables import Corpus, load_corpus
from tests.report.pages import ReportPage

pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")


@pytest.fixture(scope="module")
def read(uneven_page):
    return ReportPage(uneven_page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def winner(uneven_comparison):
    place = ("house", "12 per class")
    means = {
        model: uneven_comparison.scores(model, place, "macro_f1").mean()
        for model in uneven_comparison.models
    }
    return max(means, key=means.get)


@pytest.fixture(scope="module")
def draws(uneven, splits, winner):
    """Row, label and probabilities of each held-out document of each draw, by the definition."""
    found = []
    for split in splits[-1].split(uneven.labels, "house", 0):
        known = {_same(uneven.documents[row]) for row in split.train}
        test = [row for row in split.test if _same(uneven.documents[row]) not in known]
        model = TextClassifier(winner)
        model.fit([uneven.documents[row] for row in split.train], uneven.labels[split.train])
        given = model.predict_proba([uneven.documents[row] for row in test])
        named = [dict(zip(model.classes_, own, strict=True)) for own in given]
        found.append(list(zip(test, uneven.labels[test], named, strict=True)))
    return found


@pytest.fixture(scope="module")
def predictions(draws):
    return [each for draw in draws for each in draw]


def _same(text):
    return " ".join(text.casefold().split())


def _answer(probabilities):
    return max(probabilities, key=probabilities.get)


def test_precision_recall_f1_and_size_of_each_class(read, predictions, uneven):
    table = read.table("Precision, recall and F1")
    assert table.rows[0] == ["class", "labels", "precision", "recall", "F1"]
    f1, found = {}, {}
    for label in set(uneven.labels):
        true = sum(truth == label for _, truth, _ in predictions)
        predicted = sum(_answer(own) == label for *_, own in predictions)
        both = sum(truth == label == _answer(own) for _, truth, own in predictions)
        precision, recall = both / predicted, both / true
        f1[label] = 2 * precision * recall / (precision + recall)
        found[label] = recall
        numbers = [f"{100 * each:.1f}" for each in (precision, recall, f1[label])]
        assert table.body[label] == [str((uneven.labels == label).sum()), *numbers]
    assert list(table.body) == sorted(
        found, key=lambda label: (found[label], label)
    )  # the worst first


def test_mistakes_are_counted_and_sorted(read, predictions):
    table = read.table("The most frequent mistakes")
    wrong = Counter((true, _answer(own)) for _, true, own in predictions if true != _answer(own))
    size = Counter(true for _, true, _ in predictions)
    shown = [(row[0], row[1]) for row in table.rows[1:]]
    assert [wrong[pair] for pair in shown] == sorted(wrong.values(), reverse=True)[:5]
    for label, answer, share, n in table.rows[1:]:
        assert int(n) == wrong[label, answer]
        assert share == f"{100 * wrong[label, answer] / size[label]:.1f}"
    sentence = f"{len(predictions)} predictions for {len({p[0] for p in predictions})} documents"
    [found] = [text for text in read.texts if sentence in text]
    assert f"{wrong.total()} of them wrong" in found


def test_the_matrix_shows_where_each_class_goes(read, predictions, uneven):
    table = read.table("Where the documents")
    labels = sorted(set(uneven.labels))
    for number, label in enumerate(labels):
        own = [_answer(given) for _, truth, given in predictions if truth == label]
        cells = table.rows[number + 1]
        assert cells[0] == f"{number + 1} {label}"
        for other, cell in zip(labels, cells[1:], strict=True):
            share = 100 * own.count(other) / len(own)
            assert cell == ("" if not share else "<1" if share < 0.5 else f"{share:.0f}")


def test_thresholds_answer_and_are_right_as_the_table_says(read, predictions):
    table = read.table("From which confidence on")
    assert list(table.body) == ["80 %", "90 %", "95 %"]
    for target, (threshold, answered, right) in table.body.items():
        sure = [p for p in predictions if max(p[2].values()) >= float(threshold)]
        assert answered == f"{100 * len(sure) / len(predictions):.1f} %"
        is_right = [_answer(own) == truth for _, truth, own in sure]
        assert right == f"{100 * np.mean(is_right):.1f} %"
        assert np.mean(is_right) >= float(target.split()[0]) / 100


def test_the_figures_at_the_top(read, draws, predictions, uneven_comparison, winner):
    place = ("house", "12 per class")
    scores = {
        name: uneven_comparison.scores(winner, place, name).mean()
        for name in ("accuracy", "macro_f1")
    }
    first, second, *_ = read.tiles.items()
    assert (first[0], second[0]) == ("accuracy", "macro-F1")
    assert first[1][0] == f"{100 * scores['accuracy']:.1f} %"
    assert second[1][0] == f"{100 * scores['macro_f1']:.1f} %"
    [(label, _)] = Counter(truth for _, truth, _ in predictions).most_common(1)
    shares = [Counter(p[1] for p in draw).most_common(1)[0][1] / len(draw) for draw in draws]
    assert f"Always “{label}”: {100 * np.mean(shares):.1f} %" in first[1][1]


def test_models_are_sorted_by_macro_f1_if_classes_are_uneven(read, uneven_comparison):
    table = read.table("Macro-F1 in percent")
    place = ("house", "12 per class")
    means = [
        uneven_comparison.scores(model, place, "macro_f1").mean()
        for model in list(table.body)
        if model in uneven_comparison.models
    ]
    assert means == sorted(means, reverse=True)
    best, other, baseline = table.body
    [found] = uneven_comparison.differences(other, best, "macro_f1")[-1:]
    shown = table.body[other][3:]
    assert shown[0] == f"{100 * found.mean:+.1f}"
    assert shown[1] == f"{100 * found.low:+.1f} to {100 * found.high:+.1f}"
    assert shown[2:] == ["", "too few draws"]
    (several,) = dataclasses.replace(found, trials=5).cells[2:3]
    assert several == (f"{found.p_value:.3f}" if found.p_value >= 0.001 else "< 0.001")
    assert table.body[baseline][2] == f"{100 * uneven_comparison.baseline(place, 'macro_f1'):.1f}"


def test_even_classes_are_sorted_by_accuracy(page, comparison):
    read = ReportPage(page[1])
    table = read.table("Accuracy in percent")
    place = ("mail", "12 per class")
    means = {model: comparison.scores(model, place).mean() for model in comparison.models}
    assert [model for model in table.body if model in means] == sorted(
        means, key=means.get, reverse=True
    )
    assert next(iter(read.tiles)) == "accuracy"


def test_labels_to_check_are_found_where_labels_were_changed():
    """Wrong labels that are put in on purpose stand first, with their rows."""
    kept = load_corpus("mailbox").keep_classes(["heating", "rent", "plumbing"])
    random = np.random.default_rng(0)
    changed = random.choice(len(kept), 12, replace=False)
    labels = kept.labels.copy()
    for row in changed:
        labels[row] = random.choice(np.setdiff1d(kept.classes, labels[row]))
    noisy = Corpus("noisy", kept.documents, labels)
    found = examine(TextClassifier("CNB"), noisy, RepeatedFolds(5)).documents(noisy)
    found = list(found[found.is_suspicious].itertuples())
    assert [each.confidence for each in found] == sorted(
        (each.confidence for each in found), reverse=True
    )
    rows = [each.row - 1 for each in found]
    assert len(set(rows) & set(changed)) >= 9  # of the twelve
    assert len(set(rows[:8]) & set(changed)) >= 6
    for each in found:
        assert labels[each.row - 1] == each.label != each.answer
        assert kept.documents[each.row - 1] == each.text
        assert each.confidence >= 0.8


def test_the_page_lists_labels_to_check_with_rows_of_the_table(predictions, read):
    mean = {}
    for row, truth, own in predictions:
        mean.setdefault(row, (truth, []))[1].append(own)
    expected = {}
    for row, (truth, given) in mean.items():
        average = {label: np.mean([own[label] for own in given]) for label in given[0]}
        if _answer(average) != truth and max(average.values()) >= 0.8:
            expected[str(row + 1)] = [
                f"{truth} {100 * average[truth]:.1f} %",
                f"{_answer(average)} {100 * max(average.values()):.1f} %",
            ]
    table = read.table("Labels to check")
    assert {row: cells[:2] for row, cells in table.body.items()} == expected
    [tile] = [values[0] for name, values in read.tiles.items() if name.startswith("label")]
    assert tile == str(len(expected))


def test_fifty_more_labels_on_a_known_curve():
    n_labels = np.repeat([50, 100, 200, 250], 3)
    values = 0.9 - 2 / n_labels**0.6
    found = estimate_gain(n_labels, values)
    assert (found.ahead[0].n_labels, found.n_more) == (250, 50)
    assert found.gain == pytest.approx(2 / 250**0.6 - 2 / 300**0.6, abs=1e-4)
    assert found.ahead[-1] == pytest.approx((300, 0.9 - 2 / 300**0.6), abs=1e-4)


def test_few_labels_are_at_most_doubled_and_two_sizes_say_nothing():
    n_labels = np.array([5, 10, 20])
    assert estimate_gain(n_labels, 0.9 - 1 / n_labels).n_more == 20
    assert estimate_gain(n_labels[1:], 0.9 - 1 / n_labels[1:]) is None


def test_the_gain_on_the_page_is_that_of_the_curve(read, uneven_comparison, winner):
    own = [r for r in uneven_comparison.results if r.cell.model == winner]
    means = {}
    for result in own:
        means.setdefault(result.n_train, []).append(result.scores["macro_f1"])
    sizes = np.array(sorted(means), dtype=float)
    values = np.array([np.mean(means[size]) for size in sizes])
    # the best a - b / n^c on a grid of c; for each c it is a straight line in n^-c
    weights = np.sqrt(sizes)
    best = (math.inf, None)
    for c in np.linspace(0.2, 2, 1801):
        columns = np.stack([np.ones_like(sizes), -(sizes**-c)], axis=1)
        (a, b), *_ = np.linalg.lstsq(columns * weights[:, None], values * weights, rcond=None)
        a = min(a, 1.0)
        b = max(0.0, min(b, 10.0))
        error = (((a - b * sizes**-c - values) * weights) ** 2).sum()
        best = min(best, (error, (a - b * (2 * sizes[-1]) ** -c) - (a - b * sizes[-1] ** -c)))
    n = round(100 * best[1])
    [tile] = [values for name, values in read.tiles.items() if "more labels" in name]
    assert tile[0] == ("< 1 point" if n < 1 else f"+{n} point{'s' if n > 1 else ''}")


def test_a_model_that_is_worse_than_the_largest_class_is_not_recommended(tmp_path):
    """On SMS, a model with 26.7 % was listed while always saying "ham" has 86.5 %."""
    random = np.random.default_rng(0)
    words = ["alpha", "beta", "gamma", "delta", "epsilon"]
    texts = [" ".join(random.choice(words, 6)) + f" {number}" for number in range(120)]
    labels = np.array(["spam" if number % 10 == 0 else "ham" for number in range(120)])
    noise = Corpus("noise", texts, labels)
    splits = [RandomSplits(per_class=size, repetitions=2) for size in (2, 3, 5)]
    write_report(tmp_path / "r.html", compare(["CNB"], noise, splits), noise, splits)
    read = ReportPage((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert read.texts[1].startswith("Label more before you use a model: always answering “ham”")


class Reader(ClassifierMixin, BaseEstimator):
    """Reads the label in the text, but is wrong about the hard documents of one class."""

    def __init__(self, weak=None):
        self.weak = weak

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        return self

    def decision_function(self, X):
        is_big, is_hard = X.toarray().T.astype(bool)
        is_wrong = is_hard & (is_big == (self.weak == "big"))
        return np.where(is_big ^ is_wrong, -1.0, 1.0)

    def predict(self, X):
        return np.where(self.decision_function(X) < 0, "big", "small")


class LateReader(Reader):
    """Needs more than 15 labels to read."""

    def fit(self, X, y):
        self.knows_enough_ = X.shape[0] > 15
        return super().fit(X, y)

    def decision_function(self, X):
        return super().decision_function(X) if self.knows_enough_ else np.ones(X.shape[0])


# ranked otherwise by macro-F1 than by accuracy: the small class has a third of the documents
READERS = {
    name: make_pipeline(CountVectorizer(vocabulary=["big", "hard"]), Reader(weak))
    for name, weak in {"bold": "small", "fair": "big"}.items()
}


READERS["late"] = make_pipeline(CountVectorizer(vocabulary=["big", "hard"]), LateReader("big"))
READERS["same"] = READERS["fair"]


def read_headline(path, n_small, repetitions, names=("bold", "fair"), sizes=(5,)):
    """Return a comparison, the answer of its report and the headline; classes are uneven."""
    texts = [f"big {'hard' if n % 4 == 0 else ''} b{n}" for n in range(3 * n_small)]
    texts += [f"small {'hard' if n % 3 else ''} s{n}" for n in range(n_small)]
    corpus = Corpus("sizes", texts, np.repeat(["big", "small"], [3 * n_small, n_small]))
    splits = [RandomSplits(per_class=size, repetitions=repetitions) for size in sizes]
    found = compare({name: READERS[name] for name in names}, corpus, splits)
    answer = write_report(path, found, corpus, splits, models=READERS)
    return found, answer, ReportPage(path.read_text(encoding="utf-8")).texts[1]


@pytest.mark.parametrize(("n_small", "verdict"), [(40, "tie"), (600, "win")])
def test_the_top_of_the_page_says_how_models_are_ranked_and_if_the_best_is_clear(
    tmp_path, n_small, verdict
):
    """Finding: "Use CNB" at p = 0.667, while another model was best by accuracy."""
    found, answer, headline = read_headline(tmp_path / "r.html", n_small, 5)
    [[by_f1, by_accuracy]] = [
        [
            {model: found.scores(model, place, metric).mean() for model in found.models}
            for metric in ("macro_f1", "accuracy")
        ]
        for place in found.places
    ]
    assert by_f1["fair"] > by_f1["bold"]
    assert by_accuracy["fair"] < by_accuracy["bold"]
    assert found.differences("fair", "bold", "macro_f1")[0].verdict == verdict
    ranked = "Ranked by macro-F1, because the classes are uneven; best by accuracy: bold."
    use = {"tie": "Use fair or bold: the difference is not clear.", "win": "Use fair."}[verdict]
    assert headline == use
    assert answer.endswith(f" {ranked}")


def test_one_draw_does_not_show_which_model_to_use(tmp_path):
    _, answer, headline = read_headline(tmp_path / "r.html", 40, 1)
    assert headline.startswith("Use fair or bold: the difference is not clear.")
    assert "; 1 draw is too few for a test." in answer


def test_of_equal_models_the_better_one_with_fewer_labels_is_named(tmp_path):
    """Finding: "Use CNB", which was 25 points behind with fewer labels."""
    found, answer, headline = read_headline(tmp_path / "r.html", 40, 5, ["late", "fair"], (5, 10))
    few, many = ([found.scores(m, p).mean() for m in found.models] for p in found.places)
    assert few[0] < few[1]
    assert many[0] == many[1]
    assert headline.startswith("Use fair or late: the difference is not clear.")
    assert "fair did best" in answer
    assert {each.other for each in found.against_best()} == {"fair"}


def test_a_model_with_the_same_answers_is_no_other_choice(tmp_path):
    """Finding: "Use FewLabels or auto", and auto was FewLabels."""
    _, answer, headline = read_headline(tmp_path / "r.html", 600, 5, ["same", "bold", "fair"])
    assert headline == "Use same."
    assert "bold follows" in answer


def test_a_single_model_is_not_ranked(tmp_path):
    _, answer, headline = read_headline(tmp_path / "r.html", 40, 2, ["fair"])
    assert headline == "Use fair."
    assert "anked" not in answer


def test_the_best_model_by_both_metrics_is_said_once(read, uneven_comparison, winner):
    accuracy = {
        model: uneven_comparison.scores(model, ("house", "12 per class")).mean()
        for model in uneven_comparison.models
    }
    assert max(accuracy, key=accuracy.get) == winner
    told = f"uneven; best by accuracy: {winner}, too."
    assert sum(text.count(told) for text in read.texts) == 1


def test_own_models_without_probabilities_have_no_thresholds(uneven, tmp_path):
    mine = {"ridge": make_pipeline(TfidfVectorizer(), RidgeClassifier())}
    splits = [RandomSplits(per_class=5, repetitions=2)]
    found = compare(mine, uneven, splits)
    with pytest.raises(ValueError, match=r"The best model, 'ridge', is not a name of list_models"):
        write_report(tmp_path / "r.html", found, uneven, splits)
    write_report(tmp_path / "r.html", found, uneven, splits, models=mine)
    read = ReportPage((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "coverage" not in read.sections
    assert not [table for table in read.tables if table.caption.startswith("Labels to check")]


def test_a_report_on_one_model_tests_each_labeled_document_once(uneven, tmp_path):
    said = write_model_report(tmp_path / "r.html", TextClassifier("CNB"), uneven, folds=4)
    right = 0
    for split in RepeatedFolds(4).split(uneven.labels, "house", 0):
        known = {_same(uneven.documents[row]) for row in split.train}
        test = [row for row in split.test if _same(uneven.documents[row]) not in known]
        model = TextClassifier("CNB")
        model.fit([uneven.documents[row] for row in split.train], uneven.labels[split.train])
        right += (
            model.predict([uneven.documents[row] for row in test]) == uneven.labels[test]
        ).sum()
    share, n = re.match(r"About ([\d.]+) % .* measured on (\d+) labeled documents", said).groups()
    assert share == f"{100 * right / int(n):.1f}"
    read = ReportPage((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "models" not in read.sections


def test_only_random_documents_count_for_the_accuracy_if_there_are_enough(uneven, tmp_path):
    sample = np.arange(0, len(uneven), 9)
    said = write_model_report(tmp_path / "r.html", TextClassifier("CNB"), uneven, sample=sample)
    assert re.search(rf"measured on ({len(sample)}|{len(sample) - 1}) random documents", said)
    said = write_model_report(tmp_path / "r.html", TextClassifier("CNB"), uneven, sample=sample[:5])
    assert "These documents are no random sample" in said


def test_a_report_needs_two_labels_in_two_classes(tmp_path):
    corpus = Corpus("few", ["a b", "c d", "e f"], np.array(["x", "x", "y"]))
    with pytest.raises(ValueError, match="at least two classes with two labels each"):
        write_model_report(tmp_path / "r.html", TextClassifier("CNB"), corpus)
    assert list(tmp_path.iterdir()) == []
