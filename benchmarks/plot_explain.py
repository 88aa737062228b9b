"""Draw the pictures of docs/explain.md from the bundled messages.

    python -m benchmarks.plot_explain

Requires matplotlib (the extra ``report``).
"""

import numpy as np

from benchmarks.pictures import make_svg_repeatable, save_picture
from honeybayes import HigherOrderSmoothingNB, TextClassifier, explain_decision, explain_word
from honeybayes.tables import load_corpus

TEXT = "I was charged twice for the parcel that the courier never delivered, please refund me"


def main() -> None:
    make_svg_repeatable()
    corpus = load_corpus("messages")
    classifier = TextClassifier("HOS").fit(corpus.documents, corpus.labels)
    save_picture(explain_decision(classifier, TEXT).plot().figure, "explain-decision")

    labels = np.array(corpus.labels)
    some = np.full(len(labels), "?", dtype=labels.dtype)
    for label in np.unique(labels):
        some[np.flatnonzero(labels == label)[:10]] = label
    model = HigherOrderSmoothingNB(alpha=0, unlabeled="?")
    classifier = TextClassifier(model).fit(corpus.documents, some)
    explanation = explain_word(classifier, "login", "account access", corpus.documents, some)
    save_picture(explanation.plot().figure, "explain-word")


if __name__ == "__main__":
    main()
