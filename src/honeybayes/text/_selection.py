"""Keep the terms that tell the classes apart."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from honeybayes.term_scores import SCORES
from honeybayes.utils.state import Array, State


class TermSelector(SelectorMixin, BaseEstimator):
    """Keep the terms with the best scores.

    The scores come from the documents given to ``fit``. Put the selector in a pipeline and every
    split of a cross-validation selects from its training part alone.

    Parameters
    ----------
    score_func : {"information-gain", "gain-ratio", "symmetrical-uncertainty", "chi-square"} or \
            callable, default="information-gain"
        What to rank terms by. A callable takes ``X`` and ``y`` and returns one number for each
        term, where more is better.
    n_terms : int, default=2000
        How many terms to keep. With fewer terms in the data, all are kept. Of equal scores the
        earlier column wins.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Score of each term.
    n_features_in_ : int
        Number of terms seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, where ``X`` has names that are all strings.

    See Also
    --------
    honeybayes.term_scores : The scores as plain functions.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from honeybayes.text import TermSelector
    >>> texts = ["cheap pills cheap", "lunch today", "pills today cheap", "lunch with pills"]
    >>> y = ["spam", "ham", "spam", "ham"]
    >>> vectorizer = CountVectorizer().fit(texts)
    >>> selector = TermSelector(n_terms=2).fit(vectorizer.transform(texts), y)
    >>> selector.get_feature_names_out(vectorizer.get_feature_names_out())
    array(['cheap', 'lunch'], dtype=object)
    """

    def __init__(
        self,
        score_func: str | Callable[[Any, Any], Any] = "information-gain",
        n_terms: int = 2000,
    ) -> None:
        self.score_func = score_func
        self.n_terms = n_terms

    fitted_attributes = State(scores_=Array(("features",)))

    def _check_parameters(self) -> None:
        self._score_function()
        if not isinstance(self.n_terms, Integral) or self.n_terms < 1:
            raise ValueError(f"n_terms must be an integer of 1 or more, got {self.n_terms!r}.")

    def fit(self, X: Any, y: Any) -> Self:
        """Score every term.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Counts of terms.
        y : array-like of shape (n_documents,)
            The class of each document.

        Returns
        -------
        TermSelector
            This object.
        """
        self._check_parameters()
        score = self._score_function()
        X, y = validate_data(self, X, y, accept_sparse="csr")
        check_non_negative(X, type(self).__name__)
        check_classification_targets(y)
        scores = np.asarray(score(X, y), dtype=np.float64)
        if scores.shape != (X.shape[1],):
            raise ValueError(
                f"score_func must return one number for each of the {X.shape[1]} terms, "
                f"but it returned an array of shape {scores.shape}."
            )
        self.scores_: NDArray[np.float64] = scores
        return self

    def _score_function(self) -> Callable[[Any, Any], Any]:
        if callable(self.score_func):
            return self.score_func
        if self.score_func not in SCORES:
            raise ValueError(
                f"Unknown score_func {self.score_func!r}. "
                f"Use a callable or one of: {', '.join(SCORES)}."
            )
        return SCORES[self.score_func]

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        best_first = np.argsort(-self.scores_, kind="stable")
        mask = np.zeros(len(self.scores_), dtype=np.bool_)
        mask[best_first[: self.n_terms]] = True
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = True
        return tags
