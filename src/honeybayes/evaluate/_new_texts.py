"""Next month: whether new texts are like those that a model learned from, and which to look at.

All tests compare a random sample of the old texts with one of the new. Under "nothing has changed"
both are draws from the same texts, so the tests of texts are exact, however small the samples.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from scipy import sparse
from scipy.stats import binom, hypergeom, norm
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from honeybayes.calibration.coverage import Interval, wilson_interval
from honeybayes.text import TextAnalyzer
from honeybayes.text.vectorizer import CountedWords
from honeybayes.utils.parameters import described_like, documented

LEVEL = 0.05  # of all tests together, which have these shares of it
ALL_TEXTS, SINGLE_WORDS, CLASSES, CONFIDENCE = 0.6, 0.2, 0.1, 0.1
N_TOPICS = 100  # to which words are reduced
FEWEST_TEXTS = 50  # old or new, for a verdict
MOST_TEXTS = 2000  # of a sample: more would find changes that matter to nobody
MOST_WORDS = 64  # that are remembered of a text
N_SHUFFLES = 399  # of old and new texts
# a model answers texts that it has learned from a little differently: by less than this
LEAST_FALL, LEAST_GROWTH = 0.02, 0.05
N_SHOWN = 5  # words


@documented
class Finding(NamedTuple):
    """A change that is more than chance.

    Parameters
    ----------
    kind : {"words", "class", "confidence"}
    name : str
        The words, joined with ", "; the class; or an empty string.
    before, after : float
        Share of the old and of the new texts; for "confidence", its mean.
    p_value : float
        Corrected for all tests that were made: below 0.05.
    rows : tuple of int
        The new texts that it is about.
    """

    kind: str
    name: str
    before: float
    after: float
    p_value: float
    rows: tuple[int, ...]

    def describe(self) -> str:
        """Return a sentence for a person."""
        before, after = f"{100 * self.before:.0f} %", f"{100 * self.after:.0f} %"
        if self.kind == "class":
            return f"Class {self.name}: {after} of the answers, {before} before."
        if self.kind == "confidence":
            return f"The mean confidence fell from {before} to {after}."
        return f"Words that are new or more frequent: {self.name}; in {after}, {before} before."


@documented
class Judgement(NamedTuple):
    """What random checks say about the accuracy that was promised.

    Parameters
    ----------
    right : Interval
        Share of right answers among the checked texts.
    promised : Interval or None
        Share of right answers among the texts that ``fit`` held out.
    has_fallen : bool
        Whether fewer answers are right than promised, by more than chance (5 %).
    """

    right: Interval
    promised: Interval | None
    has_fallen: bool

    def describe(self) -> str:
        """Return a sentence for a person."""
        share, low, high, n = self.right
        told = f"{round(share * n)} of {n} random checks are right: "
        told += f"between {100 * low:.0f} and {100 * high:.0f} % of all answers."
        if self.promised is None:
            return told
        verdict = "The accuracy has fallen" if self.has_fallen else "The accuracy may still hold"
        return f"{told} {verdict}; {100 * self.promised.accuracy:.0f} % were right before."


@documented
@dataclass(frozen=True)
class NewTextsCheck:
    """What `check_new_texts` found.

    Parameters
    ----------
    verdict : {"drift", "same", "unknown"}
        "unknown" with fewer than 50 old or new texts.
    findings : tuple of Finding
        The changes, the clearest first.
    n_texts, n_old : int
        Number of new texts, without blank ones, and of old texts that they were compared with.
    labels : ndarray of shape (n_texts,)
        Predictions, also for blank texts.
    confidence : ndarray of shape (n_texts,)
        Their confidence.
    random : tuple of int
        Rows to check, drawn at random. Do not look at the answers first.
    doubtful : tuple of int
        Other rows, whose labels would teach the model most: half of them texts of the clearest
        finding, if there is one; then those with the lowest confidence.
    promised : Interval or None
        Accuracy on the texts that ``fit`` held out.
    """

    verdict: str
    findings: tuple[Finding, ...]
    n_texts: int
    n_old: int
    labels: np.ndarray
    confidence: np.ndarray
    random: tuple[int, ...]
    doubtful: tuple[int, ...]
    promised: Interval | None

    def describe(self) -> list[str]:
        """Return lines for a person."""
        compared = f"{self.n_texts:,} new texts, compared with {self.n_old:,} old ones"
        if self.verdict == "unknown":
            return [f"{compared}: too few to see a change; it takes {FEWEST_TEXTS} of both."]
        what = "they differ" if self.findings else "no change that is more than chance"
        return [f"{compared}: {what}.", *(each.describe() for each in self.findings)]

    def judge(self, labels: Mapping[int, Any]) -> Judgement:
        """Compare the answers to random checks with the labels that a person gave.

        Parameters
        ----------
        labels : mapping of int to label
            Labels by row; rows that are not in ``random`` are ignored.
        """
        rows = [row for row in self.random if row in labels]
        if not rows:
            raise ValueError("No random check has a label. Label rows of `random` first.")
        n_right = sum(str(labels[row]) == str(self.labels[row]) for row in rows)
        right, promised = wilson_interval(n_right, len(rows)), self.promised
        # the lower limit of what was promised: it was measured, too
        has_fallen = promised is not None and binom.cdf(n_right, len(rows), promised.low) < LEVEL
        return Judgement(right, promised, bool(has_fallen))


class _Sample(NamedTuple):
    """Texts as a model file remembers them: digests of words, answers, and vectors."""

    words: sparse.csr_array  # shape (n_texts, 2**16), 1 where a text has a word
    answers: np.ndarray  # place of the class in classes_, -1 if the text had a label
    confidence: np.ndarray
    vectors: np.ndarray | None  # if the classifier has an encoder


Words = tuple[CountedWords, np.ndarray]  # with 16 bits for each, -1 for one without a term
MEMORY = ("memory_", "memory_terms_", "memory_vectors_")


def remember_texts(classifier: Any, texts: Sequence[str], is_labeled: Any = None) -> None:
    """Let a classifier remember a sample of its texts, so that new texts can be compared with it.

    ``honeybayes fit`` does it. The model file gets digests of up to 64 words of up to 2,000 texts,
    the answers to those without a label, and coarse vectors if there is an encoder. Whoever has a
    list of words can guess from the digests which words a text has.

    Parameters
    ----------
    classifier : TextClassifier
        Fitted. It gets the attributes ``memory_``, ``memory_terms_`` and ``memory_vectors_``.
    texts : sequence of str
        All texts of the table or project, also those without a label, and the pool.
    is_labeled : array-like of bool, shape (n_texts,), optional
        Which texts had a label when the model learned; by default, none.
    """
    sample = np.sort(np.random.default_rng(0).permutation(len(texts))[:MOST_TEXTS])
    chosen = [texts[row] for row in sample]
    proba = classifier.predict_proba(chosen) if chosen else np.zeros((0, 1))
    answers = proba.argmax(axis=1)
    if is_labeled is not None:
        answers[np.asarray(is_labeled)[sample]] = -1
    memory = _remember(classifier, chosen, answers, proba.max(axis=1))[0]
    for name, found in zip(MEMORY, memory, strict=True):
        setattr(classifier, name, found)


@described_like(remember_texts)
def check_new_texts(
    classifier: Any,
    texts: Sequence[str],
    old: Sequence[str] | None = None,
    *,
    n_random: int = 20,
    n_doubtful: int = 20,
    random_state: int = 0,
) -> NewTextsCheck:
    """Say whether new texts are like the old ones, and which a person should look at.

    Three things are tested: words that are new or more frequent, one by one and all together (by
    the vectors of the texts, if the classifier has an encoder); classes that grew by more than five
    points; and a confidence that fell by more than two. The last two need old texts that the model
    did not learn a label of. Of old and new texts that are
    drawn from the same texts, at most 5 % are called "drift".

    Parameters
    ----------
    classifier : TextClassifier
        Fitted.
    texts : sequence of str
        The new texts. Blank ones are left out.
    old : sequence of str, optional
        The old texts; by default, those that the classifier remembers: see `remember_texts`.
    n_random, n_doubtful : int, default=20
        Number of texts to look at.
    random_state : int, default=0
        Seed of the draws.

    Examples
    --------
    >>> from honeybayes import TextClassifier
    >>> from honeybayes.evaluate import check_new_texts, remember_texts
    >>> from honeybayes.tables import load_corpus
    >>> corpus = load_corpus("messages")
    >>> may, june = corpus.documents[::2], corpus.documents[1::2]
    >>> classifier = TextClassifier().fit(may, corpus.labels[::2])
    >>> remember_texts(classifier, may, is_labeled=[True] * len(may))
    >>> check_new_texts(classifier, june).verdict
    'same'
    >>> strange = [f"{words} ransomware encrypted our files" for words in june[:60]]
    >>> found = check_new_texts(classifier, june[60:] + strange, may)
    >>> found.verdict, found.findings[0].kind
    ('drift', 'words')
    """
    rng = np.random.default_rng(random_state)
    held_out = getattr(classifier, "held_out_", None)
    remembers = classifier
    if old is not None:
        kept = [words for words in old if words.strip()]
        had = classifier.has_seen(kept) if kept and hasattr(classifier, "has_seen") else None
        remembers = copy(classifier)
        remember_texts(remembers, kept, had)
    elif getattr(classifier, "memory_", None) is None:
        raise ValueError(
            "The model does not remember the texts that it learned from. Give the old texts with "
            "old= (--old on the command line), or call remember_texts(classifier, texts) after "
            "fit, as `honeybayes fit` does."
        )
    memory: Any = [getattr(remembers, name, None) for name in MEMORY]
    before = _recall(*memory)
    rows = np.array([row for row, words in enumerate(texts) if words.strip()], dtype=int)
    labels, confidence = np.full(len(texts), "", dtype=object), np.zeros(len(texts))
    best = np.zeros(len(texts), dtype=int)
    if len(rows):
        proba = classifier.predict_proba([texts[row] for row in rows])
        best[rows], confidence[rows] = proba.argmax(axis=1), proba.max(axis=1)
        labels[rows] = classifier.classes_[best[rows]]
    findings: list[Finding] = []
    n_old = before.words.shape[0]
    if is_enough := min(len(rows), n_old) >= FEWEST_TEXTS:
        sample = np.sort(rng.permutation(rows)[:MOST_TEXTS])
        chosen = [texts[row] for row in sample]
        memory, words = _remember(classifier, chosen, best[sample], confidence[sample])
        after = _recall(*memory)
        findings += _grown_classes(before, after, classifier.classes_)
        findings += _fallen_confidence(before, after, held_out)
        findings += _new_words(before, after, words, rng)
        findings = [each._replace(rows=tuple(sample[[*each.rows]].tolist())) for each in findings]
        findings.sort(key=lambda each: each.p_value)
    drawn = {*rng.permutation(rows)[:n_random].tolist()}
    unsure = rows[np.argsort(confidence[rows], kind="stable")].tolist()
    unsure = [row for row in unsure if row not in drawn]
    strange = {*findings[0].rows} if findings else set()
    first = [row for row in unsure if row in strange][: n_doubtful // 2]
    doubtful = tuple(dict.fromkeys([*first, *unsure]))[:n_doubtful]
    verdict = "drift" if findings else "same" if is_enough else "unknown"
    promised = None
    if held_out is not None and len(held_out):
        promised = wilson_interval(int((held_out[:, 1] >= held_out[:, 0]).sum()), len(held_out))
    found = verdict, tuple(findings), len(rows), n_old, labels, confidence
    return NewTextsCheck(*found, tuple(sorted(drawn)), doubtful, promised)


# Samples


def _remember(
    classifier: Any, texts: Sequence[str], answers: np.ndarray, confidence: np.ndarray
) -> tuple[tuple[Any, ...], Words]:
    """Return numbers (of words, place of the answer, confidence), first words, and vectors.

    Also return all words, stop words too. Those with the same bits are taken as one word.
    """
    analyzer = TextAnalyzer(stop_words=False)
    if (vectorizer := getattr(classifier, "vectorizer_", None)) is not None:
        analyzer = TextAnalyzer(vectorizer.language, stop_words=False, stem=vectorizer.stem)
    counted = CountedWords(texts, analyzer)
    encoded = [term.encode("utf-8", "surrogatepass") for term in counted.terms]
    digests = np.array([crc32(term) % 2**16 if term else -1 for term in encoded], dtype=int)
    # the last part of the split is empty
    of_texts = np.split(digests[counted.numbers], np.cumsum(counted.lengths, dtype=int))[:-1]
    words = [list(dict.fromkeys(own[own >= 0].tolist()))[:MOST_WORDS] for own in of_texts]
    memory = np.column_stack([[*map(len, words)], answers, confidence]).astype(np.float32)
    terms = np.fromiter(chain.from_iterable(words), dtype=np.uint16)
    vectors = classifier.encode(texts) if len(texts) and hasattr(classifier, "encode") else None
    if vectors is not None:
        largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
        vectors = np.round(vectors / largest * 127).astype(np.int8)
    return (memory, terms, vectors), (counted, digests)


def _recall(memory: np.ndarray, terms: np.ndarray, vectors: np.ndarray | None) -> _Sample:
    lengths, answers, confidence = memory.T
    starts = np.cumsum([0, *lengths.astype(int)])
    ones = np.ones(len(terms))
    words = sparse.csr_array((ones, terms.astype(np.int32), starts), (len(memory), 2**16))
    if vectors is not None:
        vectors = normalize(vectors.astype(np.float32))
    return _Sample(words, answers.astype(int), confidence.astype(float), vectors)


# Tests


def _grown_classes(before: _Sample, after: _Sample, classes: np.ndarray) -> list[Finding]:
    """Return the classes that grew by more than five points, among texts without a label."""
    known = before.answers[before.answers >= 0]
    if len(known) < FEWEST_TEXTS:
        return []
    n_old, n_new = len(known), len(after.answers)
    old, new = (np.bincount(each, minlength=len(classes)) for each in (known, after.answers))
    share = (old + new) / (n_old + n_new)
    error = np.sqrt(share * (1 - share) * (1 / n_old + 1 / n_new))
    chance = norm.sf((new / n_new - old / n_old - LEAST_GROWTH) / np.maximum(error, 1e-9))
    p_values = chance * len(classes) / CLASSES
    found = []
    for at in np.flatnonzero(p_values < LEVEL).tolist():
        own = tuple(np.flatnonzero(after.answers == at).tolist())
        numbers = float(old[at] / n_old), float(new[at] / n_new), float(p_values[at])
        found.append(Finding("class", str(classes[at]), *numbers, own))
    return found


def _fallen_confidence(before: _Sample, after: _Sample, held_out: Any) -> list[Finding]:
    """Return whether the model is less sure, by the mean and its standard error."""
    known, now = before.confidence[before.answers >= 0], after.confidence
    if len(known) < FEWEST_TEXTS and held_out is not None:
        known = held_out[:, 0].astype(float)
    if len(known) < FEWEST_TEXTS:
        return []
    error = np.sqrt(known.var() / len(known) + now.var() / len(now))
    fall = (known.mean() - now.mean() - LEAST_FALL) / max(error, 1e-9)
    p_value = float(norm.sf(fall)) / CONFIDENCE
    ends = float(known.mean()), float(now.mean())
    return [Finding("confidence", "", *ends, p_value, ())] if p_value < LEVEL else []


def _new_words(
    before: _Sample, after: _Sample, words: Words, rng: np.random.Generator
) -> list[Finding]:
    """Return words that more texts have, if single words or all together show a change."""
    both = sparse.csr_array(sparse.vstack([before.words, after.words]))
    is_new = np.arange(both.shape[0]) >= before.words.shape[0]
    old, new = (each.words.sum(axis=0).astype(int) for each in (before, after))
    (counted, digests), n_new = words, int(is_new.sum())
    chance = hypergeom.sf(new - 1, len(is_new), old + new, n_new)
    single = float(chance.min()) * _count_testable(old + new, n_new, len(is_new))
    known = [each.vectors for each in (before, after) if each.vectors is not None]
    vectors = np.vstack(known) if len(known) == 2 else _topics(both)
    p_value = min(single / SINGLE_WORDS, _shuffle_test(vectors, is_new, rng) / ALL_TEXTS)
    if p_value >= LEVEL:
        return []
    chosen = np.argsort(chance, kind="stable")[:N_SHOWN]
    has_any = (both[:, chosen].sum(axis=1) > 0).ravel()
    own = np.flatnonzero(has_any[is_new]).tolist()
    in_own = counted.numbers[np.repeat(has_any[is_new], counted.lengths)]
    times = Counter(in_own.tolist())  # of each spelling, by number
    spelled = [[word for word in times if digests[word] == each] for each in chosen]
    name = ", ".join(counted.tokens[max(each, key=times.__getitem__)] for each in spelled if each)
    share = float(has_any[~is_new].mean()), float(has_any[is_new].mean())
    return [Finding("words", name, *share, p_value, tuple(own))]


def _count_testable(n_both: np.ndarray, n_new: int, n_all: int) -> int:
    """Return by how many words to correct.

    A word of a few texts can never be significant, so it is not tested (R. E. Tarone, "A Modified
    Bonferroni Method for Discrete Data", Biometrics 46, 1990).
    """
    counts, n_words = np.unique(n_both[n_both > 0], return_counts=True)
    lowest = hypergeom.sf(np.minimum(counts, n_new) - 1, n_all, counts, n_new)
    number = 1
    while n_words[lowest <= LEVEL * SINGLE_WORDS / number].sum() > number:
        number += 1
    return number


def _topics(words: sparse.csr_array) -> np.ndarray:
    """Return vectors by latent semantic analysis of all texts, which ignores which are new."""
    used = words[:, np.flatnonzero(np.diff(words.tocsc().indptr) > 1)]
    n_topics = min(N_TOPICS, min(used.shape) - 1)
    if n_topics < 1:
        return np.zeros((words.shape[0], 1))
    weighted = TfidfTransformer().fit_transform(used)
    with np.errstate(invalid="ignore"):  # the explained variance, if all texts have the same words
        found = TruncatedSVD(n_topics, n_iter=3, random_state=0).fit_transform(weighted)
    return normalize(found)


def _shuffle_test(vectors: np.ndarray, is_new: np.ndarray, rng: np.random.Generator) -> float:
    """Return how often shuffled texts differ as much as old and new ones, by their mean vectors.

    It is the maximum mean discrepancy with the cosine as the kernel.
    """
    own, total = (vectors**2).sum(axis=1), vectors.sum(axis=0)
    n_new, n_old = int(is_new.sum()), int((~is_new).sum())

    def distance(sides: np.ndarray) -> float:
        new = vectors[sides].sum(axis=0)
        old, within = total - new, own[sides].sum()
        of_new = (new @ new - within) / (n_new * (n_new - 1))
        of_old = (old @ old - (own.sum() - within)) / (n_old * (n_old - 1))
        return float(of_new + of_old - 2 * (new @ old) / (n_new * n_old))

    found = distance(is_new)
    n_as_far = sum(distance(rng.permutation(is_new)) >= found for _ in range(N_SHUFFLES))
    return (1 + n_as_far) / (1 + N_SHUFFLES)
