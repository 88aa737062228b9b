"""Find the few relevant texts among many, and prove that most of them were found."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np
from scipy import sparse
from scipy.stats import hypergeom
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

from honeybayes.text import TextEncoder, TextVectorizer, find_encoder_of_language
from honeybayes.utils.texts import check_labels_of_texts, check_texts
from honeybayes.utils.validation import check_fraction, check_integer

PENALTY, BALANCE = 0.11, 9.8  # those of ASReview's default, which were chosen on real reviews
TEXTS_PER_ROUND = 10


def recall_bound(
    n_found: int, n_unread: int, n_checked: int, n_relevant: int, certainty: float = 0.95
) -> float:
    """Return a lower bound for the share of relevant texts that were found.

    Parameters
    ----------
    n_found : int
        Relevant texts among those that were read before the check.
    n_unread : int
        Texts that were not read before the check.
    n_checked : int
        Texts of these that were drawn at random and read. The number must be set before the check:
        whoever goes on until the bound is high enough is less certain.
    n_relevant : int
        Relevant texts among those that were checked. They are found, too.
    certainty : float, default=0.95
        The bound is true in at least this share of checks.

    Returns
    -------
    float
        From 0 to 1; it comes from the exact hypergeometric distribution. If there may be no
        relevant text at all, it is 1.

    Examples
    --------
    >>> from honeybayes.labeling import recall_bound
    >>> recall_bound(n_found=190, n_unread=4000, n_checked=1000, n_relevant=0)
    0.95
    """
    for name, value in (("n_found", n_found), ("n_unread", n_unread), ("n_relevant", n_relevant)):
        check_integer(name, value)
    check_fraction("certainty", certainty)
    if not n_relevant <= n_checked <= n_unread:
        raise ValueError(
            f"n_relevant={n_relevant}, n_checked={n_checked} and n_unread={n_unread} must not "
            "decrease: the checked are some of the unread texts, the relevant some of the checked."
        )
    possible = np.arange(n_relevant, n_unread - n_checked + n_relevant + 1)
    chance = hypergeom.cdf(n_relevant, n_unread, possible, n_checked)
    most = int(possible[chance > 1 - certainty].max(initial=n_relevant))
    return (n_found + n_relevant) / (n_found + most) if n_found + most else 1.0


def checks_needed(
    n_found: int, n_unread: int, recall: float = 0.95, certainty: float = 0.95
) -> int:
    """Return how many random checks prove a recall, if none of them is relevant.

    Parameters
    ----------
    n_found : int
        Relevant texts that were found.
    n_unread : int
        Texts that were not read.
    recall : float, default=0.95
        The share of relevant texts to prove.
    certainty : float, default=0.95
        The certainty of `recall_bound`.

    Returns
    -------
    int
        Few relevant texts need many checks: 20 found, of which one may be missing, leave no choice
        but to read most of the others.

    Examples
    --------
    >>> from honeybayes.labeling import checks_needed
    >>> checks_needed(190, 4000), checks_needed(20, 4000)
    (953, 3106)
    """
    check_fraction("recall", recall)
    check_fraction("certainty", certainty)
    if n_found < 0 or n_unread < 0:
        raise ValueError(f"n_found and n_unread must not be negative; got {n_found}, {n_unread}.")
    missing = floor(n_found / recall - n_found + 1e-9) + 1 if recall else n_unread + 1
    if missing > n_unread:
        return 0
    n_checked = np.arange(n_unread - missing + 2)
    chance = hypergeom.pmf(0, n_unread, missing, n_checked)
    return int(np.argmax(chance <= 1 - certainty))


def ranking_features(texts: list[str], language: str = "auto") -> sparse.csr_array:
    """Return stems and pairs of stems, weighted by tf-idf, and the vectors of the texts.

    The vectors are left out if the extra ``vectors`` is not installed, or its encoder does not know
    the language.
    """
    vectorizer = TextVectorizer(language=language, stop_words=False, ngram_range=(1, 2))
    counts = vectorizer.fit_transform(texts)
    parts = [TfidfTransformer(sublinear_tf=True).fit_transform(counts)]
    if (encoder := find_encoder_of_language(texts)) is not None:
        parts.append(sparse.csr_array(TextEncoder(encoder).fit_transform(texts)))
    return sparse.csr_array(sparse.hstack(parts))


@dataclass(frozen=True)
class ScreeningRun:
    """One search for the relevant texts, and the check after it.

    Parameters
    ----------
    n_texts, n_relevant : int
        All texts, and those that are relevant.
    n_read, n_checked : int
        Texts read in the order of the model, and checked at random after it.
    recall : float
        Share of the relevant texts that reading and check found.
    bound : float
        What the check proves about it.
    """

    n_texts: int
    n_relevant: int
    n_read: int
    n_checked: int
    recall: float
    bound: float


def simulate_screening(
    texts: Iterable[str],
    is_relevant: Iterable[Any],
    *,
    patience: int = 50,
    recall: float = 0.95,
    certainty: float = 0.95,
    n_runs: int = 5,
    language: str = "auto",
    random_state: int = 0,
) -> list[ScreeningRun]:
    """Replay the search for rare texts whose labels are known, with a certificate of recall.

    A search begins with one relevant and one other text. A model learns from the texts that were
    read, and the ten that it holds for most relevant are read next, until ``patience`` texts in a
    row are not relevant. Then `checks_needed` of the others are drawn, read, and give the bound.

    Parameters
    ----------
    texts : iterable of str
        The texts.
    is_relevant : iterable of bool
        Whether each text is relevant.
    patience : int, default=50
        Texts without a relevant one after which the search ends.
    recall, certainty : float, default=0.95
        What the check is to prove, and how certainly.
    n_runs : int, default=5
        Number of searches, which begin with different texts.
    language : str, default="auto"
        Language of the texts.
    random_state : int, default=0
        Seed of the first run; the next runs have the next seeds.

    Examples
    --------
    >>> from honeybayes.labeling import simulate_screening
    >>> from honeybayes.tables import load_corpus
    >>> corpus = load_corpus("messages")
    >>> [run] = simulate_screening(corpus.documents, corpus.labels == "returns", n_runs=1)
    >>> run.bound <= run.recall
    True
    """
    texts, relevant = check_texts(texts, "texts"), check_labels_of_texts(list(is_relevant))
    y = np.asarray(relevant).astype(bool)
    if len(y) != len(texts) or y.all() or not y.any():
        raise ValueError(
            f"There are {len(texts)} texts, {len(y)} labels, and {int(y.sum())} are relevant. Give "
            "one label per text; some must be relevant, and some not."
        )
    check_integer("patience", patience, least=1)
    check_integer("n_runs", n_runs, least=1)
    X = ranking_features(texts, language)
    runs, n_relevant = [], int(y.sum())
    for run in range(n_runs):
        rng = np.random.default_rng(random_state + run)
        unread = _search(X, y, patience, rng)
        n_found, n_unread = n_relevant - int(y[unread].sum()), len(unread)
        n_checked = checks_needed(n_found, n_unread, recall, certainty)
        in_check = int(y[rng.choice(unread, n_checked, replace=False)].sum())
        reached = (n_found + in_check) / n_relevant
        bound = recall_bound(n_found, n_unread, n_checked, in_check, certainty)
        n_read = len(y) - n_unread
        runs.append(ScreeningRun(len(y), n_relevant, n_read, n_checked, reached, bound))
    return runs


def _search(X: Any, y: np.ndarray, patience: int, rng: np.random.Generator) -> np.ndarray:
    """Return the rows that are not read when a search ends."""
    read = [int(rng.choice(np.flatnonzero(y == each))) for each in (True, False)]
    unread, in_vain = np.setdiff1d(np.arange(len(y)), read), 0
    while len(unread) and in_vain < patience:
        known = y[read]
        weight = np.where(known, 1.0, known.sum() / (BALANCE * (~known).sum()))
        model = LinearSVC(C=PENALTY, random_state=0)
        model.fit(X[read], known, sample_weight=weight * len(known) / weight.sum())
        order = np.argsort(-model.decision_function(X[unread]), kind="stable")[:TEXTS_PER_ROUND]
        for row in unread[order]:
            in_vain = 0 if y[row] else in_vain + 1
        read += unread[order].tolist()
        unread = np.delete(unread, order)
    return unread
