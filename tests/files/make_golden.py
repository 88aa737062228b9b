"""Write the golden model files, which every later version must be able to load.

Do this once per format, or when a model changes its attributes before the first release:

    python -m tests.files.make_golden
"""

import json
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from honeybayes import (
    FewLabelsClassifier,
    HiddenNB,
    HigherOrderSVC,
    SemanticSVC,
    TextClassifier,
    TreeNB,
    save_model,
)
from honeybayes.text import TermSelector, TextAnalyzer
from tests.estimators import COUNTS, LABELS, TEXTS, Y

GOLDEN = Path(__file__).parent / "golden"
ANSWERS = GOLDEN / "answers.json"
NEW_TEXTS = [*TEXTS, "", "a stone in the sea", "words never seen"]


def fitted_models() -> dict[str, Any]:
    """Fit a few small models of different kinds, by name of the file."""
    terms = CountVectorizer(analyzer=TextAnalyzer())
    return {
        "few-labels": TextClassifier(FewLabelsClassifier(unlabeled="?"), encoder=None).fit(
            TEXTS, LABELS, pool=["sea sand", "hills"]
        ),
        "honb": TextClassifier("HONB", n_terms=6).fit(TEXTS * 2, [*LABELS, *LABELS]),
        "digests": TextClassifier("CNB").fit(TEXTS, LABELS),  # honb and few-labels have none
        "scikit-learn": make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(TEXTS, LABELS),
        "hidden": make_pipeline(terms, TermSelector(n_terms=8), HiddenNB()).fit(TEXTS, LABELS),
        "tree": TreeNB(min_share=0.1, rule="one-vs-rest").fit(COUNTS, Y),
        "higher-order-svc": HigherOrderSVC(C=1.0).fit(COUNTS, Y > 1),
        "against-rest": HigherOrderSVC(C=1.0, kernel="rbf", multiclass="one-vs-rest").fit(
            COUNTS, Y
        ),
        "semantic-svc": SemanticSVC().fit(COUNTS, Y),
    }


def answers(model: Any) -> dict[str, Any]:
    """Ask a model for everything that it can predict."""
    documents = COUNTS if hasattr(model, "n_features_in_") else NEW_TEXTS
    methods = ("predict", "predict_proba", "decision_function")
    return {
        name: getattr(model, name)(documents).tolist() for name in methods if hasattr(model, name)
    }


def main() -> None:
    """Write the files and the answers of the models."""
    models = fitted_models()
    for name, model in models.items():
        save_model(model, GOLDEN / f"{name}.hb")
    found = {name: answers(model) for name, model in models.items()}
    ANSWERS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
