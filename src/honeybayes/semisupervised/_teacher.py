"""The teacher: naive Bayes that learns from labels, then from its own guesses.

Arrays have the terms first and the classes last. EM in which unlabeled documents weigh less is
EM-lambda of Nigam, McCallum, Thrun and Mitchell (2000), here on tf-idf.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from honeybayes.utils.matrices import inverse_or_zero, smoothed_log_prob, sum_by_class


class Teacher(NamedTuple):
    """The result of EM.

    ``guesses`` has shape (unlabeled documents, classes). ``objective`` is given before the first
    round and after each; ``change`` is the mean change of a guess in each round.
    """

    log_prob: np.ndarray
    log_prior: np.ndarray
    guesses: np.ndarray
    objective: np.ndarray
    change: np.ndarray


def teach(
    X: sparse.csr_array,
    position: np.ndarray,
    n_classes: int,
    *,
    walk: float,
    rounds: int,
    pool_weight: float,
    alpha: float,
    prior_shrinkage: float,
) -> Teacher:
    """Estimate from the labels, then run rounds of EM with the unlabeled documents.

    The parameters are those of `FewLabelsClassifier`. ``position`` is -1 for a document without a
    label; each class has at least one labeled document.
    """
    pool = X[position < 0]
    by_term = pool.T.tocsr()
    labeled = sum_by_class(X, position, n_classes, X.data)
    documents = 1.0 + np.bincount(position[position >= 0], minlength=n_classes)

    def estimate(of_terms: np.ndarray, of_classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        share = (1 - prior_shrinkage) * of_classes / of_classes.sum() + prior_shrinkage / n_classes
        return smoothed_log_prob(of_terms, alpha), np.log(share)

    def guess(log_prob: np.ndarray, log_prior: np.ndarray) -> tuple[np.ndarray, float]:
        joint = pool @ log_prob + log_prior
        evidence = logsumexp(joint, axis=1, keepdims=True) if len(joint) else joint
        objective = pool_weight * evidence.sum() + ((labeled + alpha) * log_prob).sum()
        return np.exp(joint - evidence), objective + ((documents + drawn) * log_prior).sum()

    # Moving towards equal shares is the same as adding documents to every class.
    size = documents.sum() + pool_weight * pool.shape[0]
    drawn = prior_shrinkage / (1 - prior_shrinkage) * size / n_classes if prior_shrinkage < 1 else 0
    parameters = estimate(walked(X, labeled, walk), documents)
    guesses, value = guess(*parameters)
    objective, change = [value], []
    for _ in range(rounds):
        before = guesses
        parameters = estimate(
            labeled + pool_weight * (by_term @ guesses),
            documents + pool_weight * guesses.sum(axis=0),
        )
        guesses, value = guess(*parameters)
        objective.append(value)
        change.append(np.abs(guesses - before).mean() if len(guesses) else 0.0)
    return Teacher(*parameters, guesses, np.array(objective), np.array(change))


def walked(X: sparse.csr_array, labeled: np.ndarray, share: float) -> np.ndarray:
    """Move a share of the weight of each class by one step term - document - term.

    The weight of a term is distributed over its documents, and then over the terms of these
    documents, in proportion to the entries of X. So terms that occur in no labeled document also
    get weight. The total weight of a class does not change. Weights are (terms, classes).
    """
    if share == 0:
        return labeled
    to_documents = X @ (labeled * inverse_or_zero(X.sum(axis=0))[:, None])
    to_words = X.T @ (to_documents * inverse_or_zero(X.sum(axis=1))[:, None])
    return (1 - share) * labeled + share * to_words
