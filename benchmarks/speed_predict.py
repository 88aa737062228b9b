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
from honeybayes.tables import load_corpus

MODELS = ("LogisticRegression-tfidf", "LinearSVC-tfidf", "CNB", "HONB", "FewLabels", "HCNB")
N_TRAINING, N_SINGLE, N_TERMS = 2000, 300, 50_000


def one_by_one(model: Any, texts: list[str]) -> None:
    for text in texts:
        model.predict([text])


def many_texts(texts: list[str], n_texts: int, every: int) -> list[str]:
    """Repeat texts; one in ``every`` texts gets a made-up word that no other text has."""
    letters = np.random.default_rng(0).integers(97, 123, size=(n_texts, 7), dtype=np.uint8)
    words = (bytes(row).decode() if n % every == 0 else "" for n, row in enumerate(letters))
    return [f"{texts[n % len(texts)]} {word}" for n, word in enumerate(words)]


def latency(baseline: Any, models: dict[str, Any], texts: list[str]) -> list:
    return [
        (
            f"predict one text, {name}",
            times_as_long(partial(one_by_one, model, texts), partial(one_by_one, baseline, texts)),
            "at most 0.3" if name == MODELS[0] else "",
        )
        for name, model in models.items()
    ]


def throughput(baseline: Any, model: Any, texts: list[str], n_texts: int) -> list:
    """Predict with one core. A word that was never seen costs a stem, so their share matters."""
    rows = []
    # By the growth of its vocabulary (n ** 0.49), a million texts of this corpus would have 0.21
    # new words per text.
    for every, bar in ((4, "at least 2"), (1, "")):
        many = many_texts(texts, n_texts, every)
        ratio = times_as_long(partial(model.predict, many), partial(baseline.predict, many), 1)
        rows.append((f"{n_texts:,} texts, {1 / every:g} new words per text", 1 / ratio, bar))
    return rows


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
        dumped = Path(folder, "other.joblib")
        joblib.dump(other, dumped)
        rows = []
        for name, model in (("TextClassifier", own), ("pipeline of scikit-learn", other)):
            path = Path(folder, f"{name}.hb")
            save_model(model, path)
            ratio = times_as_long(partial(load_model, path), partial(joblib.load, dumped), 9)
            rows.append((f"load a {name} with {N_TERMS:,} terms / joblib.load", ratio, "at most 2"))
    return rows


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
    rows = throughput(baseline, models[MODELS[0]], new, n_texts)
    report(f"Times faster than {title}, on one core", rows)
    report("Model files", loading(corpus.labels))


if __name__ == "__main__":
    main()
