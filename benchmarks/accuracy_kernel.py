"""Rerun the experiments with the semantic kernel and with latent neighbors, and compare.

    python -m benchmarks.accuracy_kernel [--trials 8] [--seed 0]

The cells to run, with the published accuracy where there is one, are the rows of
docs/reproduction/kernel_published.csv. Every finished trial is written to kernel.jsonl beside it at
once, so that an interrupted run goes on where it stopped; kernel.md is the page. Documents, splits
and trials are those of ``benchmarks.accuracy_bernoulli``.
"""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC

from benchmarks.accuracy_bernoulli import rerun
from honeybayes import SemanticSVC, make_model
from honeybayes.vectors.semantic_svc import scaled_penalty


class TimesScale(SemanticSVC):
    """The rule for C, times a factor."""

    def __init__(self, factor: float = 1.0) -> None:
        super().__init__()
        self.factor = factor

    def _penalty(self, features: np.ndarray) -> float:
        return self.factor * scaled_penalty(features)


class CrossValidated(SemanticSVC):
    """The rule for C, times the best factor in five folds of the training part; ties: smallest."""

    def __init__(self) -> None:
        super().__init__()

    def _fit_model(self, features: np.ndarray, y: Any) -> None:
        folds = min(5, np.unique(y, return_counts=True)[1].min())
        grid = {"C": [10.0**e * scaled_penalty(features) for e in (-2, -1, 0, 1, 2)]}
        splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
        self.model_ = GridSearchCV(SVC(kernel="linear"), grid, cv=splitter).fit(features, y)
        self.C_ = self.model_.best_params_["C"]


MODELS: dict[str, ClassifierMixin] = {
    **{
        name: make_model(name)
        for name in ("SMO-linear", "SMO-polynomial", "SMO-RBF", "SMO-N-IHOSK", "LSI kNN")
    },
    **{
        f"{name}, from 0 to 1": make_pipeline(MaxAbsScaler(), make_model(name))
        for name in ("SMO-linear", "SMO-polynomial", "SMO-RBF")
    },
    "N-IHOSK, C = 1": SemanticSVC(C=1.0),
    "N-IHOSK, C = 10,000": SemanticSVC(C=1e4),
    "N-IHOSK, a tenth of C": TimesScale(0.1),
    "N-IHOSK, ten times C": TimesScale(10.0),
    "N-IHOSK, C by cross-validation": CrossValidated(),
    "N-IHOSK, C by training accuracy": SemanticSVC(C="training-accuracy"),
    "N-IHOSK, 1 iteration": SemanticSVC(1),
    "N-IHOSK, 3 iterations": SemanticSVC(3),
    "N-IHOSK, unit diagonal": SemanticSVC(unit_diagonal=True),
    "IHOSK": SemanticSVC(normalize=None),
}

PAPERS = {
    "honb-tkde": "Ganiz and others, Higher Order Naive Bayes (TKDE), Table 2",
    "ihosk-2014": "Altinel, Ganiz, Diri (2014), Tables 4 and 5",
}

INTRODUCTION = """\
# The semantic kernel and latent neighbors beside the papers

Written by `python -m benchmarks.accuracy_kernel`; do not edit by hand. Accuracy in percent, mean
and standard deviation of {trials} trials, seed {seed}.

**protocol="paper"**: as in the papers, information gain chose the 2,000 terms from *all*
documents, so the selection saw the labels of the test documents. These numbers serve to compare
with the published ones and flatter every model. Do not expect them on new documents.

- `honb-tkde`: presence of terms; documents, splits and trials are those of the
  [Bernoulli family](bernoulli.md).
- `ihosk-2014`: counts of terms; 500 documents of each newsgroup drawn first, then 2,000 terms
  chosen; floor(p n) of the n documents of each class train, the rest test; all terms stay. Citeseer
  and Cora are not in that paper: presence of terms, as published.
- **SMO-N-IHOSK** is `SemanticSVC()` with its rule for C, 5 divided by the median squared distance
  of the training documents from their mean in the space of the kernel. It looks at the training
  part alone. The factor 5 is one number for all corpora and sizes; it was chosen among 1, 2, 3, 5,
  10 and 20 by looking at such tables, and 3 to 10 differ little.
- The paper's own C, chosen for the linear kernel, is 1 on SCIENCE ("C = 1") and 0.1 on POLITICS:
  too small for a kernel whose values are near 0.01. The other rows show the effect of C: a number
  for all sizes, a tenth and ten times the rule, the best of 0.01 to 100 times the rule in
  five folds of the training part, and the smallest of 0.0001 to 10,000 with the best accuracy
  on the training part, which fits too closely.
- The rivals: the paper gives neither the degree of the polynomial kernel nor gamma of the RBF
  kernel; degree 2 without lower terms and gamma 0.01 are taken, and C = 1. "from 0 to 1" divides
  each term by its largest count among the training documents first, as WEKA's SMO does unless it
  is told not to; it is closer to the table in most cells, and the paper does not say.
"""


if __name__ == "__main__":
    rerun("kernel", MODELS, PAPERS, INTRODUCTION, __doc__)
