"""Output files: what is replaced, what is kept, and what is refused."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from unittest import mock

import pytest

from honeybayes.utils.writing import atomic_write, check_output_path, check_outputs

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and rights of Unix")

WRITER = """
import sys, time
from honeybayes.utils.writing import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("ready", flush=True)
    time.sleep(600)
"""


def write(path, content=b"new", **options):
    with atomic_write(path, **options) as file:
        file.write(content)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_a_named_pipe_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(60)
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_device_stays_a_device(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    for path in ("/dev/null", link):
        write(path)
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
def test_nothing_goes_into_a_pipe_after_an_error(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(RuntimeError), atomic_write(pipe):  # without a reader, it would wait
        raise RuntimeError


@posix
def test_an_open_file_of_the_shell_is_appended_to(tmp_path):
    with (tmp_path / "out").open("ab") as file:
        file.write(b"before ")
        file.flush()
        write(f"/dev/fd/{file.fileno()}", b"during ")
        file.write(b"after")
    assert (tmp_path / "out").read_bytes() == b"before during after"


@posix
def test_sockets_are_refused(tmp_path):
    import socket

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(ValueError, match="is a socket or a disk"):
            check_output_path(tmp_path / "socket")


@posix
@pytest.mark.parametrize("rights", [0o600, 0o640, 0o644, 0o660])
def test_the_rights_of_a_file_are_kept(tmp_path, rights):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    path.chmod(rights)
    with atomic_write(path) as file:
        [draft] = tmp_path.glob(".out.csv.*")
        assert mode(draft) == rights  # from the beginning, so that nobody can read the draft
        file.write(b"new")
    assert (mode(path), path.read_bytes()) == (rights, b"new")


@posix
def test_a_new_file_has_the_usual_rights(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "out.csv")
    finally:
        os.umask(before)
    assert mode(tmp_path / "out.csv") == 0o640


@posix
def test_drafts_of_killed_runs_are_deleted_and_those_of_others_are_not(tmp_path):
    dead, alive = (
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / name)], stdout=subprocess.PIPE
        )
        for name in ("dead.csv", "alive.csv")
    )
    for process in (dead, alive):
        assert process.stdout.readline() == b"ready\n"
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    kept = [tmp_path / ".alike.0123abcd.part", tmp_path / ".alike.honeybayes-draft"]
    kept += tmp_path.glob(".alive.csv.*")
    for path in kept[:2]:
        path.write_bytes(b"of another program")
    linked = tmp_path / ".linked.0123abcd.honeybayes-draft"
    linked.symlink_to(kept[0])
    assert list(tmp_path.glob(".dead.csv.*"))
    write(tmp_path / "other.csv")
    assert {*tmp_path.iterdir()} == {*kept, linked, tmp_path / "other.csv"}
    alive.kill()
    for process in (dead, alive):
        process.communicate()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_names_the_file(tmp_path, number):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with pytest.raises(OSError, match="Nothing was written") as found, atomic_write(path):
        raise OSError(number, os.strerror(number))
    assert found.value.errno == number
    assert found.value.filename == str(path)
    assert "Free some space" in found.value.strerror
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"old", [path])


@posix
def test_a_full_device_is_named():
    with pytest.raises(OSError, match="No space left on device") as found:
        write("/dev/full")
    assert (found.value.errno, found.value.filename) == (errno.ENOSPC, "/dev/full")


def test_an_error_of_another_file_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError) as found, atomic_write(tmp_path / "out.csv"):
        (tmp_path / "missing").read_bytes()
    assert found.value.filename == str(tmp_path / "missing")


def test_a_folder_without_permission_names_the_file(tmp_path):
    error = PermissionError(errno.EACCES, "Permission denied", "draft")
    with (
        mock.patch("honeybayes.utils.writing.os.open", side_effect=error),
        pytest.raises(PermissionError, match="Check that you may write") as found,
    ):
        write(tmp_path / "out.csv")
    assert found.value.filename == str(tmp_path / "out.csv")


def test_a_long_name_can_be_written(tmp_path):
    write(tmp_path / ("x" * 255))
    assert (tmp_path / ("x" * 255)).read_bytes() == b"new"


def test_a_file_is_not_replaced_if_that_is_not_wanted(tmp_path):
    (tmp_path / "out").write_bytes(b"old")
    with pytest.raises(FileExistsError, match="already exists"):
        write(tmp_path / "out", replace=False)
    assert (tmp_path / "out").read_bytes() == b"old"
    write(tmp_path / "other", replace=False)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["other", "out"]


def test_a_database_is_not_replaced(tmp_path):
    (tmp_path / "labels").write_bytes(b"SQLite format 3\0 and more")
    with pytest.raises(ValueError, match="is a project file or another database"):
        write(tmp_path / "labels")


def test_outputs_are_neither_inputs_nor_each_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_bytes(b"text")
    (tmp_path / "link").symlink_to("table.csv")
    (tmp_path / "hard").hardlink_to("table.csv")
    (tmp_path / "texts" / "billing").mkdir(parents=True)
    (tmp_path / "texts" / "billing" / "1.txt").write_bytes(b"text")
    with pytest.raises(ValueError, match=r"^table\.csv is a file to read and would be lost"):
        check_outputs(["table.csv"], [None, "table.csv"])
    for output in ("./table.csv", "link", "hard", tmp_path / "table.csv"):
        with pytest.raises(ValueError, match=r"is a file to read, table\.csv, and would be lost"):
            check_outputs([output], [None, "table.csv"])
    with pytest.raises(ValueError, match="is a file to read, texts"):
        check_outputs(["texts/billing/1.txt"], ["texts"])
    for one, two in (("new", "./new"), ("table.csv", "link")):
        with pytest.raises(ValueError, match="are the same file"):
            check_outputs([one, None, two], [])
    words = ["a: b; c", "x" * 5000, "a\0b", "-", "missing"]  # --classes may be no path
    check_outputs(["new", "other", "texts/model.hb"], ["table.csv", "texts", *words])


@posix
def test_standard_streams_may_be_the_file(tmp_path):
    script = (
        "import sys; from honeybayes.utils.writing import check_outputs;"
        "check_outputs(sys.argv[1:2], sys.argv[2:])"
    )
    (tmp_path / "t.csv").write_bytes(b"text")

    def complaint(*arguments, stdin="/dev/null", stdout="/dev/null"):
        with (tmp_path / stdin).open("rb") as read, (tmp_path / stdout).open("ab") as written:
            command = [sys.executable, "-c", script, *arguments]
            done = subprocess.run(
                command, stdin=read, stdout=written, stderr=subprocess.PIPE, cwd=tmp_path
            )
        return done.stderr.decode()

    assert "t.csv is a file to read, standard input" in complaint("t.csv", "-", stdin="t.csv")
    assert "standard output is a file to read, t.csv" in complaint("-", "t.csv", stdout="t.csv")
    assert complaint("-", "-") == ""
    assert complaint("/dev/null", "/dev/stdin") == ""
