"""Whether answers above a threshold are right as often as `find_threshold` promises.

A model learns from random labels, ``find_threshold`` chooses a threshold by the texts that ``fit``
held out, and other texts show how many answers above it are right. "confidence alone" is the rule
without the check that the held-out answers above the threshold were right often enough. "right" is
the share of all answered texts, over all draws; "none" the share of draws without an answer.

Run it: ``python -m benchmarks.thresholds`` (two minutes of one core).
"""

import argparse
import warnings

import numpy as np
from scipy.special import expit, logit

from benchmarks.corpora import skip_if_missing
from honeybayes import TextClassifier
from honeybayes.coverage import THRESHOLDS
from honeybayes.data import Corpus, load_corpus

CORPORA = ("messages", "mailbox", "agnews-test")
MODELS = ("LogisticRegression-tfidf", "FewLabels")
SIZES = (100, 250)
MOST_TESTED = 2000
N_POOL = 600


def threshold_by_confidence(classifier: TextClassifier, target: float) -> float | None:
    """Return the lowest threshold whose mean confidence, matched to held-out texts, is enough."""
    confidence, of_label = classifier.held_out_.astype(float).T
    log_odds = logit(np.clip(confidence, 1e-6, 1 - 1e-6))
    accuracy = ((of_label >= confidence).sum() + 1) / (len(confidence) + 2)
    offsets = np.linspace(-10, 10, 4001)
    means = np.array([expit(log_odds + each).mean() for each in offsets])
    matched = expit(log_odds + offsets[np.abs(means - accuracy).argmin()])
    for each in THRESHOLDS:
        above = confidence >= each
        if above.any() and matched[above].mean() >= target:
            return float(each)
    return None


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", default=CORPORA)
    parser.add_argument("--target", type=float, default=0.9)
    parser.add_argument("--draws", type=int, default=8)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rules = ("confidence alone", "with the check")
    heads = [f"{rule}: {what}" for rule in rules for what in ("right", "answered", "none")]
    print("| corpus | model | " + " | ".join(heads) + " |\n" + "| --- " * 8 + "|")
    for name in options.corpora:
        with skip_if_missing(name):
            corpus = load_corpus(name)
            rows = np.flatnonzero(corpus.labels != "")
            for model in MODELS:
                found = [
                    one_draw(
                        corpus,
                        np.random.default_rng(draw).permutation(rows),
                        size,
                        model,
                        options.target,
                    )
                    for size in SIZES
                    for draw in range(options.draws)
                ]
                cells = []
                for right, answered in np.transpose(found, (1, 2, 0)):
                    of_answered = np.nansum(right * answered) / max(answered.sum(), 1e-9)
                    cells += [of_answered, answered.mean(), np.isnan(right).mean()]
                print(
                    f"| {name} | {model} | " + " | ".join(f"{100 * c:.1f}" for c in cells) + " |",
                    flush=True,
                )


def one_draw(
    corpus: Corpus, order: np.ndarray, size: int, model: str, target: float
) -> list[tuple[float, float]]:
    """Return the share of right answers, NaN without an answer, and of answers, for each rule."""
    train, test = order[:size], order[size : size + MOST_TESTED]
    texts = [corpus.documents[row] for row in test]
    classifier = TextClassifier(model)
    pool = texts[:N_POOL] if model == "FewLabels" else None
    classifier.fit([corpus.documents[row] for row in train], corpus.labels[train], pool=pool)
    proba = classifier.predict_proba(texts)
    confidence = proba.max(axis=1)
    is_right = classifier.classes_[proba.argmax(axis=1)] == corpus.labels[test]
    found = []
    for threshold in (
        threshold_by_confidence(classifier, target),
        classifier.find_threshold(target).threshold,
    ):
        answered = confidence >= (2.0 if threshold is None else threshold)
        right = is_right[answered].mean() if answered.any() else np.nan
        found.append((float(right), float(answered.mean())))
    return found


if __name__ == "__main__":
    main()
