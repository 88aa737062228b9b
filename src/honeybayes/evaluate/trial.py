"""One corpus: list the cells; choose the terms, train and test one model on one split."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import get_tags

from honeybayes import text
from honeybayes.classifier import TextClassifier, choose_model
from honeybayes.evaluate import _records
from honeybayes.evaluate._records import Cell, Result
from honeybayes.evaluate._splits import Split, Splitter, random_for, seed_text
from honeybayes.evaluate.metrics import measure
from honeybayes.tables import Corpus
from honeybayes.utils import digests, matrices, tags, texts
from honeybayes.utils.labels import AUTO, encode_labels, is_auto, unused_label
from honeybayes.zoo import make_model

Analyzer = Callable[[str], list[str]]
Task = tuple[Cell, Any, Split]  # with the model
PARTS = ("estimator", "base_estimator")  # parameters that hold the model of a search
# parameters of an analyzer that TextClassifier has, too
ANALYZER_SETTINGS = ("language", "stop_words", "stem", "ngram_range", "clean_html")


class TermChoice(NamedTuple):
    """Which terms are kept; see the parameters of `compare`."""

    min_df: int = 1
    n_terms: int | None = None
    unseen: str = "drop"

    def choose(self, X: sparse.csr_array, labeled: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the columns to keep, from X and the labels of its ``labeled`` rows."""
        frequency = np.bincount(matrices.presence_matrix(X).indices, minlength=X.shape[1])
        columns = np.flatnonzero((frequency >= self.min_df) & (frequency > 0))
        if self.n_terms is not None:
            selector = text.TermSelector(n_terms=self.n_terms)
            columns = columns[selector.fit(X[labeled][:, columns], y[labeled]).get_support()]
        if self.unseen == "keep":
            columns = np.union1d(columns, np.flatnonzero(frequency == 0))
        return columns


class Experiment:
    """A corpus with its terms counted, and the settings of `compare` that all its cells share."""

    def __init__(
        self,
        corpus: Corpus,
        protocol: str,
        analyzer: Analyzer | str | None,
        terms: TermChoice,
        metrics: tuple[str, ...],
        unlabeled: Any,
        pool: bool,
    ) -> None:
        self.name, self.y = str(corpus.name), corpus.labels
        self.protocol, self.terms, self.metrics, self.pool = protocol, terms, metrics, pool
        if unlabeled is None and self.y.dtype.kind == "U" and (self.y == "").any():
            unlabeled = ""  # what a Corpus means by it
        self.unlabeled = unlabeled
        self.labeled = np.flatnonzero(encode_labels(self.y, unlabeled)[1] >= 0)
        self.texts = corpus.documents if isinstance(corpus.documents, list) else None
        if is_auto(analyzer):
            found = text.look_at(self.texts or [])
            analyzer = text.TextAnalyzer(found.language, clean_html=found.clean_html)
        given = analyzer if isinstance(analyzer, text.TextAnalyzer) else text.TextAnalyzer()
        self.settings = {name: getattr(given, name) for name in ANALYZER_SETTINGS}
        self.documents: Any = corpus.documents  # csr_array of counts, or list of texts
        if self.texts is not None and analyzer is None:
            if terms != TermChoice():
                raise ValueError(
                    "min_df, n_terms and unseen_terms have no effect with analyzer=None, because "
                    "the models get the texts. Remove them, or pass an analyzer."
                )
        else:
            if self.texts is not None:
                # once for all splits: counting needs no labels, and terms that occur only in test
                # documents are removed later
                self.documents = CountVectorizer(analyzer=analyzer).fit_transform(self.texts)
            self.documents = sparse.csr_array(self.documents)
            if protocol == "paper":
                X, y = self.documents[self.labeled], self.y[self.labeled]
                self.documents = self.documents[:, terms.choose(X, np.arange(len(y)), y)]
        # records of few attributes are often equal, and yet not the same
        may_repeat = getattr(analyzer, "language", None) == text.ATTRIBUTES
        self.digests = None  # of texts that must not stand on both sides of a split
        if protocol == "clean" and self.texts is not None and not may_repeat:
            self.digests = texts.digest_texts(self.texts, salt=0)

    def default_model(self) -> Any:
        """Return what ``fit`` uses by default: for texts, with the words that all models get."""
        if self.texts is None:
            has_unlabeled = self.pool or self.unlabeled is not None
            chosen = choose_model(0, has_unlabeled=has_unlabeled, is_calibrated=False)
            return make_model(chosen["model"])
        min_df, n_terms = self.terms.min_df, self.terms.n_terms
        return TextClassifier(AUTO, min_df=min_df, n_terms=n_terms, **self.settings)

    def list_tasks(
        self, models: Mapping[str, Any], splitters: list[Splitter], seed: int
    ) -> list[Task]:
        """List all cells, split by split, so that an interrupted run has compared all models."""
        settings = {name: self._describe(model) for name, model in models.items()}
        tasks = []
        for splitter in splitters:
            for split in self.splits(splitter, seed):
                rows = digests.digest(split.train.tobytes(), split.test.tobytes())
                for model, (documents, terms, mark, *more) in settings.items():
                    setup = digests.digest(repr((documents, terms, mark, rows, *more)).encode())
                    where = (self.name, self.protocol, splitter.label, split.repetition, split.fold)
                    tasks.append((Cell(*where, model, seed, setup), models[model], split))
        return tasks

    def splits(self, splitter: Splitter, seed: int) -> Iterator[Split]:
        """Split the labeled rows; no test document has the text of a training document."""
        for split in splitter.split(self.y[self.labeled], self.name, seed):
            train, test = self.labeled[split.train], self.labeled[split.test]
            n_tested = len(test)
            if self.digests is not None:
                test = test[~np.isin(self.digests[test], self.digests[train])]
            if not len(test):
                raise ValueError(
                    f"{self.name!r}, {splitter.label}: every test document has the text of a "
                    "training document, so nothing can be measured. Remove repeated texts."
                )
            yield split._replace(train=train, test=test, n_repeated=n_tested - len(test))

    def _describe(self, model: Any) -> tuple:
        """Describe all that a result depends on, except the split."""
        documents = self.documents_for(model)
        terms = self.terms if sparse.issparse(documents) else TermChoice()
        digested = digests.digest_of_documents(documents, self.y, unseen_terms=terms.unseen)
        pool = ["pool"] if self.pool and mark_of_pool(model) is not None else []
        is_open = isinstance(model, TextClassifier) and is_auto(model.encoder)
        found = text.find_encoder(self.texts) if is_open else None
        vectors = [] if found is None else [text.encoder_name(found)]
        return (digested, terms, self.unlabeled, digests.settings_text(model), *pool, *vectors)

    def documents_for(self, model: Any) -> Any:
        """Return the texts if the model begins with texts, otherwise the counts."""
        return self.texts if self.texts is not None and takes_texts(model) else self.documents

    def prepare(self, model: Any, split: Split) -> tuple[Any, np.ndarray, dict[str, Any], Any, int]:
        """Return what ``model.fit`` takes, the test documents, and the size of the pool.

        If the pool is a part of X, the model is told by which label it is marked.
        """
        mark, is_pool = mark_of_pool(model), np.zeros(len(self.y), dtype=bool)
        if mark is not None:
            is_pool[:] = self.unlabeled is not None and (is_auto(mark) or mark == self.unlabeled)
            is_pool[self.labeled] = self.pool
            is_pool[split.train] = False
        pool, documents = np.flatnonzero(is_pool), self.documents_for(model)
        rows, labels, more = split.train, self.y[split.train], {}
        if len(pool) and isinstance(model, TextClassifier):
            more["pool"] = lambda: [documents[row] for row in pool]
        elif len(pool):
            if is_auto(mark):
                mark = unused_label(self.y) if self.unlabeled is None else self.unlabeled
                model.set_params(**{str(tags.unlabeled_parameter(model)): mark})
            rows = np.sort(np.concatenate([rows, pool]))
            labels = np.where(np.isin(rows, pool), mark, self.y[rows])
        if sparse.issparse(documents):
            X_train, X_test = self._counts(rows, split)
        else:
            X_train, X_test = ([documents[row] for row in part] for part in (rows, split.test))
        return X_train, labels, more, X_test, len(pool)

    def run(self, cell: Cell, model: Any, split: Split) -> Result:
        """Train the model on one part of a split, and measure it on the other."""
        model = clone(model)
        where = (cell.seed, cell.corpus, seed_text(cell.split), cell.repetition, cell.fold)
        random = random_for(*where)  # for every ``random_state`` that is None
        for name, value in sorted(model.get_params().items()):
            if name.rpartition("__")[2] == "random_state" and value is None:
                model.set_params(**{name: int(random.integers(2**31 - 1))})
        X_train, labels, more, X_test, n_pool = self.prepare(model, split)
        start = time.perf_counter()
        model.fit(X_train, labels, **more)
        fitted = time.perf_counter()
        answers = np.asarray(model.predict(X_test))
        predicted = time.perf_counter()
        truth = self.y[split.test]
        scores = measure(model, X_test, truth, answers, self.metrics)
        scores |= {"fit_seconds": fitted - start, "predict_seconds": predicted - fitted}
        outcomes = _records.pack(split.test, truth, answers)
        sizes = (len(split.train), len(split.test))
        return Result(cell, *sizes, scores, n_pool, split.n_repeated, outcomes)

    def _counts(self, rows: np.ndarray, split: Split) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return the counts of training and test documents, with the terms of the protocol."""
        X_train, X_test, terms = self.documents[rows], self.documents[split.test], self.terms
        if self.protocol == "paper":  # the terms were chosen before the split
            terms = TermChoice(unseen=terms.unseen)
        labeled = np.flatnonzero(np.isin(rows, split.train))
        columns = terms.choose(X_train, labeled, self.y[rows])
        if len(columns) < X_train.shape[1]:
            X_train, X_test = X_train[:, columns], X_test[:, columns]
        return X_train, X_test


def takes_texts(model: Any) -> bool:
    """Return True if a model, or the first step of a pipeline, declares that it takes strings."""
    steps = getattr(model, "steps", None) or getattr(model, "transformer_list", None)
    if steps:
        return takes_texts(steps[0][1])
    for part in PARTS:
        if hasattr(getattr(model, part, None), "fit"):
            return takes_texts(getattr(model, part))
    return hasattr(model, "__sklearn_tags__") and bool(get_tags(model).input_tags.string)


def mark_of_pool(model: Any) -> Any:
    """Return the value of y that marks unlabeled documents for this model, or None if none does."""
    if not isinstance(model, TextClassifier):
        return tags.mark_of_unlabeled(model)
    inner = model.model
    if isinstance(inner, str) and inner != AUTO:
        inner = make_model(inner)
    takes_pool = inner == AUTO or tags.mark_of_unlabeled(inner) is not None
    return AUTO if takes_pool else None  # it gets the pool apart from the labels
