"""Draw the pictures of docs/explain.md from the bundled messages.

    python -m benchmarks.plot_explain

Requires matplotlib (the extra ``report``).
"""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from honeybayes import HigherOrderSmoothingNB, TextClassifier, explain_decision, explain_word
from honeybayes.data import load_corpus

FOLDER = Path(__file__).parents[1] / "docs" / "images"
TEXT = "I was charged twice for the parcel that the courier never delivered, please refund me"


def save(axes: Any, name: str) -> None:
    axes.figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


def main() -> None:
    plt.rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none"})
    corpus = load_corpus("messages")
    classifier = TextClassifier("HOS").fit(corpus.documents, corpus.labels)
    save(explain_decision(classifier, TEXT).plot(), "explain-decision")

    labels = np.array(corpus.labels)
    some = np.full(len(labels), "?", dtype=labels.dtype)
    for label in np.unique(labels):
        some[np.flatnonzero(labels == label)[:10]] = label
    model = HigherOrderSmoothingNB(alpha=0, unlabeled="?")
    classifier = TextClassifier(model).fit(corpus.documents, some)
    explanation = explain_word(classifier, "login", "account access", corpus.documents, some)
    save(explanation.plot(), "explain-word")


if __name__ == "__main__":
    main()
