"""Many files: who works on them, and how a model learns from all of them."""

import logging
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes import scale, tables
from honeybayes.cli._input import Input, is_project
from honeybayes.cli._output import UsageError, describe
from honeybayes.utils.labels import AUTO, MINUS_ONE
from honeybayes.utils.messages import count_steps
from honeybayes.utils.optional import import_optional
from honeybayes.utils.workers import watched_pool

Files = tuple[list[str], list[str]]  # with labels, and of the pool
LOCAL, DASK, ADDRESS = "local", "dask", "://"


def check_engine(typed: str) -> None:
    """Raise UsageError if ``--engine`` is not local, dask, or the address of a scheduler."""
    if typed != DASK and ADDRESS not in typed:
        raise UsageError(
            f"--engine {typed} is unknown. It must be {LOCAL}, {DASK}, or the address of a "
            "scheduler, such as tcp://10.0.0.1:8786."
        )


@contextmanager
def open_engine(
    typed: str, n_files: int, jobs: int | None = None, show: Any = None
) -> Iterator[scale.LocalEngine]:
    """Yield the engine for this number of files; by default, Dask has one process per core."""
    if typed != LOCAL and n_files:
        n_workers = min(jobs or os.cpu_count() or 1, n_files)
        scheduler = typed if ADDRESS in typed else None
        with _without_logs_of_dask(), scale.connect_dask(scheduler, n_workers, show) as engine:
            yield engine
    elif (jobs or 1) > 1 and n_files > 1:
        with watched_pool():
            yield scale.ProcessEngine(jobs or 1, show)
    else:
        yield scale.LocalEngine(show)


@contextmanager
def _without_logs_of_dask() -> Iterator[None]:
    """Leave out tracebacks of a lost connection, which one error explains."""
    import_optional("distributed", "scale")  # which sets levels when it is imported
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    except Exception:
        logging.disable(before)
        raise
    logging.disable(before)  # not after an interruption: what ends later would show tracebacks


def check_found(files: Sequence[Path], table: str, what_for: str) -> None:
    """Raise ValueError if a folder or a pattern has no file."""
    if not files:
        raise ValueError(
            f"{table} has no file to {what_for}. The files of a folder must end in one of "
            f"{', '.join(tables.FORMAT_OF_ENDING)}, also with .gz; a pattern is written in quotes: "
            "'mails/*.csv'."
        )


def find_tables(table: str, pool: str | None, with_dask: bool) -> Files | None:
    """Return the files to learn from; None if one table and one of the pool are read."""
    labeled, unlabeled = _files_of(table, True), [] if pool is None else _files_of(pool, False)
    if not with_dask and labeled is None and not unlabeled:
        return None
    wrong = [name for name in (table, pool or "") if name == "-" or is_project(name)]
    wrong += [table] if labeled is None and Path(table).is_dir() else []
    if wrong:
        raise ValueError(
            f"{wrong[0]}: standard input, a project file, or a folder with one sub-folder per "
            "class cannot be used with many files or --engine dask. Save it as a table."
        )
    return labeled or [table], [str(pool)] if unlabeled is None else unlabeled


def _files_of(table: str, with_labels: bool) -> list[str] | None:
    """Return the files of a folder or a pattern; None for one table."""
    if not tables.is_many(table):
        return None
    files, folder = tables.find_files(table), Path(table)
    if with_labels and folder.is_dir():
        # lines of text have no labels
        files = [file for file in files if tables.file_ending(file) != ".txt"]
        of_classes = tables.find_class_folders(folder)
        if of_classes and files:
            raise ValueError(
                f"{table} has tables, such as {files[0].name}, and sub-folders, such as "
                f"{of_classes[0].name}. A folder has either tables, or one sub-folder per class. "
                f"Name the tables with a pattern, such as '{table}/*{files[0].suffix}'."
            )
        if not files:
            return None  # one sub-folder per class
    check_found(files, table, "learn from")
    return [str(file) for file in files]


def fit_many(
    classifier: Any, inputs: Input, files: Files, seeds: Any, engine: str, keep_going: bool
) -> scale.PartsFit:
    """Fit the classifier to labeled files and a pool; return what it has learned from."""

    def parts(files: list[str], has_labels: bool) -> list[scale.Part]:
        if engine != LOCAL:  # the folder of a worker may be another one
            files = [os.path.abspath(file) for file in files]
        return [scale.Part(file, _load, (file, inputs, has_labels)) for file in files]

    def show(what: str, total: int) -> Any:
        return count_steps(f"{what}: files", total)

    labeled, pool = parts(files[0], True), parts(files[1], False)
    try:
        with open_engine(engine, len(labeled) + len(pool), show=show) as opened:
            learned = scale.fit_in_parts(
                *(classifier, labeled, pool),
                seeds=seeds,
                engine=opened,
                keep_going=keep_going,
                check_sizes=partial(_check_sizes, inputs, files[0][0]),
            )
    except scale.PartError as error:
        raise ValueError(
            f"{describe(error)} Correct this file, or leave it out with --keep-going."
        ) from error
    for problem in learned.left_out.values():
        print(f"Left out: {describe(ValueError(problem))}", file=sys.stderr)
    inputs.warn_about_classes([*map(str, learned.sizes)], [*learned.sizes.values()])
    return learned


def _check_sizes(inputs: Input, first: str, sizes: Mapping[Any, int], n_unlabeled: int) -> None:
    """Raise ValueError if the labels of all files together cannot be meant so."""
    classes = [str(label) for label in sizes]
    marks = tables.find_missing(np.array(classes), inputs.known)
    if inputs.unlabeled == AUTO and MINUS_ONE in marks:
        raise ValueError(
            f"The label {MINUS_ONE} is a class in some files, and among other whole numbers in "
            f"others. Say what it is: --read unlabeled={MINUS_ONE} means no label, and --read "
            "\"unlabeled=''\" a class."
        )
    if not n_unlabeled:
        inputs.check_number_of_classes(classes, sum(sizes.values()), first, "All files together")


def _load(table: str, inputs: Input, has_labels: bool) -> tuple[Any, ...]:
    """Read one of many tables. Warnings about each would be too many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not has_labels:
            return inputs.read_pool(table), None
        return inputs.read_labeled(table, training=True, of_many=True).split_unlabeled()
