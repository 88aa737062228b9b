"""Choose a model: a fixed model if there are few labels, otherwise by cross-validation."""

import warnings
from collections.abc import Sequence
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes.text import expect_dense
from honeybayes.utils.labels import check_mark, encode_labels
from honeybayes.utils.meta import InnerModelMixin, first_of_copies, fit_on_folds, shuffled_folds
from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.scores import LabeledScoreMixin
from honeybayes.utils.state import Record, State
from honeybayes.utils.tags import ModelTags, unlabeled_parameter
from honeybayes.utils.validation import (
    CountsInputMixin,
    FromOne,
    FromZero,
    check_n_dense,
    check_weights,
    validate_plain,
)
from honeybayes.zoo import make_model, models_with

SUPERVISED = "LogisticRegression-tfidf"  # best in docs/results/default.md
SEMISUPERVISED = "FewLabels"  # best with a pool of unlabeled documents
CANDIDATES = (SUPERVISED, "LinearSVC-tfidf", "ComplementNB-tfidf", "CNB", "HOS-alpha0")
ENOUGH_LABELS = 10  # per class, on average
N_REPEATS = 2
MOST_HELD_OUT = 2000  # per candidate: with many labels, a few folds are enough


@estimator
class AutoClassifier(
    InnerModelMixin, LabeledScoreMixin, CountsInputMixin, ClassifierMixin, BaseEstimator
):
    """Choose a model of the zoo for the documents, and fit it.

    `choose_model` describes how the model is chosen.

    Parameters
    ----------
    candidates : sequence of str or None, default=None
        Names of the models to compare. None uses a few fast ones.

    Attributes
    ----------
    choice_ : dict
        The name of the ``model``, the ``reason`` for the choice, and the ``accuracy`` of each
        candidate in cross-validation.
    estimator_ : estimator
        The chosen model, fitted.

    Examples
    --------
    >>> from honeybayes import AutoClassifier, TextVectorizer
    >>> from honeybayes.tables import load_corpus
    >>> corpus = load_corpus("messages")
    >>> X = TextVectorizer().fit_transform(corpus.documents[::10])
    >>> AutoClassifier().fit(X, corpus.labels[::10]).choice_["model"]
    'LogisticRegression-tfidf'
    """

    candidates: Sequence[str] | None = None
    min_df: FromOne = 1
    selector: Any = None
    unlabeled: Any = None
    n_dense: FromZero = 0

    model_tags = ModelTags(learns_from_unlabeled=True)
    fitted_attributes = State(choice_=Record())

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose a model, and fit it.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document, or ``unlabeled``.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document. Candidates that cannot use weights are left out.
        """
        self._check_parameters()
        X, y = validate_plain(self, X, y)
        check_n_dense(self.n_dense, X.shape[1])
        check_non_negative(X[:, : X.shape[1] - self.n_dense], type(self).__name__)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        classes, position = encode_labels(y, self.unlabeled)
        if len(classes) < 2:
            raise ValueError(
                f"The labels have only one class, {classes.tolist()}. Label documents of at least "
                "one other class."
            )
        labeled, mark = position >= 0, None if (position >= 0).all() else self.unlabeled
        names = ("candidates", "min_df", "n_dense", "selector")
        options = {name: getattr(self, name) for name in names}
        choice = choose_model(X, y, mark, sample_weight=sample_weight, **options)
        model = expect_dense(make_model(choice["model"]), self.n_dense)
        if mark is not None and unlabeled_parameter(model) is None:
            X, y = X[labeled], y[labeled]
            sample_weight = None if sample_weight is None else sample_weight[labeled]
        elif mark is not None:
            model.set_params(**{str(unlabeled_parameter(model)): mark})
        self._fit_inner(model, X, y, sample_weight)
        self.choice_ = choice
        return self

    @available_if(lambda self: hasattr(getattr(self, "estimator_", None), "predict_proba"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, if the chosen model has probabilities."""
        X = self._prepare(X)
        return self.estimator_.predict_proba(X)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_mark(self.unlabeled)


@described_like(AutoClassifier)
def choose_model(
    X: Any,
    y: ArrayLike,
    unlabeled: Any = None,
    *,
    candidates: Sequence[str] | None = None,
    min_df: int = 1,
    n_dense: int = 0,
    selector: Any = None,
    sample_weight: np.ndarray | None = None,
    dense_for: str | None = None,
) -> dict[str, Any]:
    """Choose a model of the zoo for some documents.

    With fewer than ten labels per class on average, differences between models are mostly due to
    chance. Then the choice is fixed: the most accurate model on other corpora. With more labels,
    the candidates are compared by five-fold cross-validation on the labeled documents, repeated
    twice (fewer folds if there are thousands of documents). The most accurate candidate is chosen
    if its accuracy is higher than the accuracy of the fixed choice by more than one standard error
    of the difference, or by more than two standard errors if there are unlabeled documents.
    Unlabeled documents are used only by models that support them. Candidates that cannot be fitted
    to these documents, or cannot use ``sample_weight`` or dense features, are left out.

    Parameters
    ----------
    X : {ndarray, csr_matrix} of shape (n_documents, n_terms)
        Counts of terms.
    y : array-like of shape (n_documents,)
        Labels, or ``unlabeled``.
    sample_weight : ndarray of shape (n_documents,), optional
        Weights for the fits.
    dense_for : str, optional
        The only model that gets the dense features. By default all do, and candidates that cannot
        use them are left out.

    Returns
    -------
    dict
        ``model``: the name of the chosen model. ``reason``: the reason as a sentence. ``accuracy``:
        the accuracy of each candidate on the held-out documents; empty if the choice was fixed.
    """
    y = np.asarray(y)
    position = encode_labels(y, unlabeled)[1]
    for name in candidates or ():
        make_model(name)  # raises ValueError if there is no such model
    names = CANDIDATES if candidates is None else candidates
    words = X[:, : X.shape[1] - n_dense]
    if n_dense and dense_for is None:
        can_use_it = models_with("takes_dense")
        names = [name for name in names if name in can_use_it]
    fixed = SUPERVISED if unlabeled is None else SEMISUPERVISED
    first = first_of_copies(words, position)  # copies prove nothing more
    different = np.unique(first[position >= 0])
    labels_per_class = len(different) / (position.max() + 1)
    if labels_per_class < ENOUGH_LABELS:
        pool = "" if unlabeled is None else " and unlabeled documents"
        reason = (
            f"{labels_per_class:.2g} labels per class are too few to compare models: {fixed} did "
            f"best on other corpora with so few{pool}"
        )
        return {"model": fixed, "reason": reason, "accuracy": {}}
    correct = {}
    options: dict[str, Any] = {"min_df": min_df, "n_dense": n_dense, "selector": selector}
    options["sample_weight"] = sample_weight
    of_words = options | {"n_dense": 0, "selector": getattr(selector, "transformer", selector)}
    for name in dict.fromkeys([fixed, *names]):
        use = (X, options) if dense_for in (None, name) else (words, of_words)
        try:
            correct[name] = _share_of_correct(name, use[0], y, position, unlabeled, **use[1])
        except ValueError as refused:
            if name == fixed or not hasattr(refused, "__notes__"):  # not by a fit without a fold
                raise
            warnings.warn(
                f"The model {name!r} was left out of the comparison: {refused} Leave it out of the "
                "candidates, or change the documents.",
                UserWarning,
                stacklevel=3,
            )
    accuracy = {name: float(np.nanmean(share)) for name, share in correct.items()}
    best = max(accuracy, key=lambda name: accuracy[name])
    lead = correct[best] - correct[fixed]
    error = np.nanstd(lead) / np.sqrt(np.isfinite(lead).sum())
    # with unlabeled documents, leaving the fixed choice can gain little and lose much
    errors, clearly = (1, "a standard error") if unlabeled is None else (2, "two standard errors")
    most = f"right most often about labeled texts that were held out ({accuracy[best]:.1%})"
    if best == fixed:
        reason = f"it was {most}"
    elif np.nanmean(lead) > errors * error:
        reason = f"it was {most}, ahead of {fixed} by more than {clearly}"
    else:
        reason = f"{best} was {most}, but ahead of {fixed} by no more than {clearly}"
        best = fixed
    return {"model": best, "reason": reason, "accuracy": accuracy}


def _share_of_correct(
    name: str,
    X: Any,
    y: np.ndarray,
    position: np.ndarray,
    unlabeled: Any,
    *,
    n_dense: int,
    sample_weight: np.ndarray | None,
    **options: Any,
) -> np.ndarray:
    """Return the share of correct predictions for each document; NaN if it is never held out."""
    model = expect_dense(make_model(name), n_dense)
    mark = unlabeled_parameter(model)
    if mark is None or unlabeled is None:
        labeled = position >= 0
        X, y, position = X[labeled], y[labeled], position[labeled]
        sample_weight = None if sample_weight is None else sample_weight[labeled]
    else:
        model.set_params(**{mark: unlabeled})
    options |= {"n_dense": n_dense, "sample_weight": sample_weight}
    times, right = np.zeros((2, len(y)))
    repeats = (shuffled_folds(position, X, seed=repeat) for repeat in range(N_REPEATS))
    fits = chain.from_iterable(fit_on_folds(model, X, y, folds, **options) for folds in repeats)
    for fitted, held_out, rows in fits:
        times[rows] += 1
        right[rows] += fitted.predict(held_out) == y[rows]
        if times.sum() >= MOST_HELD_OUT:
            break
    with np.errstate(invalid="ignore"):
        return (right / times)[position >= 0]
