"""Keep the terms that separate the classes best."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative

from honeybayes.text.term_scores import SCORES, ScoreFunction
from honeybayes.utils.labels import is_unlabeled
from honeybayes.utils.matrices import check_format
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Integer, State
from honeybayes.utils.validation import CountsInputMixin, FromOne, validate_plain


@estimator
class TermSelector(CountsInputMixin, SelectorMixin, BaseEstimator):
    """Keep the terms with the best scores.

    The scores are computed from the documents passed to ``fit``. In a cross-validated pipeline,
    terms are selected from the training part of each split only.

    Parameters
    ----------
    score_func : {"information-gain", "gain-ratio", "symmetrical-uncertainty", "chi-square", \
            "weka-gain"} or callable, default="information-gain"
        Score that ranks the terms, see `honeybayes.text.term_scores`. "weka-gain" is the one of
        WEKA, which looks at counts; the others look at presence. A callable takes ``X`` and ``y``
        and returns one number per term; higher is better.
    n_terms : int, default=2000
        Number of terms to keep. If there are fewer terms, all are kept. If scores are equal, the
        earlier column is kept.
    unlabeled : label, default=None
        The value of y that marks documents without a label, which are ignored; None if there is no
        such mark.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Score of each term.

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

    score_func: ScoreFunction = "information-gain"
    n_terms: FromOne = 2000
    unlabeled: Any = None

    fitted_attributes = State(scores_=Array(("features",)), _n_terms=Integer(1))

    def fit(self, X: Any, y: Any) -> Self:
        """Score every term."""
        self._check_parameters()
        X, y = validate_plain(self, X, y)
        check_non_negative(X, type(self).__name__)
        check_classification_targets(y)
        if self.unlabeled is not None:
            labeled = ~is_unlabeled(y, self.unlabeled)
            X, y = X[labeled], y[labeled]
        score = self.score_func if callable(self.score_func) else SCORES[self.score_func]
        scores = np.asarray(score(X, y), dtype=np.float64)
        if scores.shape != (X.shape[1],):
            each = f"one number for each of the {X.shape[1]} terms"
            raise ValueError(f"score_func must return {each}; it returned shape {scores.shape}.")
        self.scores_: NDArray[np.float64] = scores
        self._n_terms = self.n_terms
        return self

    def transform(self, X: Any) -> Any:
        """Keep the columns of the selected terms.

        Returns
        -------
        {ndarray, csr_matrix} of shape (n_samples, n_selected)
        """
        check_format(X)
        return super().transform(X)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        best_first = np.argsort(-self.scores_, kind="stable")
        mask = np.zeros(len(self.scores_), dtype=np.bool_)
        mask[best_first[: self._n_terms]] = True
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
