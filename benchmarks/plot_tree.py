"""Draw the decision tree of the guide from the bundled messages.

    python -m benchmarks.plot_tree

Requires matplotlib (the extra ``report``).
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes import TreeNB
from honeybayes.data import load_corpus

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "messages-tree.svg"


def main() -> None:
    plt.rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none"})
    messages = load_corpus("messages")
    vectorizer = CountVectorizer(stop_words="english")
    X = vectorizer.fit_transform(messages.documents)
    tree = TreeNB(min_share=0.87).fit(X, messages.labels)
    axes = tree.plot(feature_names=vectorizer.get_feature_names_out())
    axes.figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
