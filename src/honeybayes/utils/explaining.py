"""What an estimator tells about one decision.

An estimator whose score is a sum over the terms of a document has a method

    decompose_scores(X, columns) -> ScoreParts

where ``X`` holds one document as ``predict`` takes it, and ``columns`` are the positions of the
classes to explain. The score of the document is the score of the empty document plus the sum of the
contributions. `honeybayes.explain_decision` calls it, and checks the sum.

Estimators of other libraries without this method are asked for the score of each term alone if they
have ``coef_`` or ``feature_log_prob_``.
"""

from typing import NamedTuple

import numpy as np


class ParentParts(NamedTuple):
    """The parents of a model in which words depend on other words of the document.

    Attributes
    ----------
    positions : ndarray of int, shape (n_parents,)
        Which of the terms in `ScoreParts.terms` are parents.
    share : ndarray of shape (n_terms, n_parents) or (n_parents,)
        Share of each parent in the average, per term or for the whole document.
    lead : ndarray of the same shape
        The lead that would be lost without the parent: score of the first column less the second.
    """

    positions: np.ndarray
    share: np.ndarray
    lead: np.ndarray


class ScoreParts(NamedTuple):
    """The scores of one document, split by term.

    Attributes
    ----------
    terms : ndarray of int, shape (n_terms,)
        Columns of the terms in the document.
    contributions : ndarray of shape (n_terms, n_columns)
        What each of them adds to the score of each class in ``columns``.
    parents : ParentParts or None
        Only for models with parents.
    """

    terms: np.ndarray
    contributions: np.ndarray
    parents: ParentParts | None = None
