"""Measure how long explanations take, as a multiple of fitting HONB, on all of 20 Newsgroups.

    python -m benchmarks.speed_explain

Requires the corpus; see CONTRIBUTING.md.
"""

import numpy as np

from benchmarks.corpora import newsgroup_counts, skip_if_missing
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

BAR = "at most 5"


@skip_if_missing("20 Newsgroups")
def main() -> None:
    X, y, names = newsgroup_counts()
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

        what = f"all {len(terms)} terms of a typical document, {name}"
        rows.append((what, seconds(explain_all, 3) / fit, BAR))
    report("The paths behind terms, as a multiple of HONB.fit", rows)

    rows = []
    for name, model in models.items():
        for kind, document in (("typical", typical), ("long", long)):

            def explain(model: object = model, row: object = X[[document]]) -> None:
                explain_decision(model, row, feature_names=names)

            what = f"{name}, {kind} document of {lengths[document]} terms"
            rows.append((what, seconds(explain, 3) / fit, BAR))
    report("The terms behind a decision, as a multiple of HONB.fit", rows)
    words = seconds(lambda: telling_words(honb, feature_names=names), 1) / fit
    report("As a multiple of HONB.fit", [("telling_words of all classes, HONB", words, "")])


if __name__ == "__main__":
    main()
