"""Many tables of ``honeybayes fit``: which they are, and how a model learns from all of them."""

import os
import sys
import warnings
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from honeybayes.cli._input import Input, is_project
from honeybayes.cli._many_files import LOCAL, check_found, open_engine
from honeybayes.cli._messages import describe
from honeybayes.cli._output import show_count
from honeybayes.scale import Part, PartError, PartsFit, fit_in_parts
from honeybayes.tables import file_ending, find_class_folders, find_files, find_missing, is_many
from honeybayes.utils.labels import AUTO

MINUS_ONE = "-1"


class Tables(NamedTuple):
    """Many files with labels, and files of the pool."""

    labeled: list[str]
    pool: list[str]


def find_tables(table: str, pool: str | None, with_dask: bool) -> Tables | None:
    """Return the files of folders and patterns; None if one table, or one of the pool, is read."""
    labeled, unlabeled = _files_of(table, True), [] if pool is None else _files_of(pool, False)
    if not with_dask and labeled is None and not unlabeled:
        return None
    what = None
    if "-" in (table, pool):
        what = "Standard input"
    elif projects := [name for name in (table, pool) if name is not None and is_project(name)]:
        what = f"{projects[0]}, a project file,"
    elif labeled is None and Path(table).is_dir():
        what = f"{table}, a folder with one sub-folder per class,"
    if what is not None:
        raise ValueError(
            f"{what} cannot be used with many files or --engine dask. Save it as a table."
        )
    return Tables(
        [table] if labeled is None else labeled, [str(pool)] if unlabeled is None else unlabeled
    )


def _files_of(table: str, with_labels: bool) -> list[str] | None:
    """Return the files of a folder or a pattern; None for one table."""
    if not is_many(table):
        return None
    files, folder = find_files(table), Path(table)
    if with_labels and folder.is_dir():
        files = [file for file in files if file_ending(file) != ".txt"]  # which has no labels
        of_classes = find_class_folders(folder)
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
    classifier: Any, inputs: Input, tables: Tables, seeds: Any, engine: str, keep_going: bool
) -> PartsFit:
    """Fit the classifier; return what it has learned from."""

    def parts(files: list[str], load: Any) -> list[Part]:
        if engine != LOCAL:  # the folder of a worker may be another one
            files = [os.path.abspath(file) for file in files]
        return [Part(file, load, (file, inputs)) for file in files]

    def show(what: str, total: int) -> Any:
        return show_count(f"{what}: files", total=total)

    labeled, pool = parts(tables.labeled, _load), parts(tables.pool, _load_pool)
    try:
        with open_engine(engine, len(labeled) + len(pool), show=show) as opened:
            learned = fit_in_parts(
                *(classifier, labeled, pool),
                seeds=seeds,
                engine=opened,
                keep_going=keep_going,
                check_sizes=partial(_check_sizes, inputs, tables.labeled[0]),
            )
    except PartError as error:
        raise ValueError(
            f"{describe(error)} Correct this file, or leave it out with --keep-going."
        ) from error
    for problem in learned.left_out.values():
        print(f"Left out: {describe(ValueError(problem))}", file=sys.stderr)
    inputs.warn_about_classes([*map(str, learned.sizes)], [*learned.sizes.values()])
    return learned


def _check_sizes(inputs: Input, first: str, sizes: Mapping[Any, int], n_unlabeled: int) -> None:
    """Raise ValueError if the labels of all files together cannot be meant so."""
    classes = np.array([str(label) for label in sizes])
    if inputs.unlabeled == AUTO and MINUS_ONE in find_missing(classes, inputs.known):
        raise ValueError(
            f"The label {MINUS_ONE} is a class in some files, and among other whole numbers in "
            f"others. Say what it is: --read unlabeled={MINUS_ONE} means no label, and --read "
            "\"unlabeled=''\" a class."
        )
    if not n_unlabeled:
        n_rows = sum(sizes.values())
        inputs.check_number_of_classes(classes.tolist(), n_rows, first, "All files together")


def _load(table: str, inputs: Input) -> tuple[Any, ...]:
    """Read one of many tables. Warnings about each would be too many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return inputs.read_labeled(table, training=True, of_many=True).split_unlabeled()


def _load_pool(table: str, inputs: Input) -> tuple[list[str], None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return inputs.read_pool(table), None
