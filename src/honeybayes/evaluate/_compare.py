"""Train and test every model on every split in parallel, and save each result immediately."""

import operator
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse

from honeybayes.evaluate._comparison import Comparison
from honeybayes.evaluate._digest import describe_model, digest, digest_of_documents
from honeybayes.evaluate._metrics import METRICS
from honeybayes.evaluate._models import auto_for, mark_of_pool, name_models
from honeybayes.evaluate._progress import progress_bar
from honeybayes.evaluate._records import Cell, Result, ResultsFile, read_results
from honeybayes.evaluate._splits import RandomSplits, Split, Splitter
from honeybayes.evaluate._trial import Analyzer, Experiment, TermChoice, count_terms
from honeybayes.tables import Corpus, is_frame, load_corpus, read_corpus
from honeybayes.text import ATTRIBUTES, TextAnalyzer
from honeybayes.utils.digests import digest_texts
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.validation import check_option
from honeybayes.utils.workers import end_with_parent

ENGLISH = TextAnalyzer()

Task = tuple[Cell, Any, Split]


def compare(
    models: Iterable[Any] | Mapping[str, Any],
    corpus: Any,
    splits: Splitter | Sequence[Splitter] | None = None,
    *,
    protocol: str = "clean",
    analyzer: Analyzer | None = ENGLISH,
    min_df: int = 1,
    n_terms: int | None = None,
    unseen_terms: str = "drop",
    metrics: Iterable[str] = METRICS,
    unlabeled: Any = None,
    pool: bool | None = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    results: str | PathLike | None = None,
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
        Documents that ``min_df`` and ``n_terms`` use. "clean" uses the training part. "paper" uses
        all labeled documents, before the split, as the papers did. Then the test labels influence
        the choice of terms, and all accuracies are too high. Every result contains its protocol.
    analyzer : callable or None, default=TextAnalyzer()
        Function that splits a text into terms. With None, the models get the texts. It has no
        effect on a corpus of counts.
    min_df : int, default=1
        Leave out terms that occur in fewer than this number of documents.
    n_terms : int or None, default=None
        Number of terms to keep: the terms with the highest information gain. None keeps all terms.
    unseen_terms : {"drop", "keep"}, default="drop"
        Whether to keep terms that occur in no training document. If they are kept, they change the
        smoothing of a model, which then depends on the number of new terms in the test documents.
    metrics : iterable of str, default=all
        Any of "accuracy", "macro_f1", "micro_f1", "auc", "log_loss", "brier",
        "calibration_error". The seconds of fit and predict are always measured.
    unlabeled : label, optional
        Value of the labels that marks unlabeled documents; by default, the empty string if a corpus
        has it. They are never test documents. They are
        training documents for models that learn from unlabeled documents and whose parameter
        ``unlabeled`` has this value.
    pool : bool, optional
        Whether the labeled documents outside a draw, without their labels, are unlabeled training
        documents for models that use them: "auto", "FewLabels", and every model whose parameter
        ``unlabeled`` is not None. The test documents are among them, as they are if a model learns
        from the texts that it will classify. By default True; False with the protocol "paper".
    seed : int, default=0
        Seed of the splits, which are the same for every model, and of the random states.
    n_jobs : int or None, default=1
        Number of processes; -1 uses all cores. The results do not depend on it.
    results : path-like, optional
        File to which each result is appended. If a run is interrupted or killed, start it again
        with the same file to continue. With a file, an error is raised only after all other cells
        are finished.
    progress : bool, optional
        Whether to show a progress bar on standard error. By default it is shown if standard error
        is a terminal.

    Returns
    -------
    Comparison
        The results, with summaries and tests.

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
    check_option("protocol", protocol, ("clean", "paper"))
    named = name_models(models)
    pool = protocol == "clean" if pool is None else bool(pool)
    metrics = _checked_metrics(metrics)
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
    known = {} if results is None else {r.cell: r for r in read_results(results)}
    file = None if results is None else ResultsFile(results)
    found: list[Result] = []
    failures: list[Exception] = []
    for one in corpora:
        loaded = load_corpus(one) if isinstance(one, str) else one
        experiment = _prepare(loaded, protocol, analyzer, terms, metrics, unlabeled, pool)
        auto = auto_for(analyzer, min_df, n_terms, experiment.texts is not None)
        own = {name: auto if isinstance(m, str) else m for name, m in named.items()}
        # records of few attributes are often equal, and yet not the same
        may_repeat = getattr(analyzer, "language", None) == ATTRIBUTES
        tasks = _list_tasks(experiment, loaded, own, splitters, seed, may_repeat)
        found += _finish(experiment, tasks, known, file, n_jobs, progress, failures)
    if failures:
        failures[0].add_note(
            f"{len(failures)} cell(s) failed; {len(found)} are finished and saved in {results}."
        )
        raise failures[0]
    return Comparison(tuple(found))


def _prepare(
    corpus: Corpus,
    protocol: str,
    analyzer: Analyzer | None,
    terms: TermChoice,
    metrics: tuple[str, ...],
    unlabeled: Any,
    pool: bool,
) -> Experiment:
    """Count the terms; with the protocol "paper", also choose them."""
    documents, y = count_terms(corpus, analyzer), corpus.labels
    if unlabeled is None and y.dtype.kind == "U" and (y == "").any():
        unlabeled = ""  # what a Corpus means by it
    labeled = np.flatnonzero(encode_labels(y, unlabeled)[1] >= 0)
    if not sparse.issparse(documents) and terms != TermChoice():
        raise ValueError(
            "min_df, n_terms and unseen_terms have no effect with analyzer=None, because the "
            "models get the texts. Remove them, or pass an analyzer."
        )
    if protocol == "paper" and sparse.issparse(documents):
        X = documents[labeled]
        documents = documents[:, terms.choose(X, np.arange(len(labeled)), y[labeled])]
    texts = corpus.documents if isinstance(corpus.documents, list) else None
    return Experiment(documents, texts, y, labeled, unlabeled, protocol, terms, metrics, pool)


def _list_tasks(
    experiment: Experiment,
    corpus: Corpus,
    models: Mapping[str, Any],
    splitters: list[Splitter],
    seed: int,
    may_repeat: bool,
) -> list[Task]:
    """List all cells, split by split, so that an interrupted run has compared all models."""
    labeled, name = experiment.labeled, str(corpus.name)
    settings = {model: _describe(experiment, models[model]) for model in models}
    is_clean = experiment.protocol == "clean" and experiment.texts is not None and not may_repeat
    repeated = digest_texts(experiment.texts or (), salt=0) if is_clean else None
    tasks = []
    for splitter in splitters:
        for split in splitter.split(experiment.y[labeled], name, seed):
            split = split._replace(train=labeled[split.train], test=labeled[split.test])
            split = split.without_repeated(repeated)
            if not len(split.test):
                raise ValueError(
                    f"{name!r}, {splitter.label}: every test document has the text of a training "
                    "document, so nothing can be measured. Remove repeated texts."
                )
            rows = digest(split.train.tobytes(), split.test.tobytes())
            for model, estimator in models.items():
                documents, terms, mark, described, *pool = settings[model]
                setup = repr((documents, terms, mark, rows, described, *pool)).encode()
                where = (name, experiment.protocol, splitter.label, split.repetition, split.fold)
                cell = Cell(*where, model, seed, digest(setup))
                tasks.append((cell, estimator, split))
    return tasks


def _describe(experiment: Experiment, model: Any) -> tuple:
    """Describe all that a result depends on, except the split."""
    documents = experiment.documents_for(model)
    terms = experiment.terms if sparse.issparse(documents) else TermChoice()
    digested = digest_of_documents(documents, experiment.y, unseen_terms=terms.unseen)
    pool = ["pool"] if experiment.pool and mark_of_pool(model) is not None else []
    return (digested, terms, experiment.unlabeled, describe_model(model), *pool)


def _finish(
    experiment: Experiment,
    tasks: list[Task],
    known: Mapping[Cell, Result],
    file: ResultsFile | None,
    n_jobs: int | None,
    progress: bool | None,
    failures: list[Exception],
) -> list[Result]:
    """Run the cells that are not known yet; return the results of all, in order.

    With a file, errors are appended to ``failures``. Without a file, the first one is raised.
    """
    finished = {
        cell: known[cell]
        for cell, _, _ in tasks
        if cell in known and set(experiment.metrics) <= known[cell].scores.keys()
    }
    pending = [task for task in tasks if task[0] not in finished]
    run = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    shown: set[tuple] = set()
    with progress_bar(len(pending), progress) as show_step:
        for cell, outcome, caught in run(
            delayed(_attempt)(os.getpid(), experiment, *task) for task in pending
        ):
            _warn_once(cell, caught, shown)
            if isinstance(outcome, Exception):
                if file is None:
                    raise outcome
                failures.append(outcome)
            else:
                result = outcome.with_scores_of(known.get(cell))
                if file is not None:
                    file.append(result)
                finished[cell] = result
            show_step(f"{cell.corpus}, {cell.split}, {cell.model}")
    return [finished[cell] for cell, _, _ in tasks if cell in finished]


Caught = list[tuple[type[Warning], str]]


def _attempt(
    parent: int, experiment: Experiment, cell: Cell, model: Any, split: Split
) -> tuple[Cell, Result | Exception, Caught]:
    """Run a cell; return an error instead of raising it, so that other cells can finish.

    Warnings are returned, too, because those of another process would be lost.
    """
    end_with_parent(parent)
    outcome: Result | Exception
    with warnings.catch_warnings(record=True) as caught:
        try:
            outcome = experiment.run(cell, model, split)
        except Exception as error:
            outcome = error
    return cell, outcome, [(warning.category, str(warning.message)) for warning in caught]


def _warn_once(cell: Cell, caught: Caught, shown: set[tuple]) -> None:
    """Repeat the warnings of a cell with the name of its model, each once for a model."""
    for category, message in caught:
        if (cell.model, category, message) not in shown:
            shown.add((cell.model, category, message))
            warnings.warn(f"{message} (model {cell.model!r}, {cell.split})", category, stacklevel=4)


def _checked_metrics(metrics: Iterable[str]) -> tuple[str, ...]:
    names = tuple(dict.fromkeys([metrics] if isinstance(metrics, str) else metrics))
    if not names or not set(names) <= set(METRICS):
        raise ValueError(
            f"metrics must be one or more of {', '.join(METRICS)}; got {list(names)!r}."
        )
    return names


def _check_distinct(what: str, names: list[str]) -> None:
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise ValueError(
            f"Two {what} are called {twins[0]!r}, so their results could not be distinguished. "
            "Compare them one after the other."
        )


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
