"""Every model gives the answers that it gave when they were recorded.

A change of structure must not change an answer. Processors add up in different orders, so numbers
may differ in the last digits: see `TOLERANCE`.

Record anew, after a change that is meant to change answers:

    python -m tests.test_recorded_answers
"""

import gzip
import hashlib
import json
import os
import sys
import warnings
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from honeybayes import (
    HigherOrderNB,
    HigherOrderTransformer,
    IterativeHigherOrderKernel,
    TextClassifier,
    explain_decision,
    explain_word,
    list_models,
    make_model,
    telling_words,
)
from honeybayes.paths import count_label_paths, count_paths
from honeybayes.tables import load_corpus, read_corpus
from tests.estimators import implementations

FILE = Path(__file__).parent / "recorded" / "answers.json.gz"
# A sum of n terms differs by about n times 1e-16 of the largest term when it is computed in another
# order; 1e-9 leaves room for the steps of a solver, and is far below what a changed formula does.
TOLERANCE = 1e-9
# FewLabels regresses in single precision and stops at a gradient of 1e-4, and so does liblinear in
# NBSVM. Processors, and versions of scikit-learn, reach it at slightly different points.
SOLVED = 2e-3
SCORES = ("predict_joint_log_proba", "decision_function", "predict_proba")
COUNTS = ("feature_count_", "class_count_", "path_count_", "total_paths_", "label_path_count_")
CORPORA = {"1150haber": "turkish", "webkb4-stemmed": "english"}
TEXT_SETTINGS: dict[str, dict[str, Any]] = {
    "auto": {"model": "auto"},
    "raw": {"model": "MNB", "calibrate": None},
    "few terms": {"model": "CNB", "n_terms": 60},
    "min_df": {"model": "LogisticRegression-tfidf", "min_df": 2},
    "few terms, frequent": {"model": "HOS", "n_terms": 80, "min_df": 2},
    "words": {"model": "HONB", "stem": False, "stop_words": False},
    "own stop words": {"model": "NB", "stop_words": ["the", "a", "to"]},
}


def small_counts(n_classes: int) -> tuple[sparse.csr_array, np.ndarray, sparse.csr_array]:
    rng = np.random.default_rng(7)
    y = rng.integers(n_classes, size=36)
    topics = rng.dirichlet(np.full(15, 0.4), size=n_classes)
    X = np.array([rng.multinomial(rng.integers(4, 12), topics[label]) for label in y])
    return sparse.csr_array(X[:28]), np.array(["a", "b", "c"])[y[:28]], sparse.csr_array(X[28:])


def texts_of(name: str) -> tuple[list[str], list[str], list[str]]:
    """Training texts, their labels, and new texts."""
    if name == "messages":
        corpus, step, n_new = load_corpus("messages"), 6, 20
    else:
        corpus, n_new = read_corpus(data_folder() / f"{name}.jsonl.gz", keep_blank=True), 15
        step = len(corpus.documents) // 90
    texts, labels = list(corpus.documents), [str(label) for label in corpus.labels]
    return texts[::step], labels[::step], texts[1::step][:n_new]


def data_folder() -> Path:
    return Path(os.environ.get("HONEYBAYES_DATA") or Path(__file__).parents[2] / "shared/datasets")


def answers(model: Any, X: Any) -> dict[str, Any]:
    found = {"predict": model.predict(X)}
    for method in ("predict_proba", "predict_joint_log_proba", "decision_function"):
        if hasattr(model, method):
            found[method] = getattr(model, method)(X)
    for name in COUNTS:
        if hasattr(model, name):
            found[name] = getattr(model, name)
    return found


def explanations(model: Any, document: Any) -> dict[str, Any]:
    try:
        explanation = explain_decision(model, document).to_dict()
    except ValueError:  # its score is not a sum over terms
        explanation = {}
    try:
        words = telling_words(model, 3)
    except ValueError:
        words = {}
    return {"explanation": explanation, "telling words": words}


def without_parents(found: dict[str, Any]) -> dict[str, Any]:
    for word in found["explanation"].get("contributions", ()):
        del word["parents"]
    return found


def digest(words: Any) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def count_cases() -> dict[str, tuple[str, int]]:
    return {f"{name}, {n} classes": (name, n) for name in list_models() for n in (2, 3)}


def of_counts(case: str) -> dict[str, Any]:
    name, n_classes = count_cases()[case]
    X, y, new = small_counts(n_classes)
    model = make_model(name).fit(X, y)
    return {**answers(model, new), **explanations(model, new[[0]])}


def of_texts(model: str, corpus: str = "messages") -> dict[str, Any]:
    training, labels, new = texts_of(corpus)
    settings = TEXT_SETTINGS.get(
        model, {"model": model, "language": CORPORA.get(corpus, "english")}
    )
    classifier = TextClassifier(**settings).fit(training, labels)
    return {
        **answers(classifier, new),
        **without_parents(explanations(classifier, new[0])),
        "terms": digest(classifier.terms_),
        "spellings": digest(classifier.spellings_),
        "temperature": [classifier.temperature_, classifier.n_held_out_],
        "choice": classifier.choice_,
    }


def of_pool(model: str) -> dict[str, Any]:
    corpus = load_corpus("messages")
    texts, labels = list(corpus.documents), list(corpus.labels)
    classifier = TextClassifier(model).fit(texts[::12], labels[::12], pool=texts[1::4])
    return {**answers(classifier, texts[2::40]), "terms": digest(classifier.terms_)}


def of_batches(model: str) -> dict[str, Any]:
    training, labels, new = texts_of("messages")
    classifier = TextClassifier(model).partial_fit(training[:40], labels[:40], sorted({*labels}))
    classifier.partial_fit(training[40:], labels[40:])
    return {**answers(classifier, new), "spellings": digest(classifier.spellings_)}


def of_paths(order: str) -> dict[str, Any]:
    X, y, _ = small_counts(3)
    counts = [count_paths(X, int(order)), count_paths(X[:8], int(order))]
    if order == "2":
        counts += [count_paths(X, 2, True)]
    found = {"counts": [[count.per_term, str(count.total)] for count in counts]}
    if order == "2":
        found["label paths"] = count_label_paths(X, y)
        model = HigherOrderNB().fit(X, y)
        found["word"] = explain_word(model, "x3", "a", documents=X, labels=y).to_dict()
    return found


def of_transformers(name: str) -> dict[str, Any]:
    X, y, new = small_counts(2)
    if name == "HigherOrderTransformer":
        transformed = HigherOrderTransformer().fit(X, y).transform(new)
    else:
        transformed = IterativeHigherOrderKernel().fit(X).transform(new)
    return {"transform": transformed.toarray() if sparse.issparse(transformed) else transformed}


def cases() -> Iterator[tuple[str, Any, str]]:
    """Kind of the case, function, argument."""
    yield from (("counts", of_counts, case) for case in count_cases())
    yield from (("texts", of_texts, name) for name in [*implementations(), *TEXT_SETTINGS])
    yield from (("pool", of_pool, name) for name in ("FewLabels", "HOS", "auto"))
    yield from (("batches", of_batches, name) for name in ("NB", "MVNB+JM", "CNB"))
    yield from (("paths", of_paths, order) for order in "123")
    names = ("HigherOrderTransformer", "IterativeHigherOrderKernel")
    yield from (("transformers", of_transformers, name) for name in names)
    for name in implementations():  # each has one of the corpora
        yield [*CORPORA][zlib.crc32(name.encode()) % len(CORPORA)], of_texts, name


def compute(kind: str, function: Any, argument: str) -> Any:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        found = function(argument, kind) if kind in CORPORA else function(argument)
    return json.loads(json.dumps(plain(found)))


def plain(value: Any) -> Any:
    """Return the same in types that JSON knows, floats without loss."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


@cache
def recorded() -> dict[str, Any]:
    return json.loads(gzip.decompress(FILE.read_bytes()))


def assert_same(found: Any, expected: Any, tolerance: float, where: str) -> None:
    """Compare recorded values; numbers of one list with a tolerance for the largest of them."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for key, part in expected.items():
            if key == "predict":
                assert_same_classes(found[key], part, expected, tolerance, where)
            else:
                assert_same(found[key], part, tolerance, f"{where}, {key}")
    elif is_numeric(expected):
        array = np.asarray(expected, dtype=float)
        # a number near zero is the difference of larger ones
        largest = np.abs(array[np.isfinite(array)]).max(initial=1)
        np.testing.assert_allclose(
            np.asarray(found, dtype=float),
            array,
            rtol=tolerance,
            atol=tolerance * largest,
            err_msg=where,
        )
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for position, part in enumerate(expected):
            assert_same(found[position], part, tolerance, f"{where}[{position}]")
    else:
        assert found == expected, where


def is_numeric(value: Any) -> bool:
    """Return True for a number that is not whole, and for a list of numbers with one of these."""
    numbers = np.asarray(value, dtype=object).ravel().tolist() if isinstance(value, list) else value
    if isinstance(numbers, float):
        return True
    return (
        isinstance(numbers, list)
        and all(isinstance(each, float | int) for each in numbers)
        and any(isinstance(each, float) for each in numbers)
    )


def assert_same_classes(
    found: list, expected: list, answers: dict, tolerance: float, where: str
) -> None:
    """A class may be another one only where its score is as high, within the tolerance."""
    assert len(found) == len(expected), where
    differing = [at for at, label in enumerate(expected) if found[at] != label]
    if differing:
        method = next(each for each in SCORES if each in answers)
        scores = np.sort(
            np.asarray(answers[method], dtype=float)[differing].reshape(len(differing), -1)
        )
        margins = scores[:, -1] - scores[:, -2] if scores.shape[1] > 1 else np.abs(scores[:, 0])
        assert (margins <= tolerance * np.abs(scores).max()).all(), f"{where}, predict {differing}"


@pytest.mark.parametrize(
    ("kind", "function", "argument"), [pytest.param(*c, id=f"{c[0]}: {c[2]}") for c in cases()]
)
def test_answers_are_those_recorded(kind, function, argument):
    if kind in CORPORA and not (data_folder() / f"{kind}.jsonl.gz").exists():
        pytest.skip(f"{kind}.jsonl.gz is not in HONEYBAYES_DATA")
    expected = recorded()["answers"][kind][argument]
    found = compute(kind, function, argument)
    is_solved = argument.startswith(("FewLabels", "NBSVM")) or (kind, argument) == ("pool", "auto")
    assert_same(found, expected, SOLVED if is_solved else TOLERANCE, f"{kind}, {argument}")


if __name__ == "__main__":
    # python -m tests.test_recorded_answers [word ...] records only cases whose name has a word
    os.environ["HONEYBAYES_ENCODER"] = "none"
    words = sys.argv[1:] or [""]
    found: dict[str, Any] = recorded()["answers"] if sys.argv[1:] else {}
    for kind, function, argument in cases():
        if any(word in f"{kind}: {argument}" for word in words):
            found.setdefault(kind, {})[argument] = compute(kind, function, argument)
            print(kind, argument)
    content = json.dumps({"answers": found}).encode()
    FILE.write_bytes(gzip.compress(content, mtime=0))
