"""Train and test every model on every split in parallel, and save each result immediately."""

import operator
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from os import PathLike
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from honeybayes.evaluate import _records
from honeybayes.evaluate._comparison import Comparison
from honeybayes.evaluate._records import Cell, Result
from honeybayes.evaluate._splits import RandomSplits, Split, Splitter
from honeybayes.evaluate.metrics import METRICS
from honeybayes.evaluate.trial import Analyzer, Experiment, Task, TermChoice
from honeybayes.tables import Corpus, is_frame, load_corpus, read_corpus
from honeybayes.utils import messages, validation, workers
from honeybayes.utils.labels import AUTO
from honeybayes.zoo import make_model


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
