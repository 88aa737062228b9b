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
    make_model,
    telling_words,
)
from honeybayes.explain import explain_words
from reproduction.corpora import load_corpus

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
        "CNB": CountNB(rule="complement").fit(X, y),
        "HCNB": HiddenNB(rule="complement").fit(X, y),
        "SEMNB": StructureExtendedNB().fit(X, y),
        "ComplementNB-tfidf": make_model("ComplementNB-tfidf").fit(X, y),
    }

    fit = seconds(lambda: HigherOrderNB().fit(X, y), 3)
    print(f"\n20 Newsgroups, {X.shape[0]:,} documents, {X.shape[1]:,} terms")
    rows, terms = [], X[[typical]].indices.tolist()
    for name, model in (("HONB", honb), ("HOS", hos)):

        def explain_all(model: object = model) -> None:
            explain_words(model, terms, y[typical], X, y, feature_names=names)

        what = f"all {len(terms)} words of a typical document, {name}"
        rows.append((what, seconds(explain_all, 3) / fit, BAR))
    report("The paths behind words, as a multiple of HONB.fit", rows)

    rows = []
    for name, model in models.items():
        for kind, document in (("typical", typical), ("long", long)):

            def explain(model: object = model, row: object = X[[document]]) -> None:
                explain_decision(model, row, feature_names=names)

            what = f"{name}, {kind} document of {lengths[document]} words"
            rows.append((what, seconds(explain, 3) / fit, BAR))
    report("The words behind a decision, as a multiple of HONB.fit", rows)
    words = seconds(lambda: telling_words(honb, feature_names=names), 1) / fit
    report("As a multiple of HONB.fit", [("the telling words of all classes, HONB", words, "")])


if __name__ == "__main__":
    main()
