"""Compare the count family with scikit-learn's MultinomialNB and the papers' nested loops."""

import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB

from benchmarks.corpora import skip_if_missing
from benchmarks.growth import random_texts
from benchmarks.measure import peak_bytes, report, seconds, times_as_long
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.bayes.higher_order import HigherOrderNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB
from honeybayes.bayes.structure_extended import StructureExtendedNB
from honeybayes.utils import validation
from honeybayes.utils.matrices import check_format
from reproduction.corpora import load_corpus
from tests.bayes.count_oracle import Oracle, as_documents

ORACLE_DOCUMENTS = 3
HIDDEN = {
    "HMNB": HiddenNB(rule="multinomial"),
    "HCNB": HiddenNB(rule="complement"),
    "HOVA": HiddenNB(rule="one-vs-rest", ovr_score="paper"),
}
EXTENDED = {
    "SEMNB": StructureExtendedNB(rule="multinomial"),
    "SECNB": StructureExtendedNB(rule="complement"),
    "SEOVA": StructureExtendedNB(rule="one-vs-rest"),
}


def against_multinomial(X: Any, y: np.ndarray) -> None:
    ours, theirs = CountNB().fit(X, y), MultinomialNB().fit(X, y)
    fit = times_as_long(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), 25)
    predict = times_as_long(lambda: ours.predict(X), lambda: theirs.predict(X), 25)
    rows = [("fit", fit, "at most 1.2"), ("predict", predict, "at most 1.2")]
    report("fbis: CountNB's time as a multiple of MultinomialNB's", rows)


def one_short_document() -> None:
    X = sparse.random(2000, 2**18, density=60 / 2**18, format="csr", random_state=0)
    X.data = np.ceil(3 * X.data)
    y = np.arange(2000) % 20
    short = X[:1]
    ours, theirs = CountNB().fit(X, y), MultinomialNB().fit(X, y)
    ratio = times_as_long(lambda: theirs.predict(short), lambda: ours.predict(short), 25)
    what = "2^18 terms, 20 classes: times faster than MultinomialNB"
    report("One short document", [(what, ratio, "at least 10")])


def checks_of_index_arrays() -> None:
    X, y = random_texts(20_000, 20_000, 8)
    X = sparse.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)
    rows = []
    for model in (CountNB(), SmoothedBernoulliNB(), HigherOrderNB()):
        model.fit(X, y)  # compiles
        shares = [share_of_checks(lambda m=model: m.fit(X, y)) for _ in range(15)]
        rows.append((f"{type(model).__name__}.fit", float(np.median(shares)), "below 0.03"))
    report("20,000 documents of 60 words: check of the index arrays as a share of a fit", rows)


def share_of_checks(fit: Callable[[], Any]) -> float:
    """Return the share of the CPU time of a fit that checks of index arrays take inside it."""
    taken = []

    def timed(*arguments: Any) -> None:
        start = time.process_time()
        check_format(*arguments)
        taken.append(time.process_time() - start)

    with patch.object(validation, "check_format", timed):
        start = time.process_time()
        fit()
        return sum(taken) / (time.process_time() - start)


def against_nested_loops(X: Any, y: np.ndarray) -> None:
    """Compare the time per document: the oracle on a few of median length, ours on a fold."""
    train, test = next(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    X_train, X_test = X[train], X[test]
    oracle = Oracle(X_train.toarray(), y[train])
    by_length = np.argsort(np.diff(X_test.indptr))
    middle = len(test) // 2
    some = as_documents(X_test[by_length[middle : middle + ORACLE_DOCUMENTS]].toarray())
    rows = []
    for name, model in {**HIDDEN, **EXTENDED}.items():
        model = clone(model).fit(X_train, y[train])
        scores = oracle.hidden_scores if name in HIDDEN else oracle.super_parent_scores
        start = time.perf_counter()
        for document in some:
            scores(document, model.rule, model.parent_weights_)
        slow = (time.perf_counter() - start) / len(some)
        fast = seconds(lambda m=model: m.predict(X_test)) / len(test)
        rows.append((f"{name}, times faster for one document", slow / fast, "at least 200"))
    report("fbis: prediction compared with the nested loops of the algorithms", rows)


def ten_folds(X: Any, y: np.ndarray) -> None:
    folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))

    def run(*models: Any) -> None:
        for model in models:
            for train, test in folds:
                clone(model).fit(X[train], y[train]).predict(X[test])

    rows = []
    hidden = list(HIDDEN.values())
    for what, models, repeats, bar in [
        ("HMNB, HCNB and HOVA", hidden, 5, "at most 150"),
        ("HMNB, HCNB, default one-vs-rest", [*hidden[:2], HiddenNB(rule="one-vs-rest")], 5, ""),
        ("SEMNB, SECNB and SEOVA", list(EXTENDED.values()), 1, ""),
    ]:
        ratio = times_as_long(lambda m=models: run(*m), lambda: run(CountNB()), repeats)
        rows.append((what, ratio, bar))
    report("fbis, ten folds: time as a multiple of CountNB", rows)


def memory(X: Any, y: np.ndarray) -> None:
    """Fit and predict the whole corpus in one call, which needs more memory than any fold."""
    rows = []
    for name, model in {**HIDDEN, **EXTENDED}.items():
        peak = peak_bytes(lambda m=model: clone(m).fit(X, y).predict(X))
        rows.append((f"{name}, fit and predict", peak / 2**30, "below 2"))
    report("ohscal: peak extra memory in GiB", rows)


def main() -> None:
    one_short_document()
    checks_of_index_arrays()
    with skip_if_missing("fbis"):
        fbis = load_corpus("fbis")
        against_multinomial(fbis.documents, fbis.labels)
        against_nested_loops(fbis.documents, fbis.labels)
        ten_folds(fbis.documents, fbis.labels)
    with skip_if_missing("ohscal"):
        ohscal = load_corpus("ohscal")
        memory(ohscal.documents, ohscal.labels)


if __name__ == "__main__":
    main()
