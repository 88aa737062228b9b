"""Explaining on all of 20 Newsgroups, against fitting HONB there.

    python -m benchmarks.speed_explain

Wants the corpus; see CONTRIBUTING.md.
"""

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.measure import report, seconds
from honeybayes import (
    CountNB,
    HiddenNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    StructureExtendedNB,
    explain_decision,
    explain_word,
    make_model,
    telling_words,
)
from honeybayes.data import load_corpus

BAR = "at most 5"


def main() -> None:
    try:
        corpus = load_corpus("20news-18828")
    except FileNotFoundError as error:
        print(f"\n20 Newsgroups left out: {error}")
        return
    vectorizer = CountVectorizer(token_pattern="[a-z]{2,}", min_df=3)
    X, y = vectorizer.fit_transform(corpus.documents), np.asarray(corpus.labels)
    names = vectorizer.get_feature_names_out()
    lengths = np.diff(X.indptr)
    typical, long = (int(np.argsort(lengths)[int(part * len(lengths))]) for part in (0.5, 0.99))
    honb = HigherOrderNB().fit(X, y)
    hos = HigherOrderSmoothingNB().fit(X, y)
    models = {
        "HONB": honb,
        "HOS": hos,
        "CNB": CountNB("complement").fit(X, y),
        "HCNB": HiddenNB("complement").fit(X, y),
        "SEMNB": StructureExtendedNB().fit(X, y),
        "ComplementNB-tfidf": make_model("ComplementNB-tfidf").fit(X, y),
    }

    fit = seconds(lambda: HigherOrderNB().fit(X, y), 3)
    rows = []
    for name, model in models.items():
        for kind, document in (("typical", typical), ("long", long)):
            row = X[[document]]

            def explain(model: object = model, row: object = row) -> None:
                explain_decision(model, row, feature_names=names)

            what = f"a decision of {name}, {kind} document of {lengths[document]} words"
            rows.append((what, seconds(explain, 3) / fit, BAR))
    for name, model in (("HONB", honb), ("HOS", hos)):

        def explain_words(model: object = model) -> None:
            for term in X[[typical]].indices:
                explain_word(model, int(term), y[typical], X, y, feature_names=names)

        what = f"the paths behind all {lengths[typical]} words of the typical one, {name}"
        rows.append((what, seconds(explain_words, 1) / fit, BAR))
    words = seconds(lambda: telling_words(honb, feature_names=names), 1) / fit
    rows.append(("the telling words of all classes, HONB", words, ""))
    documents, terms = X.shape
    title = f"20 Newsgroups, {documents:,} documents, {terms:,} terms: as a multiple of HONB.fit"
    report(title, rows)


if __name__ == "__main__":
    main()
