"""Classify many files: each part is written completely or not at all, and only once."""

import json
import os
import sys
import warnings
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache, partial
from glob import has_magic
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import Any

from honeybayes.cli._answers import ColumnsError
from honeybayes.cli._errors import describe
from honeybayes.cli._input import load_classifier
from honeybayes.cli._output import show_count
from honeybayes.cli._prediction import Outcome, Settings, predict_table
from honeybayes.cli._reading import ENDINGS, check_table, find_files, is_many
from honeybayes.cli._text_check import TextCheck
from honeybayes.data.tables import file_ending
from honeybayes.utils.workers import start_workers
from honeybayes.utils.writing import DRAFT, NO_SPACE, atomic_write, remove_abandoned_drafts

RECORD = ".honeybayes-predict.json"  # says by which model the parts of a folder were written
WRITTEN_AS_CSV = (".xlsx", ".xlsm", ".txt")


@dataclass(frozen=True)
class Part:
    """A file to read, and its name in the folder of the answers."""

    table: str
    name: str


@dataclass
class PartOutcome:
    """What happened to a part; ``error`` says why it could not be read."""

    part: Part
    outcome: Outcome
    n_empty: int = 0
    n_unknown: int = 0
    warnings: tuple[str, ...] = ()
    error: Exception | None = None


def find_parts(table: str, output: str | None) -> list[Part] | None:
    """Return the files of a folder or a pattern, sorted; None if the table is one file."""
    path = Path(table)
    if not is_many(table):
        return None
    if output in (None, "-"):
        raise ValueError(
            f"{table} is many files, whose answers need a folder. Name one with -o answers"
        )
    root = path if path.is_dir() else _fixed_start(path)
    answers = Path(str(output)).resolve()
    if answers == root.resolve():
        raise ValueError(
            f"{output} is the folder of the files to read. Name another folder for the answers."
        )
    files = [file for file in find_files(table) if answers not in file.resolve().parents]
    check_found(files, table, "classify")
    return [Part(str(file), str(file.relative_to(root))) for file in files]


def check_found(files: Sequence[Path], table: str, what_for: str) -> None:
    """Raise ValueError if a folder or a pattern has no file."""
    if not files:
        raise ValueError(
            f"{table} has no file to {what_for}. The files of a folder must end in one of "
            f"{', '.join(ENDINGS)}, also with .gz; a pattern is written in quotes: 'mails/*.csv'."
        )


def _fixed_start(pattern: Path) -> Path:
    """Return the folders of a pattern before the first wildcard."""
    at = next(n for n, part in enumerate(pattern.parts) if has_magic(part))
    return Path(*pattern.parts[:at])


def predict_parts(
    model: str,
    encoder: str | None,
    classifier: Any,
    settings: Settings,
    parts: Sequence[Part],
    folder: str,
    jobs: int,
    keep_going: bool,
) -> list[str]:
    """Classify the parts that are not finished; return lines that say what was done.

    The result in the folder does not depend on the order, on ``jobs``, or on how often the command
    was stopped before.
    """
    outputs = _name_outputs(parts, folder, settings.json)
    root = parts[0].table.removesuffix(parts[0].name)
    _prepare_folder(model, settings, root, list(outputs), Path(folder))
    left = {path: part for path, part in outputs.items() if not _is_finished(part, path)}
    total, n_bad, n_before = Outcome(), 0, len(parts) - len(left)
    about = TextCheck(classifier)
    with (
        _without_empty_record(Path(folder)),
        closing(_run(model, encoder, classifier, settings, left, jobs)) as run,
        show_count("Files", total=len(parts), done=n_before) as count,
    ):
        for done in run:
            for message in done.warnings:
                warnings.warn(message, UserWarning, stacklevel=2)
            if done.error is not None:
                if isinstance(done.error, ColumnsError):
                    raise ValueError(_named(done)) from done.error
                if not keep_going or getattr(done.error, "errno", None) in NO_SPACE:
                    raise _explained(done, folder) from done.error
                n_bad += 1
                print(f"Left out: {_named(done)}", file=sys.stderr)
            total.n_rows += done.outcome.n_rows
            total.n_undecided += done.outcome.n_undecided
            total.n_seen += done.outcome.n_seen
            total.set_sizes += done.outcome.set_sizes
            about.n_empty += done.n_empty
            about.n_unknown += done.n_unknown
            count(1)
    n_new = len(left) - n_bad
    before = f" ({n_before} more were finished before)" if n_before else ""
    lines = [total.describe(settings, f"{_files(n_new)}{before} in {folder}")]
    lines += about.describe() + total.describe_sets(classifier)
    if n_bad:
        for line in lines:
            print(line, file=sys.stderr)
        raise ValueError(
            f"{_files(n_bad)} of {len(parts)} could not be classified; the reasons are above. "
            "Correct them, and run the same command again: it does only what is missing."
        )
    return lines


def _files(n: int) -> str:
    return "1 file" if n == 1 else f"{n} files"


def _named(done: PartOutcome) -> str:
    """Return the error of a part, which names the file."""
    assert done.error is not None
    told = describe(done.error)
    return told if done.part.table in told else f"{done.part.table}: {told}"


def _explained(done: PartOutcome, folder: str) -> ValueError:
    return ValueError(
        f"{_named(done)} The files that are finished stay in {folder}. Correct this one and run "
        "the same command again, or leave it out with --keep-going."
    )


def _name_outputs(parts: Sequence[Part], folder: str, as_json: bool) -> dict[str, Part]:
    """Return the parts by the file to write; Excel and lines of text become CSV."""
    outputs: dict[str, Part] = {}
    for part in parts:
        ending, name = file_ending(Path(part.name)), part.name
        if as_json:
            name = f"{name[: name.lower().rindex(ending)] if ending else name}.jsonl"
        elif ending in WRITTEN_AS_CSV:
            name = f"{name[: name.lower().rindex(ending)]}.csv"
        path = os.path.join(folder, name)
        if path in outputs:
            raise ValueError(
                f"The answers to {outputs[path].table} and to {part.table} would both be {path}. "
                "Rename one of the files, or classify them into two folders."
            )
        outputs[path] = part
    return outputs


def _prepare_folder(
    model: str, settings: Settings, root: str, outputs: list[str], folder: Path
) -> None:
    """Make the folder, or check that the same model, options and files made what is in it."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file. Name a folder for the answers to many files.")
    digest, source = _digest(model), os.path.relpath(root or ".", folder)
    wanted = json.dumps(
        {"model": digest, "options": asdict(settings), "files": source}, sort_keys=True, indent=1
    )
    record = folder / RECORD
    if not record.is_file():
        known = [path for path in outputs if os.path.exists(path)]
        if known:
            raise ValueError(
                f"{known[0]} exists already, and this command did not write it. Name another "
                "folder for the answers."
            )
        folder.mkdir(exist_ok=True)
        # another command may have begun at the same moment
        with suppress(FileExistsError), atomic_write(record, replace=False) as file:
            file.write(wanted.encode())
    if record.read_text(encoding="utf-8") != wanted:
        raise ValueError(
            f"{folder} has answers of another model, to files of another folder, or with other "
            "options. Name another folder, or delete this one."
        )
    for parent in {os.path.dirname(path) for path in outputs}:
        os.makedirs(parent, exist_ok=True)


@contextmanager
def _without_empty_record(folder: Path) -> Iterator[None]:
    """After an error before the first file is finished, let the next command use other options."""
    try:
        yield
    finally:
        if not _has_answers(folder):
            (folder / RECORD).unlink(missing_ok=True)


def _has_answers(folder: Path) -> bool:
    """Return True if a file was finished, besides the record and drafts."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return any(path.name != RECORD and not DRAFT.fullmatch(path.name) for path in files)


def _digest(model: str) -> str:
    with open(model, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _is_finished(part: Part, path: str) -> bool:
    """Return True if the answers are there, with the date of the file that they answer."""
    try:
        return os.stat(path).st_mtime_ns == os.stat(part.table).st_mtime_ns
    except FileNotFoundError:
        return False


def _run(
    model: str,
    encoder: str | None,
    classifier: Any,
    settings: Settings,
    left: dict[str, Part],
    jobs: int,
) -> Generator[PartOutcome, None, None]:
    """Classify parts, in this process or in others, which load the model from its file."""
    if jobs == 1 or len(left) < 2:
        for path, part in left.items():
            yield _predict_part(classifier, settings, part, path)
        return
    try:
        with start_workers(jobs) as workers:
            waiting, running = iter(left.items()), set[Future[PartOutcome]]()
            while True:
                # few at a time, because there may be many thousands
                for path, part in islice(waiting, 2 * jobs - len(running)):
                    task = partial(_predict_in_worker, model, encoder, settings, part, path)
                    running.add(workers.submit(task))
                if not running:
                    break
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
    except (BrokenProcessPool, EOFError, ConnectionError) as error:
        raise ValueError(
            "A process that classifies files has ended, perhaps because memory was short. The "
            "files that are finished stay. Run the same command again, with fewer --jobs."
        ) from error
    finally:
        for folder in {os.path.dirname(path) for path in left}:
            remove_abandoned_drafts(Path(folder))


def _predict_in_worker(
    model: str, encoder: str | None, settings: Settings, part: Part, path: str
) -> PartOutcome:
    return _predict_part(_load_once(model, encoder), settings, part, path)


@cache
def _load_once(model: str, encoder: str | None) -> Any:
    return load_classifier(model, encoder)


def _predict_part(classifier: Any, settings: Settings, part: Part, path: str) -> PartOutcome:
    """Classify one part; an error of the file is returned, so that others can go on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            check_table(part.table)
            date = os.stat(part.table).st_mtime_ns
            outcome, check = predict_table(classifier, settings, part.table, path, show=False)
            os.utime(path, ns=(date, date))  # which says which version of the file was answered
        except (ValueError, OSError) as error:
            return PartOutcome(part, Outcome(), error=error)
    outcome.confidences = []  # so that memory does not grow with the number of rows
    told = tuple(dict.fromkeys(str(each.message) for each in caught))
    return PartOutcome(part, outcome, check.n_empty, check.n_unknown, told)
