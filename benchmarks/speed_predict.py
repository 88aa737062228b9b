"""Compare prediction and loading with scikit-learn's pipeline of tf-idf and logistic regression.

    python -m benchmarks.speed_predict [--texts 1000000]

Requires the corpus agnews-test; see CONTRIBUTING.md.
"""

import argparse
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import joblib
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.corpora import skip_if_missing
from benchmarks.measure import report, times_as_long
from honeybayes import TextClassifier, load_model, save_model
from honeybayes.data import load_corpus

MODELS = ("LogisticRegression-tfidf", "LinearSVC-tfidf", "CNB", "HONB", "FewLabels", "HCNB")
N_TRAINING, N_SINGLE, N_TERMS = 2000, 300, 50_000


def one_by_one(model: Any, texts: list[str]) -> None:
    for text in texts:
        model.predict([text])


def many_texts(texts: list[str], n_texts: int) -> list[str]:
    """Repeat texts, each time with another new word at the end."""
    letters = np.random.default_rng(0).integers(97, 123, size=(n_texts, 7), dtype=np.uint8)
    return [f"{texts[n % len(texts)]} {bytes(letters[n]).decode()}" for n in range(n_texts)]


def latency(baseline: Any, models: dict[str, Any], texts: list[str]) -> list:
    return [
        (
            f"predict one text, {name}",
            times_as_long(partial(one_by_one, model, texts), partial(one_by_one, baseline, texts)),
            "at most 0.3" if name == MODELS[0] else "",
        )
        for name, model in models.items()
    ]


def throughput(baseline: Any, model: Any, texts: list[str]) -> list:
    ratio = times_as_long(lambda: model.predict(texts), lambda: baseline.predict(texts), 1)
    return [(f"{len(texts):,} texts, texts per second on one core", 1 / ratio, "at least 2")]


def loading(labels: np.ndarray) -> list:
    """Load models with made-up words, because the corpus has too few."""
    vowels, consonants = "aeiou", "bcdfghjklmnpqrstvwxz"
    syllables = [c + v for c in consonants for v in vowels]
    words = [a + b + c for a in syllables for b in syllables[:25] for c in syllables[:20]]
    texts = [" ".join(words[start : start + 50]) for start in range(0, N_TERMS, 50)]
    labels = labels[: len(texts)]
    own = TextClassifier(stem=False, stop_words=False).fit(texts, labels)
    other = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10)).fit(texts, labels)
    assert len(own.terms_) == len(other[0].vocabulary_) == N_TERMS
    with TemporaryDirectory() as folder:
        paths = Path(folder, "own.hb"), Path(folder, "other.joblib")
        save_model(own, paths[0])
        joblib.dump(other, paths[1])
        ratio = times_as_long(lambda: load_model(paths[0]), lambda: joblib.load(paths[1]), 9)
    return [(f"load a file with {N_TERMS:,} terms / joblib.load", ratio, "at most 2")]


@skip_if_missing("agnews-test")
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=1_000_000)
    n_texts = parser.parse_known_args()[0].texts
    corpus = load_corpus("agnews-test")
    training = corpus.documents[:N_TRAINING], corpus.labels[:N_TRAINING]
    new = corpus.documents[N_TRAINING:]
    baseline = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10)).fit(*training)
    models = {name: TextClassifier(name).fit(*training) for name in MODELS}
    single = new[:N_SINGLE]
    title = "TfidfVectorizer and LogisticRegression of scikit-learn"
    report(f"Time as a multiple of {title}", latency(baseline, models, single))
    many = many_texts(new, n_texts)
    report(f"Times faster than {title}", throughput(baseline, models[MODELS[0]], many))
    report("Model files", loading(corpus.labels))


if __name__ == "__main__":
    main()
