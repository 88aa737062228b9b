"""Word by word, what the models of pairs of words say: hidden parents and super-parents.

Hidden naive Bayes is a sum over the words already: f_i log (average over the parents t of Q_it),
where Q_it is P(i given t, class), or the like under the complement. The averages do not depend on
the counts of the document, so the parts of the words are plain.

Structure-extended naive Bayes is the log of an average over parents of products over words. With
L_t = sum_i f_i log Q_it, w the weights of the parents and r_t = w_t exp(L_t) / (sum of the same)
the share of each parent in the average, both of sum one,

    log sum_t w_t exp(L_t) = sum_t r_t (L_t + log(w_t / r_t))

so a word adds f_i sum_t r_t log Q_it as a word, and r_i log(w_i / r_i) as a parent.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from honeybayes.bayes._pair_base import CLASS, COMPLEMENT, BasePairNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.explain._additive import ParentParts, Parts
from honeybayes.utils.matrices import of_complement, sum_by_class


class _Pairs(NamedTuple):
    """One document as a model of pairs sees it; classes come last.

    Attributes
    ----------
    counts : ndarray of shape (n_terms,)
        Of the document.
    places : ndarray of int, shape (n_parents,)
        The terms that are parents.
    weights : ndarray of shape (n_parents,)
        Their weights.
    probability : ndarray of shape (2, n_parents, n_terms, n_columns)
        P(term given parent), for the class and for its complement.
    log_prob : ndarray of shape (2, n_terms, n_columns)
        log P(term), for want of a parent.
    """

    counts: np.ndarray
    places: np.ndarray
    weights: np.ndarray
    probability: np.ndarray
    log_prob: np.ndarray


def pair_parts(model: BasePairNB, X: Any, columns: list[int]) -> Parts:
    """Take apart the scores of one document; see `take_apart`."""
    X = model._check_new(X)
    pairs = _count_pairs(model, X.indices, X.data, columns)
    parts = _hidden if isinstance(model, HiddenNB) else _structure_extended
    contributions, parents = parts(model, pairs)
    return Parts(X.indices, contributions, parents)


def _count_pairs(
    model: BasePairNB, terms: np.ndarray, counts: np.ndarray, columns: list[int]
) -> _Pairs:
    by_term = model._training[:, terms]
    by_document, label, n_classes = by_term.tocsr(), model._label, len(model.classes_)
    weights = model.parent_weights_[terms] / (model.parent_weights_.max(initial=0) or 1)
    places = np.flatnonzero(weights)
    probability = np.empty((2, len(places), len(terms), len(columns)))
    for row, t in enumerate(places):
        documents = by_term.indices[by_term.indptr[t] : by_term.indptr[t + 1]]
        beside = by_document[documents]
        of_class = sum_by_class(beside, label[documents], n_classes, beside.data)
        for side, count in ((CLASS, of_class), (COMPLEMENT, of_complement(of_class))):
            total = model._total[side, terms[t]]
            probability[side, row] = ((count + model._alpha) / total)[:, columns]
    log_prob = model._log_prob[:, terms][:, :, columns]
    return _Pairs(counts, places, weights[places], probability, log_prob)


def _hidden(model: Any, pairs: _Pairs) -> tuple[np.ndarray, ParentParts]:
    # no word is a parent of its own
    is_itself = pairs.places[:, np.newaxis] == np.arange(len(pairs.counts))
    weights = np.where(is_itself, 0.0, pairs.weights[:, np.newaxis])[..., np.newaxis]
    counts = pairs.counts[:, np.newaxis]

    def value(average_log: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        of_class, of_rest = pairs.probability
        log_class, log_rest = pairs.log_prob
        if model._rule == "multinomial":
            return average_log(of_class, log_class)
        if model._rule == "complement":
            return -average_log(of_rest, log_rest)
        if model.ovr_score == "paper":
            return -average_log(of_rest / of_class, log_rest - log_class)
        return average_log(of_class, log_class) - average_log(of_rest, log_rest)

    def over_all(quantity: np.ndarray, without_parent: np.ndarray) -> np.ndarray:
        weighted, total = (weights * quantity).sum(axis=0), weights.sum(axis=0)
        return _log_ratio(weighted, total, without_parent)

    def over_the_others(quantity: np.ndarray, without_parent: np.ndarray) -> np.ndarray:
        weighted, total = _all_but_one(weights * quantity), _all_but_one(weights)
        return _log_ratio(weighted, total, without_parent)

    contributions = counts * value(over_all)
    lost = contributions - counts * value(over_the_others)
    side = COMPLEMENT if model._rule == "complement" else CLASS
    part = (weights * pairs.probability[side])[..., 0]
    total = part.sum(axis=0)
    share = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
    return contributions, ParentParts(pairs.places, share.T, _lead(lost).T)


def _structure_extended(model: Any, pairs: _Pairs) -> tuple[np.ndarray, ParentParts | None]:
    of_class, of_rest = np.log(pairs.probability)
    log_class, log_rest = pairs.log_prob
    sign = -1.0 if model._rule == "complement" else 1.0
    logs, alone = {
        "multinomial": (of_class, log_class),
        "complement": (of_rest, log_rest),
        "one-vs-rest": (of_class - of_rest, log_class - log_rest),
    }[model._rule]
    without_parent = pairs.counts[:, np.newaxis] * alone
    if not len(pairs.places):
        return sign * without_parent, None
    log_weight = np.log(pairs.weights / pairs.weights.sum())[:, np.newaxis]
    joint = log_weight + np.einsum("i,tic->tc", pairs.counts, logs)
    whole = logsumexp(joint, axis=0)
    log_share = joint - whole
    share = np.exp(log_share)
    contributions = np.einsum("i,tc,tic->ic", pairs.counts, share, logs)
    contributions[pairs.places] += share * (log_weight - log_share)

    lost = np.empty_like(joint)
    for t in range(len(joint)):
        others = np.arange(len(joint)) != t
        if others.any():
            less = logsumexp(joint[others], axis=0) - logsumexp(log_weight[others])
        else:
            less = without_parent.sum(axis=0)
        lost[t] = sign * (whole - less)
    return sign * contributions, ParentParts(pairs.places, share[:, 0], _lead(lost))


def _log_ratio(weighted: np.ndarray, total: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    some = np.broadcast_to(total > 0, weighted.shape)
    average = np.divide(weighted, total, out=np.ones_like(weighted), where=some)
    return np.where(some, np.log(average), otherwise)


def _all_but_one(values: np.ndarray) -> np.ndarray:
    """For each place of the first axis the sum over all others, added up and not subtracted."""
    return np.moveaxis(of_complement(np.moveaxis(values, 0, -1)), -1, 0)


def _lead(by_column: np.ndarray) -> np.ndarray:
    """The first column less the second, if there is one."""
    return by_column[..., 0] - by_column[..., 1] if by_column.shape[-1] > 1 else by_column[..., 0]
