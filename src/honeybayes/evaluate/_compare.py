"""Train and test every model on every split in parallel, and save each result immediately."""

import operator
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse

from honeybayes.data import Corpus, load_corpus
from honeybayes.evaluate._comparison import Comparison
from honeybayes.evaluate._digest import describe_model, digest, digest_of_documents
from honeybayes.evaluate._metrics import METRICS
from honeybayes.evaluate._progress import progress_bar
from honeybayes.evaluate._records import Cell, Result, ResultsFile, read_results
from honeybayes.evaluate._splits import RandomSplits, Split, Splitter
from honeybayes.evaluate._terms import Analyzer, TermChoice, count_terms
from honeybayes.evaluate._trial import Experiment
from honeybayes.text import TextAnalyzer
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.validation import check_option
from honeybayes.zoo import make_model

ENGLISH = TextAnalyzer()

Task = tuple[Cell, Any, Split]


def compare(
    models: Iterable[str] | Mapping[str, Any],
    corpus: Corpus | str | Sequence[Corpus | str],
    splits: Splitter | Sequence[Splitter] | None = None,
    *,
    protocol: str = "clean",
    analyzer: Analyzer | None = ENGLISH,
    min_df: int = 1,
    n_terms: int | None = None,
    unseen_terms: str = "drop",
    metrics: Iterable[str] = METRICS,
    unlabeled: Any = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    results: str | PathLike | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Train and test every model on the same splits of one or more corpora.

    Parameters
    ----------
    models : iterable of str, or mapping of str to estimator
        Names from `honeybayes.list_models`, or a mapping from your own names to unfitted
        classifiers.
    corpus : Corpus, str, or a sequence of them
        Documents with labels. A string is a name for `honeybayes.data.load_corpus`.
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
        Value of the labels that marks unlabeled documents. They are never test documents. They are
        training documents for models that learn from unlabeled documents and whose parameter
        ``unlabeled`` has this value.
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
    >>> from honeybayes.data import load_corpus
    >>> from honeybayes.evaluate import RandomSplits, compare
    >>> splits = RandomSplits(per_class=5, repetitions=2)
    >>> comparison = compare(["NB", "CNB"], "messages", splits, metrics=["accuracy"])
    >>> len(comparison.results)
    4
    >>> [(s.model, s.trials) for s in comparison.summaries()]
    [('NB', 2), ('CNB', 2)]
    """
    check_option("protocol", protocol, ("clean", "paper"))
    named = _named_models(models)
    metrics = _checked_metrics(metrics)
    terms = TermChoice(min_df, n_terms, unseen_terms)
    seed = operator.index(seed)
    splitters = _as_list(RandomSplits(per_class=10) if splits is None else splits)
    corpora = _as_list(corpus)
    _check_distinct("splits", [splitter.label for splitter in splitters])
    _check_distinct("corpora", [str(one if isinstance(one, str) else one.name) for one in corpora])
    known = {} if results is None else {r.cell: r for r in read_results(results)}
    file = None if results is None else ResultsFile(results)
    found: list[Result] = []
    failures: list[Exception] = []
    for one in corpora:
        loaded = load_corpus(one) if isinstance(one, str) else one
        experiment = _prepare(loaded, protocol, analyzer, terms, metrics, unlabeled)
        tasks = _list_tasks(experiment, str(loaded.name), named, splitters, seed)
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
) -> Experiment:
    """Count the terms; with the protocol "paper", also choose them."""
    documents, y = count_terms(corpus, analyzer), corpus.labels
    labeled = np.flatnonzero(encode_labels(y, unlabeled)[1] >= 0)
    if not sparse.issparse(documents) and terms != TermChoice():
        raise ValueError(
            "min_df, n_terms and unseen_terms have no effect with analyzer=None, because the "
            "models get the texts. Remove them, or pass an analyzer."
        )
    if protocol == "paper" and sparse.issparse(documents):
        X = documents[labeled]
        documents = documents[:, terms.choose(X, np.arange(len(labeled)), y[labeled])]
    return Experiment(documents, y, labeled, unlabeled, protocol, terms, metrics)


def _list_tasks(
    experiment: Experiment,
    corpus: str,
    models: Mapping[str, Any],
    splitters: list[Splitter],
    seed: int,
) -> list[Task]:
    """List all cells, split by split, so that an interrupted run has compared all models."""
    labeled = experiment.labeled
    described = {name: describe_model(model) for name, model in models.items()}
    documents = digest_of_documents(
        experiment.documents, experiment.y, unseen_terms=experiment.terms.unseen
    )
    setting = (documents, experiment.terms, experiment.unlabeled)
    tasks = []
    for splitter in splitters:
        for split in splitter.split(experiment.y[labeled], corpus, seed):
            split = split._replace(train=labeled[split.train], test=labeled[split.test])
            rows = digest(split.train.tobytes(), split.test.tobytes())
            for name, model in models.items():
                setup = digest(repr((*setting, rows, described[name])).encode())
                where = (corpus, experiment.protocol, splitter.label, split.repetition, split.fold)
                tasks.append((Cell(*where, name, seed, setup), model, split))
    return tasks


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
    with progress_bar(len(pending), progress) as show_step:
        for cell, outcome in run(delayed(_attempt)(experiment, *task) for task in pending):
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


def _attempt(
    experiment: Experiment, cell: Cell, model: Any, split: Split
) -> tuple[Cell, Result | Exception]:
    """Run a cell; return an error instead of raising it, so that other cells can finish."""
    try:
        return cell, experiment.run(cell, model, split)
    except Exception as error:
        return cell, error


def _named_models(models: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(models, str):
        raise ValueError(f"models must be a list of names; got one string. Try [{models!r}].")
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    else:
        named = {str(name): make_model(name) for name in models}
    if not named:
        raise ValueError("models is empty. Pass at least one model to compare.")
    return named


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
