"""Many files: who works on them, and how their answers are written once each."""

import json
import logging
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from functools import lru_cache, partial
from glob import has_magic
from hashlib import file_digest
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from honeybayes.classifier.answer_columns import ColumnsError
from honeybayes.classifier.text_check import TextCheck
from honeybayes.cli._input import check_table, load_classifier
from honeybayes.cli._messages import UsageError, describe
from honeybayes.cli._output import show_count
from honeybayes.cli._prediction import PredictOptions, RowCounts, predict_table
from honeybayes.scale import LocalEngine, ProcessEngine, connect_dask
from honeybayes.tables import FORMAT_OF_ENDING, file_ending, find_files, is_many
from honeybayes.utils.optional import import_optional
from honeybayes.utils.writing import DRAFT, NO_SPACE, atomic_write, remove_abandoned_drafts

LOCAL, DASK, ADDRESS = "local", "dask", "://"
LOGGERS = ("distributed", "distributed.client", "asyncio")


def check_engine(typed: str) -> None:
    """Raise UsageError if ``--engine`` is not local, dask, or the address of a scheduler."""
    if typed not in (LOCAL, DASK) and ADDRESS not in typed:
        raise UsageError(
            f"--engine {typed} is unknown. It must be {LOCAL}, {DASK}, or the address of a "
            "scheduler, such as tcp://10.0.0.1:8786."
        )


@contextmanager
def open_engine(
    typed: str, n_files: int, jobs: int | None = None, show: Any = None
) -> Iterator[LocalEngine]:
    """Yield the engine for this number of files; by default, Dask has one process per core."""
    if typed != LOCAL and n_files:
        n_workers = min(jobs or os.cpu_count() or 1, n_files)
        scheduler = typed if ADDRESS in typed else None
        with _without_logs_of_dask(), connect_dask(scheduler, n_workers, show) as engine:
            yield engine
    elif (jobs or 1) > 1 and n_files > 1:
        yield ProcessEngine(jobs or 1, show)
    else:
        yield LocalEngine(show)


@contextmanager
def _without_logs_of_dask() -> Iterator[None]:
    """Leave out tracebacks of a lost connection, which one error explains."""
    import_optional("distributed", "scale")  # which sets the levels when it is imported
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL)
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        levels = [logging.CRITICAL] * len(loggers)  # what ends later would show tracebacks
        raise
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)


RECORD = ".honeybayes-predict.json"  # says by which model the parts of a folder were written
WRITTEN_AS_CSV = (".xlsx", ".xlsm", ".txt")


class Parts(NamedTuple):
    """Files to read by the files to write, and the folders of both."""

    tables: dict[str, str]
    root: Path
    folder: Path


class PartCounts(NamedTuple):
    """What happened to a part; ``error`` says why it could not be read."""

    table: str
    numbers: Counter[Any]
    warnings: Iterable[str] = ()
    error: Exception | None = None


def find_parts(table: str, output: str | None, as_json: bool) -> Parts | None:
    """Return the files of a folder or a pattern, sorted; None if the table is one file."""
    if not is_many(table):
        return None
    if output in (None, "-"):
        raise ValueError(
            f"{table} is many files, whose answers need a folder. Name one with -o answers"
        )
    path, folder = Path(table), Path(str(output))
    fixed = takewhile(lambda part: not has_magic(part), path.parts)
    root = path if path.is_dir() else Path(*fixed)
    if folder.resolve() == root.resolve():
        raise ValueError(
            f"{output} is the folder of the files to read. Name another folder for the answers."
        )
    files = [file for file in find_files(table) if folder.resolve() not in file.resolve().parents]
    check_found(files, table, "classify")
    tables: dict[str, str] = {}
    for file in files:
        answers = os.path.join(folder, _name_answers(file.relative_to(root), as_json))
        if answers in tables:
            raise ValueError(
                f"The answers to {tables[answers]} and to {file} would both be {answers}. "
                "Rename one of the files, or classify them into two folders."
            )
        tables[answers] = str(file)
    return Parts(tables, root, folder)


def check_found(files: Sequence[Path], table: str, what_for: str) -> None:
    """Raise ValueError if a folder or a pattern has no file."""
    if not files:
        raise ValueError(
            f"{table} has no file to {what_for}. The files of a folder must end in one of "
            f"{', '.join(FORMAT_OF_ENDING)}, also with .gz; a pattern is written in quotes: "
            "'mails/*.csv'."
        )


def _name_answers(file: Path, as_json: bool) -> str:
    """Return the name of the file to write; Excel and lines of text become CSV."""
    name, ending = str(file), file_ending(file)
    if not as_json and ending not in WRITTEN_AS_CSV:
        return name
    start = name[: name.lower().rindex(ending)] if ending else name
    return f"{start}{'.jsonl' if as_json else '.csv'}"


def predict_parts(
    model: str,
    encoder: str | None,
    classifier: Any,
    settings: PredictOptions,
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
    record = _prepare_folder(digest, settings, parts)
    left = [each for each in parts.tables.items() if not _is_finished(*each, record)]
    n_bad, n_before = 0, len(parts.tables) - len(left)
    total = RowCounts(TextCheck(classifier))
    if typed != LOCAL:  # the folder of a worker may be another one
        left = [(os.path.abspath(path), os.path.abspath(table)) for path, table in left]
        model = os.path.abspath(model)
        encoder = os.path.abspath(encoder) if encoder and os.path.exists(encoder) else encoder
    with (
        _cleaned_up(parts),
        open_engine(typed, len(left), jobs) as engine,
        show_count("Files", total=len(parts.tables), done=n_before) as count,
    ):
        load: Any = partial(_load_once, model, encoder, digest)
        if type(engine) is LocalEngine:  # others load the model from its file
            load = lambda: classifier  # noqa: E731
        with closing(engine.map(partial(_predict_part, load, settings), left)) as run:
            for done in run:
                n_bad += _is_left_out(done, folder, keep_going)
                total.numbers += done.numbers
                count(1)
    total.check.n_empty, total.check.n_unknown = total.numbers["empty"], total.numbers["unknown"]
    before = f" ({n_before} more were finished before)" if n_before else ""
    lines = total.describe(settings, f"{_files(len(left) - n_bad)}{before} in {folder}")
    if n_bad:
        print(*lines, sep="\n", file=sys.stderr)
        raise ValueError(
            f"{_files(n_bad)} of {len(parts.tables)} could not be classified; the reasons are "
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


def _prepare_folder(digest: str, settings: PredictOptions, parts: Parts) -> Path:
    """Make the folder, or check that the same model, options and files made what is in it."""
    folder = parts.folder
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file. Name a folder for the answers to many files.")
    source = os.path.relpath(parts.root, folder)
    wanted = json.dumps(
        {"model": digest, "options": asdict(settings), "files": source}, sort_keys=True, indent=1
    )
    record = folder / RECORD
    if not record.is_file():
        known = [path for path in parts.tables if os.path.exists(path)]
        if known:
            raise ValueError(
                f"{known[0]} exists already, and this command did not write it. Name another "
                "folder for the answers."
            )
        folder.mkdir(exist_ok=True)
        # another command may have begun at the same moment
        with suppress(FileExistsError), atomic_write(record, replace=False) as draft:
            draft.write(wanted.encode())
    if record.read_text(encoding="utf-8") != wanted:
        raise ValueError(
            f"{folder} has answers of another model, to files of another folder, or with other "
            "options. Name another folder, or delete this one."
        )
    for parent in {os.path.dirname(path) for path in parts.tables}:
        os.makedirs(parent, exist_ok=True)
    return record


@contextmanager
def _cleaned_up(parts: Parts) -> Iterator[None]:
    """Remove drafts of workers that were killed.

    After an error before the first file is finished, let the next command use other options.
    """
    try:
        yield
    except ConnectionError as error:
        raise ValueError(
            f"{error} The files that are finished stay in {parts.folder}. Run the same command "
            "again: it does only what is missing."
        ) from error
    finally:
        for parent in {os.path.dirname(path) for path in parts.tables}:
            remove_abandoned_drafts(Path(parent))
        files = (path.name for path in parts.folder.rglob("*") if path.is_file())
        if not any(name != RECORD and not DRAFT.fullmatch(name) for name in files):
            (parts.folder / RECORD).unlink(missing_ok=True)


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


def _predict_part(load: Any, settings: PredictOptions, part: tuple[str, str]) -> PartCounts:
    """Classify one part; an error of the file is returned, so that others can go on."""
    path, table = part
    classifier = load()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            check_table(table)
            # the date of the answers says which version of the file they answer
            date = os.stat(table).st_mtime_ns
            counts = predict_table(classifier, settings, table, path, show=False, date=date)
        except (ValueError, OSError) as error:
            return PartCounts(table, Counter(), error=error)
    numbers = counts.numbers + Counter(empty=counts.check.n_empty, unknown=counts.check.n_unknown)
    return PartCounts(table, numbers, dict.fromkeys(str(each.message) for each in caught))
