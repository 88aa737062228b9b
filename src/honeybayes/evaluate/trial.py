"""Train and test models: one model on one split of a corpus; all models on all splits, in parallel.

Each result is saved immediately.
"""

import operator
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import get_tags
from threadpoolctl import threadpool_limits

from honeybayes import text
from honeybayes.classifier import TextClassifier, choose_model
from honeybayes.evaluate import _records
from honeybayes.evaluate._comparison import Comparison
from honeybayes.evaluate._records import Cell, Result
from honeybayes.evaluate._splits import RandomSplits, Split, Splitter, random_for, seed_text
from honeybayes.evaluate.metrics import METRICS, measure
from honeybayes.tables import Corpus, is_frame, load_corpus, read_corpus
from honeybayes.utils import digests, matrices, messages, tags, texts, validation, workers
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


def compare(
    models: Iterable[Any] | Mapping[str, Any],
    corpus: Any,
    splits: Splitter | Sequence[Splitter] | None = None,
    *,
    protocol: str = "clean",
    analyzer: Analyzer | str | None = AUTO,
    min_df: int = 1,
    n_terms: int | None = None,
    unseen_terms: str = "drop",
    metrics: Iterable[str] = METRICS,
    unlabeled: Any = None,
    pool: bool | None = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    results: str | PathLike[str] | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Train and test every model on the same splits of one or more corpora.

    Parameters
    ----------
    models : iterable of str or estimator, or mapping of str to str or estimator
        Names from `honeybayes.list_models`, "auto" (what ``honeybayes fit`` uses by default), and
        unfitted classifiers. A mapping gives them your own names. A pipeline that begins with a
        vectorizer, a `TextClassifier`, and every other estimator with scikit-learn's tag
        ``input_tags.string`` get the texts; all others get counts of terms.
    corpus : Corpus, str, data frame, or a sequence of them
        Documents with labels. A string is a name for `honeybayes.tables.load_corpus`. A data frame
        has the columns "text" and "label"; for other names, use `honeybayes.tables.read_corpus`.
    splits : RandomSplits, RepeatedFolds, FixedSplit, or a sequence of them, optional
        How to split. The default is ``RandomSplits(per_class=10)``.
    protocol : {"clean", "paper"}, default="clean"
        Documents that ``min_df`` and ``n_terms`` use: the training part, or all labeled documents,
        before the split, as in the papers, which makes all accuracies too high.
    analyzer : "auto", callable or None, default="auto"
        Function that splits a text into terms. "auto" is a `honeybayes.text.TextAnalyzer` for the
        language of the texts, without stop words. With None, the models get the texts. It has no
        effect on a corpus of counts.
    min_df : int, default=1
        Leave out terms that occur in fewer than this number of documents.
    n_terms : int or None, default=None
        Number of terms to keep: the terms with the highest information gain. None keeps all terms.
    unseen_terms : {"drop", "keep"}, default="drop"
        Whether to keep terms that occur in no training document, which change the smoothing.
    metrics : iterable of str, default=all
        Any of "accuracy", "macro_f1", "micro_f1", "auc", "log_loss", "brier",
        "calibration_error". The seconds of fit and predict are always measured.
    unlabeled : label, optional
        Value of the labels that marks unlabeled documents; by default, the empty string if a corpus
        has it. They are training documents for models that learn from unlabeled documents and whose
        parameter ``unlabeled`` has this value, and never test documents.
    pool : bool, optional
        Whether the labeled documents outside a draw, without their labels and with the test
        documents among them, are unlabeled training documents for models that use them: "auto",
        "FewLabels", and every model whose parameter ``unlabeled`` is not None. By default True;
        False with the protocol "paper".
    seed : int, default=0
        Seed of the splits, which are the same for every model, and of the random states.
    n_jobs : int or None, default=1
        Number of processes; -1 uses all cores. The results do not depend on it.
    results : path-like, optional
        File to which each result is appended, so that an interrupted run continues when it is
        started again. With a file, an error is raised only after all other cells are finished.
    progress : bool, optional
        Whether to show a progress bar on standard error; by default, if that is a terminal.

    Examples
    --------
    >>> from honeybayes.tables import load_corpus
    >>> from honeybayes.evaluate import RandomSplits, compare
    >>> splits = RandomSplits(per_class=5, repetitions=2)
    >>> comparison = compare(["NB", "CNB"], "messages", splits, metrics=["accuracy"])
    >>> len(comparison.results)
    4
    >>> [(s.model, s.trials) for s in comparison.summaries()]
    [('NB', 2), ('CNB', 2)]
    """
    validation.check_option("protocol", protocol, ("clean", "paper"))
    named = name_models(models)
    pool = protocol == "clean" if pool is None else bool(pool)
    metrics = tuple(dict.fromkeys([metrics] if isinstance(metrics, str) else metrics))
    if not metrics or not set(metrics) <= set(METRICS):
        allowed = ", ".join(METRICS)
        raise ValueError(f"metrics must be one or more of {allowed}; got {list(metrics)!r}.")
    validation.check_option("unseen_terms", unseen_terms, ("drop", "keep"))
    terms = TermChoice(min_df, n_terms, unseen_terms)
    seed = operator.index(seed)
    splitters = _as_list(RandomSplits(per_class=10) if splits is None else splits)
    corpora = [read_corpus(one) if is_frame(one) else one for one in _as_list(corpus)]
    for one in corpora:
        if not isinstance(one, str | Corpus):
            raise ValueError(
                f"corpus must be a Corpus, a name or a data frame; got {type(one).__name__}. For "
                "lists of texts and labels: Corpus('mine', texts, np.array(labels))."
            )
    _check_distinct("splits", [splitter.label for splitter in splitters])
    _check_distinct("corpora", [str(one if isinstance(one, str) else one.name) for one in corpora])
    known: dict[Cell, Result] = {}
    if results is not None:
        known = {result.cell: result for result in _records.read_results(results)}
        Path(results).parent.mkdir(parents=True, exist_ok=True)
        Path(results).open("ab").close()  # a file that cannot be written fails before any cell
    found: list[Result] = []
    failures: list[Exception] = []
    for one in corpora:
        loaded = load_corpus(one) if isinstance(one, str) else one
        experiment = Experiment(loaded, protocol, analyzer, terms, metrics, unlabeled, pool)
        auto = experiment.default_model()
        own = {name: auto if isinstance(m, str) else m for name, m in named.items()}
        tasks = experiment.list_tasks(own, splitters, seed)
        finished = {
            cell: known[cell]
            for cell, _, _ in tasks
            if cell in known and known[cell].scores.keys() >= set(metrics)
        }
        pending = [task for task in tasks if task[0] not in finished]
        for cell, outcome in _run(experiment, pending, n_jobs, progress):
            if isinstance(outcome, Result):
                finished[cell] = _records.join_scores(outcome, known.get(cell))
                if results is not None:
                    _records.append_result(results, finished[cell])
            elif results is None:
                raise outcome
            else:
                failures.append(outcome)
        found += [finished[cell] for cell, _, _ in tasks if cell in finished]
    if failures:
        first, n = failures[0], len(failures)
        first.add_note(f"{n} cell(s) failed; {len(found)} are finished and saved in {results}.")
        raise first
    return Comparison(tuple(found))


def _run(
    experiment: Experiment, tasks: list[Task], n_jobs: int | None, progress: bool | None
) -> Iterator[tuple[Cell, Result | Exception]]:
    """Yield each result, or the error, when it is finished; show progress and warnings."""
    run = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    attempts = (delayed(_attempt)(os.getpid(), experiment, *task) for task in tasks)
    shown = set()
    with messages.count_steps("", len(tasks), shown=progress) as count:
        for cell, outcome, caught in run(attempts):
            for category, message in caught:  # each once for a model
                if (cell.model, category, message) not in shown:
                    shown.add((cell.model, category, message))
                    where = f"(model {cell.model!r}, {cell.split})"
                    warnings.warn(f"{message} {where}", category, stacklevel=3)
            yield cell, outcome
            count(1, f"{cell.corpus}, {cell.split}, {cell.model}")


def _attempt(
    parent: int, experiment: Experiment, cell: Cell, model: Any, split: Split
) -> tuple[Cell, Result | Exception, list[tuple[type[Warning], str]]]:
    """Run a cell with one thread; return its error and warnings, so that other cells can finish."""
    workers.end_with_parent(parent)
    outcome: Result | Exception
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(limits=1):
        try:
            outcome = experiment.run(cell, model, split)
        except Exception as error:
            outcome = error
            where = f"{cell.corpus!r}, {cell.split}, repetition {cell.repetition}, fold {cell.fold}"
            error.add_note(f"In compare: {cell.model!r} on {where}.")
    return cell, outcome, [(warning.category, str(warning.message)) for warning in caught]


def _check_distinct(what: str, names: list[str]) -> None:
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise ValueError(f"Two {what} are called {twins[0]!r}. Compare them one after the other.")


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def name_models(models: Iterable[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """Return models by name; "auto" stays a name, because it depends on the documents."""
    if isinstance(models, str):
        raise ValueError(f"models must be a list of names; got one string. Try [{models!r}].")
    named: dict[str, Any] = {}
    pairs = models.items() if isinstance(models, Mapping) else ((None, each) for each in models)
    for name, model in pairs:
        if isinstance(model, str):
            own = model if name is None else str(name)
            named[own] = model if model == AUTO else make_model(model)
            continue
        if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
            raise ValueError(
                f"{model!r} is not a model: it needs fit and predict. Pass a name of "
                'list_models(), "auto", or an unfitted estimator such as MultinomialNB().'
            )
        if name is None:  # the class of the model, or of its steps; twins are numbered
            steps = [step for _, step in getattr(model, "steps", [])] or [model]
            base = " + ".join(type(step).__name__ for step in steps)
            names = chain([base], (f"{base} {number}" for number in count(2)))
            name = next(each for each in names if each not in named)
        named[str(name)] = model
    if not named:
        raise ValueError("models is empty. Pass at least one model to compare.")
    return named
