"""Files of honeybayes: atomic output that never replaces an input, cache folder, data folders."""

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

try:
    import fcntl
except ImportError:  # Windows, where a file that is in use cannot be deleted anyway
    fcntl = None  # type: ignore[assignment]

DRAFT = re.compile(r"\..*\.[0-9a-f]{8}\.honeybayes-draft")
LONGEST_START = 40  # characters of the name in the name of its draft
STREAM = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")
STANDARD = "-"  # standard input and standard output
DATABASE = b"SQLite format 3\0"
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
Location = str | os.PathLike[str]
CACHE_VARIABLE = "HONEYBAYES_CACHE"
DATA_VARIABLE = "HONEYBAYES_DATA"
OWN_DRAFTS: set[Path] = set()  # which this process is writing


def check_output_path(path: Location) -> tuple[Path, bool]:
    """Return where to write, the target of a link; raise an error if no file can be written.

    The second result is True for a named pipe, a device such as ``/dev/null``, or an open file of
    a shell, into which the output is written.
    """
    with suppress(OSError):
        mode = os.stat(path).st_mode
        is_open = STREAM.fullmatch(os.path.abspath(path)) is not None
        if is_open or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
            return Path(path), True
    target = Path(os.path.realpath(path))  # Path.resolve() fails if a link leads to itself
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Give the path of a file to write.")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {target.parent} to save {target.name} in.")
    if not target.exists():
        return target, False
    if not target.is_file():
        raise ValueError(f"{path} is a socket or a disk. Give the path of a file to write.")
    with suppress(PermissionError), target.open("rb") as file:
        if file.read(len(DATABASE)) == DATABASE:
            raise ValueError(
                f"{path} is a project file or another database, which would be lost. Name another "
                "file for the output."
            )
    return target, False


def check_outputs(outputs: Iterable[Location | None], inputs: Iterable[Location | None]) -> None:
    """Raise an error if an output cannot be written, is an input, or is another output.

    A hyphen is standard output among the outputs and standard input among the inputs. Entries that
    are None, or inputs that are not paths of files, are skipped.
    """
    taken = [(each, 0) for each in inputs if each is not None]
    for path in (each for each in outputs if each is not None):
        if path != STANDARD:
            check_output_path(path)
        for other, number in taken:
            if _is_same(path, other, number):
                if number == 1:
                    raise ValueError(
                        f"{path} and {other} are the same file. Name two output files."
                    )
                title = "standard output" if path == STANDARD else str(path)
                read = "standard input" if other == STANDARD else str(other)
                same = "" if title == read else f", {read},"
                raise ValueError(
                    f"{title} is a file to read{same} and would be lost. "
                    "Name another file for the output."
                )
        taken.append((path, 1))


def _is_same(output: Location, other: Location, number: int) -> bool:
    """Return True if writing the first would change the second, a file or a folder of texts."""
    with suppress(OSError, ValueError):  # ValueError: the second is no path
        new, old = Path(os.path.realpath(output)), Path(os.path.realpath(other))
        if not new.exists() and output != STANDARD:
            return new == old
        mine = os.fstat(1) if output == STANDARD else os.stat(output)
        its = os.fstat(number) if other == STANDARD else os.stat(other)
        if stat.S_ISDIR(its.st_mode):  # each sub-folder holds the texts of a class
            return output != STANDARD and old in new.parent.parents
        return os.path.samestat(mine, its) and not stat.S_ISCHR(mine.st_mode)
    return False


@contextmanager
def atomic_write(
    path: Location, replace: bool = True, date: int | None = None
) -> Iterator[BinaryIO]:
    """Open a temporary file. If it is written without an error, it gets the name ``path``.

    If anything goes wrong, an older file stays as it was. A new file has the owner and the rights
    of the one that it replaces. With ``replace=False``, FileExistsError is raised if there is one.
    ``date``, in nanoseconds, is the date of the file from the moment when it has its name. Into a
    pipe or a device, the whole content is written at the end.
    """
    target, is_stream = check_output_path(path)
    try:
        if is_stream:
            with tempfile.TemporaryFile() as file:
                yield file
                file.seek(0)
                with target.open("ab") as stream:
                    shutil.copyfileobj(file, stream)
            return
        remove_abandoned_drafts(target.parent)
        draft, file = _open_draft(target)
        OWN_DRAFTS.add(draft)
        # a second descriptor, so that the lock ends after the draft has got its name
        lock = None if fcntl is None else os.dup(file.fileno())
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if date is not None:
                os.utime(draft, ns=(date, date))
            if replace:
                draft.replace(target)
            else:
                try:
                    os.link(draft, target)
                except FileExistsError:  # another process was faster
                    taken = f"{target} already exists. Choose another name."
                    raise FileExistsError(taken) from None
                except OSError:  # a file system without links
                    draft.rename(target)
            if os.name == "posix":  # write the new name to disk; Windows offers no way to do this
                folder = os.open(target.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        finally:
            draft.unlink(missing_ok=True)
            OWN_DRAFTS.discard(draft)
            if lock is not None:
                os.close(lock)
    except OSError as error:
        if error.errno in NO_SPACE and error.filename in (None, str(target)):
            what = "Nothing was written. Free some space, or name a file on another disk"
            raise OSError(error.errno, f"{error.strerror}. {what}", str(path)) from error
        raise


def _open_draft(target: Path) -> tuple[Path, Any]:
    """Open a new file beside the target, and lock it as long as this process is at work."""
    before = target.stat() if target.exists() else None
    while True:
        start = target.name[:LONGEST_START]
        draft = target.with_name(f".{start}.{secrets.token_hex(4)}.honeybayes-draft")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            descriptor = os.open(draft, flags, 0o666 if before is None else 0o600)
        except OSError as error:  # name the file that the user knows
            may = ". Check that you may write to its folder" if error.errno in FORBIDDEN else ""
            raise OSError(error.errno, f"{error.strerror}{may}", str(target)) from error
        file: IO[bytes] = os.fdopen(descriptor, "w+b")
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks, where old drafts stay
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        if draft.exists():  # another process may have deleted it before it was locked
            if before is not None and os.name == "posix":
                _set_rights(descriptor, before)
            return draft, file
        file.close()


def _set_rights(descriptor: int, before: os.stat_result) -> None:
    """Give a draft the owner and the rights of the file that it replaces, if the system allows."""
    mode = stat.S_IMODE(before.st_mode) & 0o777
    with suppress(PermissionError):
        os.fchown(descriptor, before.st_uid, -1)
    try:
        os.fchown(descriptor, -1, before.st_gid)
    except PermissionError:  # the rights were those of another group
        mode &= 0o707
    with suppress(PermissionError):
        os.fchmod(descriptor, mode)


def remove_own_drafts() -> None:
    """Delete the drafts of this process, which is about to end."""
    for draft in OWN_DRAFTS.copy():
        draft.unlink(missing_ok=True)


def remove_abandoned_drafts(folder: Path) -> None:
    """Delete the drafts of this user that no process holds: those of runs that were killed."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not DRAFT.fullmatch(entry.name) or not entry.is_file(follow_symlinks=False):
                continue
            with suppress(OSError):  # it is in use, or gone
                if fcntl is None:
                    os.unlink(entry.path)
                elif entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                    with open(os.open(entry.path, os.O_RDWR | os.O_NOFOLLOW), "rb") as draft:
                        fcntl.flock(draft, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(entry.path)


def cache_folder() -> Path:
    """Return the folder that HONEYBAYES_CACHE names, or ``honeybayes`` in the platform's caches."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        parent = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        parent = "~/Library/Caches"
    else:
        parent = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(parent).expanduser() / "honeybayes"


def data_folders() -> list[Path]:
    """Return the folder that HONEYBAYES_DATA names, if it is set, and the cache folder."""
    named = os.environ.get(DATA_VARIABLE)
    return [*([Path(named).expanduser()] if named else []), cache_folder()]
