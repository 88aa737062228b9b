"""Learn from the tables of ``honeybayes fit``, and say what was learned."""

import os
import sys
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from honeybayes.calibration.coverage import FEWEST_HELD_OUT
from honeybayes.calibration.thresholds import as_records, describe_usual, thresholds_of
from honeybayes.cli._input import Reading, TextColumn
from honeybayes.cli._many_files import EngineChoice, check_found
from honeybayes.cli._messages import describe
from honeybayes.cli._output import show_count, show_status
from honeybayes.cli._projects import is_project
from honeybayes.cli._tables import (
    check_number_of_classes,
    has_labels,
    read_labeled,
    read_texts,
    warn_about_classes,
    without_empty,
)
from honeybayes.scale import POOL_SIZE, Part, PartError, PartsFit, fit_in_parts
from honeybayes.tables import (
    Corpus,
    file_ending,
    find_class_folders,
    find_files,
    find_missing,
    is_many,
)
from honeybayes.zoo import models_with

VERDICTS = {
    "good": "their words fit the texts",
    "unsure": "check some answers, add typical words, or label a few texts of each class",
    "poor": "do not rely on the answers; label a few texts of each class",
}
TOO_FEW_RANDOM = (
    "No threshold: it takes labels of {fewest} random texts, and {found} of the labels are of "
    "random texts. Chosen\ntexts say little about others. `honeybayes label` offers one random "
    "text in five."
)


class FitResult(NamedTuple):
    """A fitted classifier, the name of its model, and what it has learned from.

    ``n_random`` is the number of labels of random texts, if others were chosen.
    """

    classifier: Any
    model: str
    learned: PartsFit
    n_random: int | None

    @property
    def choice(self) -> dict[str, Any]:
        """The name of the model that was used, and the reason."""
        return self.classifier.choice_ or {"model": self.model, "reason": None}

    @property
    def n_used(self) -> int:
        """The number of texts without a label that the model has learned from."""
        uses_pool = self.choice["model"] in models_with("learns_from_unlabeled")
        return self.learned.n_pool if uses_pool else 0

    @property
    def n_repeats(self) -> int | None:
        """The number of texts that have the same words as another one."""
        return getattr(self.classifier.model_, "n_repeats_", None)

    def as_record(self, output: Path) -> dict[str, Any]:
        """Return the result for programs."""
        classifier = self.classifier
        return {
            "model": self.choice["model"],
            "reason": self.choice["reason"],
            "documents": self.learned.n_labeled,
            "unlabeled": self.n_used,
            "classes": classifier.classes_.tolist(),
            "terms": len(classifier.terms_),
            "stop_words_removed": bool(classifier.stop_words_),
            "repeats": self.n_repeats,
            "class_names": classifier.seeds_check_,
            "coverage": as_records(thresholds_of(classifier)),
            "file": str(output),
        }

    def describe(self, output: Path) -> list[str]:
        """Return the result in lines for people."""
        classifier, learned, n_used = self.classifier, self.learned, self.n_used
        model, reason = self.choice["model"], self.choice["reason"]
        lines = describe_check(classifier.seeds_check_)
        documents = [f"{learned.n_labeled} documents"] if learned.n_labeled or not n_used else []
        documents += [f"{n_used} without a label"] if n_used else []
        lines.append(
            f"{model} learned {len(classifier.classes_)} classes from {' and '.join(documents)}, "
            f"{len(classifier.terms_)} terms: {output}"
        )
        if learned.n_unlabeled > n_used >= POOL_SIZE:  # otherwise, the others repeat these
            lines.append(f"Those without a label are a random sample of {learned.n_unlabeled}.")
        if self.n_repeats:
            each = "texts have" if self.n_repeats > 1 else "text has"
            lines.append(
                f"{self.n_repeats} {each} the same words as another text; each counts once"
            )
        if classifier.stop_words == "auto":
            lines.append(f"Stop words: {'removed' if classifier.stop_words_ else 'kept'}")
        if reason:
            lines.append(f"Why {model}: {reason}")
            if learned.n_pool > n_used:
                lines.append(
                    f"It learns from labeled texts only: {learned.n_pool} others were not used."
                )
        thresholds = thresholds_of(classifier)
        lines += describe_usual(thresholds, "texts")
        if self.n_random is not None and classifier.calibrate and not thresholds:
            lines.append(TOO_FEW_RANDOM.format(fewest=FEWEST_HELD_OUT, found=self.n_random))
        return lines


def describe_check(check: dict[str, Any] | None) -> list[str]:
    """Return how far the names of the classes can be trusted, and the words that do not occur."""
    if check is None:
        return []
    about = VERDICTS[check["verdict"]]
    lines = [f"Class names: {check['verdict']} ({check['trust']:.2f}): {about}"]
    return lines + [
        f"Words of {name} that occur in no text: {words}"
        for name, words in check["missing"].items()
    ]


MINUS_ONE = "-1"


@dataclass(frozen=True)
class TableReader:
    """Reads texts with labels, and texts of the pool."""

    columns: TextColumn
    label: str
    reading: Reading
    known: tuple[str, ...]  # classes that were named
    id: str | None
    of_many: bool = False
    project: Any = None  # what `honeybayes.labeling.read_project` returned for the table

    def read(self, table: str) -> Corpus:
        """Read texts with labels; without any if the classes are known and there is no column."""
        text = self.columns
        if self.project is not None and isinstance(text, str):
            return without_empty(self.project.corpus, table)
        may_lack_labels = self.known and isinstance(text, str)
        if may_lack_labels and not has_labels(table, str(text), self.label, self.reading):
            found = read_texts(table, text, self.reading)
            return Corpus(table, found, np.full(len(found), ""))
        return read_labeled(
            *(table, text, self.label, self.reading),
            known=list(self.known),
            id=self.id,
            refuse_ids=not self.of_many,  # one file may have few rows of each class
            of_many=self.of_many,
        )

    def read_pool(self, table: str) -> list[str]:
        """Read texts that need no labels."""
        return read_texts(table, self.columns, self.reading.of_pool())


class Tables(NamedTuple):
    """Many files with labels, and files of the pool."""

    labeled: list[str]
    pool: list[str]


def find_tables(table: str, pool: str | None, with_dask: bool) -> Tables | None:
    """Return the files of folders and patterns; None if one table, or one of the pool, is read."""
    labeled, unlabeled = _files_of(table, True), [] if pool is None else _files_of(pool, False)
    if not with_dask and labeled is None and not unlabeled:
        return None
    for name in (table, pool):
        if name == "-" or (name is not None and is_project(name)):
            what = "Standard input" if name == "-" else f"{name}, a project file,"
            raise ValueError(
                f"{what} cannot be used with many files or --engine dask. Save it as a table."
            )
    if labeled is None and Path(table).is_dir():
        raise ValueError(
            f"{table} is a folder with one sub-folder per class, which cannot be used with many "
            "files or --engine dask. Save it as a table."
        )
    whole = [] if pool is None else [pool]
    return Tables(
        [table] if labeled is None else labeled, whole if unlabeled is None else unlabeled
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


def fit_one(
    classifier: Any,
    reader: TableReader,
    corpus: Corpus,
    pool: str | None,
    seeds: Any,
    uses_pool: bool,
) -> tuple[PartsFit, int | None]:
    """Fit the classifier to the texts of one table and one pool; return what it has learned from.

    The second number is that of labels of random texts, if others were chosen, in a project.
    """
    texts, labels, unlabeled = corpus.split_unlabeled()
    n_unlabeled = len(unlabeled)
    if not uses_pool:
        unlabeled = []
    elif pool is not None:
        unlabeled += reader.read_pool(pool)
        n_unlabeled = len(unlabeled)
    is_random = None
    if reader.project is not None:
        is_random = np.array([each in reader.project.audit for each in texts], dtype=bool)
    name = classifier.model if isinstance(classifier.model, str) else "the model"
    task = "Choosing a model and fitting it" if name == "auto" else f"Fitting {name}"
    with show_status(f"{task}: {len(texts)} labeled texts, {len(unlabeled)} unlabeled"):
        classifier.fit(texts, labels, pool=unlabeled, seeds=seeds, is_random=is_random)
    sizes = Counter(labels.tolist())
    learned = PartsFit(classifier, len(texts), n_unlabeled, len(unlabeled), sizes)
    return learned, None if is_random is None else int(is_random.sum())


def fit_many(
    classifier: Any,
    reader: TableReader,
    tables: Tables,
    seeds: Any,
    choice: EngineChoice,
    keep_going: bool,
) -> PartsFit:
    """Fit the classifier; return what it has learned from."""

    def parts(files: list[str], load: Any) -> list[Part]:
        if choice.with_dask:  # the folder of a worker may be another one
            files = [os.path.abspath(file) for file in files]
        return [Part(file, load, (file, reader)) for file in files]

    def show(what: str, total: int) -> Any:
        return show_count(f"{what}: files", total=total)

    labeled, pool = parts(tables.labeled, _load), parts(tables.pool, _load_pool)
    try:
        with choice.open(len(labeled) + len(pool), show) as engine:
            learned = fit_in_parts(
                *(classifier, labeled, pool),
                seeds=seeds,
                engine=engine,
                keep_going=keep_going,
                check_sizes=partial(_check_sizes, reader, tables),
            )
    except PartError as error:
        raise ValueError(
            f"{describe(error)} Correct this file, or leave it out with --keep-going."
        ) from error
    for problem in learned.left_out.values():
        print(f"Left out: {describe(ValueError(problem))}", file=sys.stderr)
    classes = np.array([str(label) for label in learned.sizes])
    rows = np.array(list(learned.sizes.values()))
    warn_about_classes(classes, rows, reader.label, reader.reading.unlabeled, reader.known)
    return learned


def _check_sizes(
    reader: TableReader, tables: Tables, sizes: Mapping[Any, int], n_unlabeled: int
) -> None:
    """Raise ValueError if the labels of all files together cannot be meant so."""
    classes = np.array([str(label) for label in sizes])
    if MINUS_ONE in find_missing(classes, reader.known) and reader.reading.unlabeled == "auto":
        raise ValueError(
            f"The label {MINUS_ONE} is a class in some files, and among other whole numbers in "
            f"others. Say what it is: --read unlabeled={MINUS_ONE} means no label, and --read "
            "\"unlabeled=''\" a class."
        )
    may_be_ids = not (
        reader.reading.many_classes or n_unlabeled or set(classes) <= set(reader.known)
    )
    if may_be_ids:
        first, others = tables.labeled[0], [reader.columns, reader.id]
        check_number_of_classes(
            *(len(sizes), sum(sizes.values()), first, reader.label, others, reader.reading),
            where="All files together",
        )


def _load(table: str, reader: TableReader) -> tuple[Any, ...]:
    """Read one of many tables. Warnings about each would be too many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.read(table).split_unlabeled()


def _load_pool(table: str, reader: TableReader) -> tuple[list[str], None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader.read_pool(table), None


def check_complete(left_out: Any, tables: Tables | None, output: Any) -> None:
    """Raise ValueError if files were left out, after the model of the others was written."""
    if left_out and tables is not None:
        n_files = len(tables.labeled) + len(tables.pool)
        raise ValueError(
            f"{len(left_out)} of {n_files} files could not be read; the reasons are above. "
            f"{output} was learned from the others."
        )
