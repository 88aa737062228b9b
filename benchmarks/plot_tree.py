"""Draw the decision tree of the guide from the bundled messages.

    python -m benchmarks.plot_tree

Requires matplotlib (the extra ``report``).
"""

from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.pictures import make_svg_repeatable, save_picture
from honeybayes import TreeNB
from honeybayes.tables import load_corpus


def main() -> None:
    make_svg_repeatable()
    messages = load_corpus("messages")
    vectorizer = CountVectorizer(stop_words="english")
    X = vectorizer.fit_transform(messages.documents)
    tree = TreeNB(min_share=0.87).fit(X, messages.labels)
    axes = tree.plot(feature_names=vectorizer.get_feature_names_out())
    save_picture(axes.figure, "messages-tree")


if __name__ == "__main__":
    main()
