"""Train and test one model on one split. This runs in one process."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from honeybayes.evaluate._metrics import measure
from honeybayes.evaluate._records import Cell, Result
from honeybayes.evaluate._splits import Split, random_for, seed_text
from honeybayes.evaluate._terms import Documents, TermChoice
from honeybayes.utils.tags import mark_of_unlabeled


@dataclass(frozen=True)
class Experiment:
    """The data that all cells of a corpus have in common."""

    documents: Documents
    y: np.ndarray
    labeled: np.ndarray  # rows that have a label
    unlabeled: Any  # the value of y in all other rows
    protocol: str
    terms: TermChoice
    metrics: tuple[str, ...]

    def run(self, cell: Cell, model: Any, split: Split) -> Result:
        """Train the model on one part of a split, and measure it on the other."""
        try:
            # one thread, so that results do not depend on the number of processes
            with threadpool_limits(limits=1):
                return self._run(cell, model, split)
        except Exception as error:
            error.add_note(
                f"In compare: {cell.model!r} on {cell.corpus!r}, {cell.split}, "
                f"repetition {cell.repetition}, fold {cell.fold}."
            )
            raise

    def _run(self, cell: Cell, model: Any, split: Split) -> Result:
        model = _with_random_states(clone(model), cell)
        X_train, y_train, X_test = self._parts(model, split)
        start = time.perf_counter()
        model.fit(X_train, y_train)
        fitted = time.perf_counter()
        answers = model.predict(X_test)
        predicted = time.perf_counter()
        scores = measure(model, X_test, self.y[split.test], np.asarray(answers), self.metrics)
        scores |= {"fit_seconds": fitted - start, "predict_seconds": predicted - fitted}
        return Result(cell, len(split.train), len(split.test), scores)

    def _parts(self, model: Any, split: Split) -> tuple[Documents, np.ndarray, Documents]:
        train = split.train
        if self.unlabeled is not None and mark_of_unlabeled(model) == self.unlabeled:
            train = np.union1d(train, np.setdiff1d(np.arange(len(self.y)), self.labeled))
        y_train = self.y[train]
        if not sparse.issparse(self.documents):
            texts = self.documents
            return [texts[row] for row in train], y_train, [texts[row] for row in split.test]
        X_train, X_test = self.documents[train], self.documents[split.test]
        if self.protocol == "clean":
            labeled = np.flatnonzero(np.isin(train, split.train))
            columns = self.terms.choose(X_train, labeled, y_train)
        else:
            columns = self.terms.drop_unseen(X_train)
        if len(columns) < X_train.shape[1]:
            X_train, X_test = X_train[:, columns], X_test[:, columns]
        return X_train, y_train, X_test


def _with_random_states(model: Any, cell: Cell) -> Any:
    """Set every ``random_state`` that is None to a seed that depends on the cell."""
    split = seed_text(cell.split)
    random = random_for(cell.seed, cell.corpus, split, cell.repetition, cell.fold)
    states = {
        name: int(random.integers(2**31 - 1))
        for name, value in sorted(model.get_params().items())
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    return model.set_params(**states) if states else model
