"""A test for draws of a few labels from one table: the variance of draws and of documents.

With few labels, the draw of the training documents changes the difference of two models most. But
all draws are tested on nearly the same documents, so they share the luck of these documents. The
variance of the mean difference over R draws is

    S^2 / R  +  V

S^2 is the variance over the draws. V is the covariance of two draws by the test documents that they
share: the variance of the effect of a document (the part of its difference that comes back in other
draws), divided by the number of documents. Two draws share training documents as well; with small
training parts this adds so little that a term for it made the test worse, see benchmarks.
"""

from typing import Any

import numpy as np

from honeybayes.evaluate._significance import MeanDifference, Outcome


def two_level_test(a: Any, b: Any) -> Outcome:
    """Two-sided test of two models on several draws of training documents from one table.

    The claim covers new draws of labels, and new documents like those of the table. Unlike
    `corrected_t_test`, it finds differences if the training parts are small. Unlike
    `paired_t_test`, it takes into account that all draws are tested on the same documents.

    Parameters
    ----------
    a, b : array-like of shape (n_draws, n_documents)
        Score of each model for each document, such as 1 for a right answer and 0 for a wrong one;
        NaN for a document that was not tested in a draw.

    Returns
    -------
    Outcome
        t with n_draws - 1 degrees of freedom, and p; 0 and 1 if there is no difference at all.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.evaluate import two_level_test
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.random((10, 500)) < 0.85, rng.random((10, 500)) < 0.75
    >>> two_level_test(a, b).p_value < 0.001
    True
    """
    return estimate_two_levels(np.asarray(a, float) - np.asarray(b, float)).test()


def estimate_two_levels(differences: np.ndarray) -> MeanDifference:
    """MeanDifference the mean of differences of shape (n_draws, n_documents), NaN if not tested."""
    tested = ~np.isnan(differences)
    n_draws, sizes = len(differences), tested.sum(axis=1)
    if n_draws < 2 or sizes.min() < 2:
        raise ValueError("The test needs at least two draws, and two test documents in each.")
    by_draw = np.nansum(differences, axis=1) / sizes
    rest = np.where(tested, differences - by_draw[:, np.newaxis], 0)
    times = tested.sum(axis=0)
    # products of two different draws: what comes back in another draw is the document's own
    product = (rest.sum(axis=0) ** 2 - (rest**2).sum(axis=0)).sum()
    of_document = max(0.0, product / max(1, (times * (times - 1)).sum()))
    # two different draws share the documents that both test; the mean over all pairs of draws
    shared = ((tested / sizes[:, np.newaxis]).sum(axis=0) ** 2).sum() - (1 / sizes).sum()
    covariance = of_document * shared / (n_draws * (n_draws - 1))
    variance = by_draw.var(ddof=1) / n_draws + covariance
    # Satterthwaite's degrees of freedom would be more; see benchmarks for why they are not used
    return MeanDifference(float(by_draw.mean()), float(variance) ** 0.5, n_draws - 1)
