"""Classify the rows of tables, and write them with the answers: one table, or many files."""

import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import lru_cache, partial
from glob import has_magic
from hashlib import file_digest
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from click import BOOL, IntRange

from honeybayes import tables
from honeybayes.calibration.coverage import prediction_sets, warn_of_unknown_classes
from honeybayes.calibration.temperature_scaled import held_out_of
from honeybayes.classifier.answer_columns import AnswerColumns, ColumnsError, RowCounts
from honeybayes.cli._input import Input, check_table, load_classifier
from honeybayes.cli._many_files import LOCAL, check_found, open_engine
from honeybayes.cli._output import UsageError, describe
from honeybayes.cli._settings import MOST, Parsers
from honeybayes.tables import file_ending, make_frame
from honeybayes.utils.labels import MARKS, MINUS_ONE
from honeybayes.utils.messages import count_steps, exact
from honeybayes.utils.writing import NO_SPACE, atomic_write, remove_abandoned_drafts


def parse_share(value: str, option: str | None = None, ends: bool = False) -> float:
    """Return a number between 0 and 1, which may be typed in percent; ``ends`` allows 0 and 1."""
    typed = value.strip()
    try:
        number = float(typed.removesuffix("%")) / (100 if typed.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not (0 <= number <= 1 if ends else 0 < number < 1):
        told = "it must be between 0 and 1. For 90 %, type 0.9 or 90%."
        raise UsageError(told if option is None else f"{option} {value} is wrong: {told}")
    return number


ADD: Parsers = {"top": IntRange(1, MOST), "proba": BOOL, "outliers": BOOL, "sets": parse_share}


def output_format(path: str | None, table_format: str, as_json: bool) -> str:
    """Return the format to write, according to the ending of the name.

    A file without an ending has the format of the table, and so has standard output, except that
    workbooks are printed as CSV.
    """
    if as_json:
        return "json-lines"
    ending = "" if path is None else file_ending(path)
    of_objects = table_format in tables.OF_OBJECTS
    if path is not None and not ending and table_format == "excel":
        return "excel"
    if not ending or ending == ".txt":
        format = "json-lines" if of_objects and not ending else "csv"
    elif ending in tables.ENDINGS and (ending != ".parquet" or table_format == "parquet"):
        format = tables.FORMAT_OF_ENDING[ending]
    else:
        raise ValueError(
            f"{path}: the answers to this table cannot be written as {ending}. The ending must be "
            f"one of {', '.join(tables.ENDINGS)}, of text files also with .gz; .parquet needs a "
            "table in Parquet."
        )
    if of_objects and format != "json-lines":
        raise ValueError(
            f"{path}: JSON cannot be written as a table, because its fields may differ. Name a "
            "file that ends in .jsonl."
        )
    return format


Settings = dict[str, Any]  # how to read tables and what to write: the options of the command


def predict_table(
    classifier: Any, settings: Settings, table: str, path: str | None, date: int | None = None
) -> RowCounts:
    """Write the rows of a table with their answers to a file, or to standard output.

    The file of one of many tables has a ``date``, in nanoseconds, and its rows are not counted on
    the terminal.
    """
    inputs = Input.of_model(classifier, settings["text"], table, settings["reading"])
    fill, coverage, id = settings["answers"]["fill"], settings["sets"], settings["id"]
    if fill is not None and fill == inputs.text:
        raise ValueError(f"--fill {fill} is the column with the texts. Name another column.")
    rows = inputs.open(table, fill=fill, id=id)
    format = output_format(path, rows.format, settings["json"])
    if coverage is not None:
        of_label = held_out_of(classifier)[:, 1]
        warn_of_unknown_classes(of_label, coverage)
    counts = RowCounts(classifier)
    first = next(rows.frames, make_frame([], rows.columns))
    columns = rows.columns or list(first.columns)  # each object of JSON has columns of its own
    columns = columns if id is None else [id]
    answers = AnswerColumns(
        classifier.classes_,
        columns,
        sets=coverage is not None,
        as_json=format == "json-lines",
        marks=() if fill is None else inputs.marks([*MARKS, MINUS_ONE]),
        **settings["answers"],
    )
    on_terminal = path is None and sys.stdout.isatty()
    target: Any = path
    if path is None:
        target = sys.stdout if on_terminal else exact(sys.stdout)
        target.reconfigure(newline="")
    options = {"numbers": answers.numbers, "mtime": date, "plain_cells": settings["plain_cells"]}
    output = tables.open_writer(target, format=format, like=rows, **options)
    shown = False if date is not None or on_terminal else None  # rows are printed there
    with output as write, count_steps("Classified", shown=shown) as count:
        for frame in chain([first], rows.frames):
            if not len(frame):
                write(make_frame([], [*columns, *answers.names]))  # the header
                continue
            texts = inputs.texts_of(frame, rows)
            probabilities = classifier.predict_proba(texts)
            is_empty = counts.add(texts, probabilities)
            scores = classifier.outlier_score(texts) if settings["answers"]["outliers"] else None
            members = None
            if coverage is not None:
                members = prediction_sets(probabilities, of_label, coverage)
                counts.numbers.update(members[~is_empty].sum(axis=1).tolist())
            kept = frame if id is None else frame[[id]]
            answered, more = answers.add(kept, probabilities, is_empty, scores, members)
            write(answered)
            counts.numbers.update(more)
            if hasattr(classifier, "has_seen"):  # a pipeline of scikit-learn does not know
                counts.numbers["seen"] += int(classifier.has_seen(texts).sum())
            count(len(frame))
    if path is None:
        sys.stdout.flush()
    return counts


RECORD = ".honeybayes-predict.json"  # says by which model the parts of a folder were written
WRITTEN_AS = {".json": ".jsonl", ".ods": ".xlsx", ".txt": ".csv", ".xlsm": ".xlsx"}


class Parts(NamedTuple):
    """Files to read by the files to write, and the folders of both."""

    files: dict[str, str]
    root: Path
    folder: Path


class PartCounts(NamedTuple):
    """What happened to a part; ``error`` says why it could not be read."""

    table: str
    numbers: Counter[Any]
    warnings: Iterable[str] = ()
    error: Exception | None = None


def find_parts(table: str, output: str | None, as_json: bool) -> Parts | None:
    """Return the files of a folder or a pattern, sorted; None if its texts are one table."""
    is_table = output is not None and file_ending(output) in tables.ENDINGS
    found = tables.find_files(table)
    is_of_letters = Path(table).is_dir() and all(file_ending(each) == ".txt" for each in found)
    if is_table and found and is_of_letters:
        return None  # a folder of letters becomes one table with a row for each
    if output in (None, "-") or is_table:
        raise ValueError(
            f"{table} is many files, whose answers need a folder. Name one with -o answers. (Only "
            "of a folder in which each .txt file is one text, the answers are one table.)"
        )
    path, folder = Path(table), Path(str(output))
    fixed = takewhile(lambda part: not has_magic(part), path.parts)
    root = path if path.is_dir() else Path(*fixed)
    target = os.path.realpath(folder)  # Path.resolve() fails if a link leads to itself
    if target == os.path.realpath(root):
        raise ValueError(
            f"{output} is the folder of the files to read. Name another folder for the answers."
        )
    found = [file for file in found if Path(target) not in Path(os.path.realpath(file)).parents]
    check_found(found, table, "classify")
    files: dict[str, str] = {}
    for file in found:
        name, ending = str(file.relative_to(root)), file_ending(file)
        # formats that cannot be written become others
        if (new := ".jsonl" if as_json else WRITTEN_AS.get(ending)) is not None:
            unpacked = name[:-3] if name.lower().endswith(".gz") else name
            name = f"{unpacked.removesuffix(Path(unpacked).suffix) if ending else name}{new}"
        answers = os.path.join(folder, name)
        if answers in files:
            raise ValueError(
                f"The answers to {files[answers]} and to {file} would both be {answers}. "
                "Rename one of the files, or classify them into two folders."
            )
        files[answers] = str(file)
    return Parts(files, root, folder)


def predict_parts(
    model: str,
    encoder: str | None,
    classifier: Any,
    settings: Settings,
    parts: Parts,
    workers: tuple[str, int | None],
    keep_going: bool,
) -> list[str]:
    """Classify the parts that are not finished; return lines that say what was done.

    The result in the folder does not depend on the order, on who classifies the files, or on how
    often the command was stopped before. ``workers`` are the engine and the number of jobs.
    """
    folder, (typed, jobs) = parts.folder, workers
    with open(model, "rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    record, is_new = _prepare_folder(digest, settings, parts)
    left = [each for each in parts.files.items() if not _is_finished(*each, record)]
    n_bad, n_before = 0, len(parts.files) - len(left)
    total = RowCounts(classifier)
    if typed != LOCAL:  # the folder of a worker may be another one
        left = [(os.path.abspath(path), os.path.abspath(table)) for path, table in left]
        model = os.path.abspath(model)
        encoder = os.path.abspath(encoder) if encoder and os.path.exists(encoder) else encoder
    task = partial(_predict_part, (model, encoder, digest), settings)
    try:
        with (
            open_engine(typed, len(left), jobs) as engine,
            count_steps("Files", len(parts.files), done=n_before) as count,
            closing(engine.map(task, left)) as run,
        ):
            for done in run:
                n_bad += _is_left_out(done, folder, keep_going)
                total.numbers += done.numbers
                count(1)
    except ConnectionError as error:
        raise ValueError(
            f"{error} The files that are finished stay in {folder}. Run the same command again: it "
            "does only what is missing."
        ) from error
    finally:  # also of workers that were killed
        for parent in {os.path.dirname(path) for path in parts.files}:
            remove_abandoned_drafts(Path(parent))
        written = (each for each in folder.rglob("*") if each.is_file())
        if is_new and all(each == record for each in written):
            record.unlink(missing_ok=True)  # no answers were written: other options may be tried
    before = f" ({n_before} more were finished before)" if n_before else ""
    where = f"{_files(len(left) - n_bad)}{before} in {folder}"
    lines = total.describe(where, bool(settings["answers"]["min_confidence"]))
    if not left:
        lines = [f"Nothing to do: all files in {folder} were finished before"]
    if n_bad:
        print(*lines, sep="\n", file=sys.stderr)
        raise ValueError(
            f"{_files(n_bad)} of {len(parts.files)} could not be classified; the reasons are "
            "above. Correct them, and run the same command again: it does only what is missing."
        )
    return lines


def _files(n: int) -> str:
    return "1 file" if n == 1 else f"{n} files"


def _is_left_out(done: PartCounts, folder: Path, keep_going: bool) -> bool:
    """Return True if a part could not be read, which ends the command unless it may go on."""
    for message in done.warnings:
        warnings.warn(message, UserWarning, stacklevel=3)
    if done.error is None:
        return False
    told = describe(done.error)
    told = told if done.table in told else f"{done.table}: {told}"
    if isinstance(done.error, ColumnsError):
        raise ValueError(told) from done.error
    if not keep_going or getattr(done.error, "errno", None) in NO_SPACE:
        raise ValueError(
            f"{told} The files that are finished stay in {folder}. Correct this one and run the "
            "same command again, or leave it out with --keep-going."
        ) from done.error
    print(f"Left out: {told}", file=sys.stderr)
    return True


def _prepare_folder(digest: str, settings: Settings, parts: Parts) -> tuple[Path, bool]:
    """Make the folder, or check that the same model, options and files made what is in it.

    Returns the file that records them, and whether this command wrote it.
    """
    folder = parts.folder
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file. Name a folder for the answers to many files.")
    source = os.path.relpath(parts.root, folder)
    made_by = {"model": digest, "options": settings, "files": source}
    wanted = json.dumps(made_by, sort_keys=True, indent=1)
    record = folder / RECORD
    known = [path for path in parts.files if os.path.exists(path)]
    if not record.is_file() and known:
        raise ValueError(
            f"{known[0]} exists already, and this command did not write it. Name another "
            "folder for the answers."
        )
    folder.mkdir(exist_ok=True)
    is_new = False
    with suppress(FileExistsError):  # another command may have begun at the same moment
        with atomic_write(record, replace=False) as draft:
            draft.write(wanted.encode())
        is_new = True
    if record.read_text(encoding="utf-8") != wanted:
        raise ValueError(
            f"{folder} has answers of another model, to files of another folder, or with other "
            "options. Name another folder, or delete this one."
        )
    for parent in {os.path.dirname(path) for path in parts.files}:
        os.makedirs(parent, exist_ok=True)
    return record, is_new


def _is_finished(path: str, table: str, record: Path) -> bool:
    """Return True if the answers have the date of the file that they answer."""
    try:
        found, date = os.stat(path).st_mtime_ns, os.stat(table).st_mtime_ns
        if found != date:  # a disk may keep whole seconds only: see what it makes of this date
            os.utime(record, ns=(date, date))
            date = os.stat(record).st_mtime_ns
    except (FileNotFoundError, PermissionError):
        return False
    return found == date


@lru_cache(maxsize=1)
def _load_once(model: str, encoder: str | None, digest: str) -> Any:
    """Load a model; a worker of Dask may live on when the file has another content."""
    return load_classifier(model, encoder)


def _predict_part(model: Any, settings: Settings, part: tuple[str, str]) -> PartCounts:
    """Classify one part; an error of the file is returned, so that others can go on."""
    path, table = part
    classifier = _load_once(*model)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            check_table(table)
            # the date of the answers says which version of the file they answer
            date = os.stat(table).st_mtime_ns
            counts = predict_table(classifier, settings, table, path, date)
        except (ValueError, OSError) as error:
            return PartCounts(table, Counter(), error=error)
    del counts.numbers["repeated"]  # texts of other files are not compared
    return PartCounts(table, counts.numbers, dict.fromkeys(str(each.message) for each in caught))
