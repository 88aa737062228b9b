"""Predictions of one model for held-out documents."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import f1_score

from honeybayes.calibration.coverage import FEWEST_HELD_OUT
from honeybayes.evaluate import RandomSplits, RepeatedFolds
from honeybayes.evaluate.trial import Experiment, TermChoice
from honeybayes.tables import Corpus
from honeybayes.text import ATTRIBUTES

if TYPE_CHECKING:
    from pandas import DataFrame

PREDICTIONS = ("rows", "truth", "answers", "probabilities")
SUSPICIOUS = 0.8  # confidence of a model that disagrees with a label, as on the labeling page


@dataclass(frozen=True)
class Examination:
    """Predictions of a model for held-out documents."""

    rows: np.ndarray  # of each document in the corpus; several splits may test the same document
    truth: np.ndarray  # their labels
    answers: np.ndarray  # the predicted classes
    probabilities: np.ndarray  # of each class, shape (n_predictions, n_classes)
    classes: np.ndarray  # of the columns
    classifier: Any  # fitted on the first split
    with_pool: bool = False  # whether it also learned from unlabeled texts
    has_confidence: bool = True  # whether the probabilities are its own

    @property
    def confidence(self) -> np.ndarray:
        """Probability of each predicted class."""
        return self.probabilities.max(axis=1)

    @property
    def is_right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return self.answers == self.truth

    @property
    def n_documents(self) -> int:
        """Number of distinct documents that were tested."""
        return len(np.unique(self.rows))

    def scores(self) -> dict[str, float]:
        """Return the accuracy and, if every class was tested, the macro-F1 of all predictions."""
        found = {"accuracy": float(self.is_right.mean())}
        if set(self.classes) == set(self.truth):
            macro_f1 = f1_score(self.truth, self.answers, average="macro", zero_division=0)
            found["macro_f1"] = float(macro_f1)
        return found

    def only(self, rows: Any) -> "Examination":
        """Keep the predictions for some rows of the corpus, unless these are fewer than ten."""
        kept = np.isin(self.rows, np.asarray(rows, dtype=int))
        if len(np.unique(self.rows[kept])) < FEWEST_HELD_OUT:
            return self
        return replace(self, **{name: getattr(self, name)[kept] for name in PREDICTIONS})

    def documents(self, corpus: Corpus) -> "DataFrame":
        """Return the tested documents with mean probabilities of label and answer, surest first.

        Each also has its id, and the number of its row in the table; the first has number 1. The
        label may be wrong if the mean probability of another class is at least 0.8.
        """
        import pandas

        by_row = pandas.DataFrame(self.probabilities, self.rows).groupby(level=0).mean()
        rows, means = by_row.index.to_numpy(), by_row.to_numpy()
        labels, answers = corpus.labels[rows], self.classes[means.argmax(axis=1)]
        own, sure = np.searchsorted(self.classes, labels), means.max(axis=1)
        found = pandas.DataFrame(
            {
                "text": [str(corpus.documents[row]) for row in rows],
                "label": labels,
                "answer": answers,
                "probability": means[np.arange(len(rows)), own],
                "confidence": sure,
                "is_suspicious": (answers != labels) & (sure >= SUSPICIOUS) & self.has_confidence,
                "row": 1 + (rows if corpus.rows is None else corpus.rows[rows]),
                "id": "" if corpus.ids is None else [str(corpus.ids[row]) for row in rows],
            }
        )
        return found.sort_values("confidence", ascending=False, kind="stable")


def examine(
    classifier: Any,
    corpus: Corpus,
    splits: RandomSplits | RepeatedFolds,
    seed: int = 0,
    *,
    seeds: Mapping[str, str] | None = None,
    hide_labels: bool = False,
) -> Examination:
    """Train a classifier of texts on each split, and keep its predictions for the test part.

    If it returns no probabilities, the predicted class gets 1. Texts with an empty label are never
    tested; they are the pool of a `TextClassifier` whose model learns from unlabeled texts. With
    ``hide_labels``, the labeled documents outside a draw are in the pool, too, as in
    `honeybayes.evaluate.compare`, which has the same splits with the same seed. ``seeds`` are seed
    words of the classes. Test documents whose text is in the training part are left out.
    """
    experiment = Experiment(corpus, "clean", None, TermChoice(), (), None, hide_labels)
    if getattr(classifier, "language", None) == ATTRIBUTES:
        experiment.digests = None  # records of few attributes are often equal, and yet not the same
    classes = np.union1d(corpus.classes, [] if seeds is None else list(seeds))
    options = {} if seeds is None else {"seeds": seeds}
    first, tested, parts, n_pool = None, [], [], 0
    for split in experiment.splits(splits, seed):
        fitted = clone(classifier)
        texts, labels, more, test, n_pool = experiment.prepare(fitted, split)
        fitted.fit(texts, labels, **more, **options)
        # a small class may be missing in a training part
        given = np.zeros((len(test), len(classes)))
        if hasattr(fitted, "predict_proba"):
            columns = np.searchsorted(classes, np.asarray(fitted.classes_, dtype=str))
            given[:, columns] = fitted.predict_proba(test)
        else:
            given[np.arange(len(test)), np.searchsorted(classes, fitted.predict(test))] = 1
        tested.append(split.test)
        parts.append(given)
        first = first or fitted  # the telling words are those of the first split
    rows, probabilities = np.concatenate(tested), np.concatenate(parts)
    return Examination(
        rows,
        truth=corpus.labels[rows],
        answers=classes[probabilities.argmax(axis=1)],
        probabilities=probabilities,
        classes=classes,
        classifier=first,
        with_pool=n_pool > 0,
        has_confidence=hasattr(first, "predict_proba"),
    )
