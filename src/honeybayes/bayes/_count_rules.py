"""The three decision rules of the count models.

Every class c has a complement: the documents of all other classes. With

    a_c = log P(c)          + log P(document given c)
    b_c = log P(complement) + log P(document given the complement of c)

a rule computes one score per class, and the class with the highest score is predicted:

    multinomial   a_c          the class that explains the document best
    complement    -b_c         the class whose complement explains it worst
    one-vs-rest   a_c - b_c    the class that explains it best, compared with its complement
"""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any, Literal

import numpy as np


class CountModel(metaclass=ABCMeta):
    """The methods of a model that a rule calls. The last axis of every array is the classes.

    A model must define

    ``_class_log_likelihood(X)``
        log P(document given class).
    ``_complement_log_likelihood(X)``
        log P(document given the complement of the class).

    and may override

    ``_log_likelihood_ratio(X)``
        The score of the one-vs-rest rule. By default, the first minus the second.

    A rule calls only the methods that it needs.
    """

    class_log_prior_: np.ndarray
    complement_log_prior_: np.ndarray

    @abstractmethod
    def _class_log_likelihood(self, X: Any) -> np.ndarray: ...

    @abstractmethod
    def _complement_log_likelihood(self, X: Any) -> np.ndarray: ...

    def _log_likelihood_ratio(self, X: Any) -> np.ndarray:
        return self._class_log_likelihood(X) - self._complement_log_likelihood(X)


def _multinomial(model: CountModel, X: Any) -> np.ndarray:
    return model.class_log_prior_ + model._class_log_likelihood(X)


def _complement(model: CountModel, X: Any) -> np.ndarray:
    return -(model.complement_log_prior_ + model._complement_log_likelihood(X))


def _one_vs_rest(model: CountModel, X: Any) -> np.ndarray:
    log_prior_ratio = model.class_log_prior_ - model.complement_log_prior_
    return log_prior_ratio + model._log_likelihood_ratio(X)


Rule = Literal["multinomial", "complement", "one-vs-rest"]
DECISION_RULES: dict[str, Callable[[CountModel, Any], np.ndarray]] = {
    "multinomial": _multinomial,
    "complement": _complement,
    "one-vs-rest": _one_vs_rest,
}
