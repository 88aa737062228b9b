"""Rerun the papers' experiments with the learners in vector spaces, and compare.

    python -m benchmarks.accuracy_vectors [--trials 8] [--seed 0]

The cells to run, with the published accuracy and the bar where there is one, are the rows of
docs/reproduction/vectors_published.csv. Every finished trial is written to vectors.jsonl beside it
at once, so that an interrupted run goes on where it stopped; vectors.md is the page. Documents,
splits and trials are those of ``benchmarks.accuracy_bernoulli``.
"""

from typing import Any

from sklearn.base import ClassifierMixin
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from benchmarks.accuracy_bernoulli import rerun
from honeybayes import HigherOrderSVC, HigherOrderTransformer, TunedSVC, make_model
from honeybayes.vectors._penalized_svc import BasePenalizedSVC
from honeybayes.vectors._penalty import CS_OF_THE_PAPERS


class OneCForAllPairs(BasePenalizedSVC):
    """HOSVM in the other reading: the rule looks at the votes of all pairs together."""

    C, Cs = "training-accuracy", CS_OF_THE_PAPERS

    def __init__(self, estimates: str = "higher-order") -> None:
        self.estimates = estimates

    def _features(self, X: Any) -> Any:
        return X

    def _learner(self, C: float) -> OneVsOneClassifier:
        transformer = HigherOrderTransformer(estimates=self.estimates, absent="shifted")
        return OneVsOneClassifier(make_pipeline(transformer, SVC(kernel="linear", C=C)))


MODELS: dict[str, ClassifierMixin] = {
    "SVM": make_model("SVM"),
    "HOSVM": make_model("HOSVM"),
    "NBSVM": make_model("NBSVM"),
    "SVM, one C": TunedSVC(binarize=0.0),
    "HOSVM, one C": OneCForAllPairs(),
    "NBSVM, one C": OneCForAllPairs("first-order"),
    "HOSVM, no square roots": HigherOrderSVC(normalize=False),
}

PAPERS = {"honb-2009": "Ganiz, Lytkin, Pottenger (2009), Tables 2 and 5"}

INTRODUCTION = """\
# Learners in vector spaces beside the papers

Written by `python -m benchmarks.accuracy_vectors`; do not edit by hand. Accuracy in percent, mean
and standard deviation of {trials} trials, seed {seed}.

**protocol="paper"**: as in the papers, information gain chose the 2,000 terms from *all*
documents, so the selection saw the labels of the test documents. These numbers serve to compare
with the published ones and flatter every model. Do not expect them on new documents.

- Text, documents, splits and trials are those of the [Bernoulli family](bernoulli.md): 500
  documents of each newsgroup, all of Citeseer and Cora; 5 % of each class train; terms that are in
  no training document are dropped on each trial.
- SVM is a linear SVC on the presence of terms, HOSVM and NBSVM a linear SVC on the vectors of
  `HigherOrderTransformer`, from paths and from documents. All three vote one against one.
- C is the smallest of 0.0001, 0.001, ..., 10,000 with the best accuracy on the *training* part.
  The paper does not say whether each pair of classes has its own C. "SVM", "HOSVM" and "NBSVM"
  take it so; "one C" takes the same for all pairs, by the accuracy of the vote. The first reading
  is what the estimators do. It was chosen by looking at the published accuracies with seed 0,
  where it is the nearer one, above all on COMP with its five classes. Seeds 1 and 2 were run
  afterwards, on the newsgroups (`--seed 1`; the trials are in vectors.jsonl): there the two are
  about equally near. Of the twelve means of three seeds within the bar: SVM 11, HOSVM 12; "one C"
  10 and 10. SVM misses POLITICS with seed 2 by half a point, 78.8 against 76.3. So the paper's
  table does not settle the reading, but a C for each pair is more accurate (SVM 70.2 and HOSVM
  73.6 on average, against 69.3 and 72.0 with one C).
- "no square roots" leaves out the normalizing factors of Eq. 12; the paper says in a note that
  this costs a little, without numbers.
"""


if __name__ == "__main__":
    rerun("vectors", MODELS, PAPERS, INTRODUCTION, __doc__)
