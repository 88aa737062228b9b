"""Programs that open connections and say nothing cannot keep the person out."""

import json
import socket
import sys
import threading
from contextlib import suppress
from urllib.request import Request, urlopen

import pytest

from honeybayes.page import serve as serving
from tests.page.desks import office_of

N_STRANGERS = 60


@pytest.fixture
def server(desk, monkeypatch):
    """A real server with room for few connections: its port, and a function that asks it."""
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 20)
    ready, told = threading.Event(), []

    def announce(addresses):
        told.extend(addresses.values())
        ready.set()

    started = []

    class Kept(serving._Server):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(self)

        def install_signal_handlers(self):
            """Leave the signals to the tests."""

    monkeypatch.setattr(serving, "_Server", Kept)
    options = {"port": 0, "browser": False, "announce": announce}
    thread = threading.Thread(
        target=serving.serve, args=(office_of(desk), ["ann"]), kwargs=options, daemon=True
    )
    thread.start()
    assert ready.wait(60)
    root, _, token = told[0].partition("#token=")

    def ask():
        request = Request(f"{root}api/state", headers={"X-Honeybayes": token})
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)["name"]

    yield int(root.rstrip("/").rpartition(":")[2]), ask
    started[0].should_exit = True
    thread.join(60)


def connect(port, said=b""):
    stranger = socket.create_connection(("127.0.0.1", port), timeout=60)
    stranger.sendall(said)
    return stranger


def is_closed(stranger):
    with stranger, suppress(ConnectionResetError):
        while stranger.recv(65536):
            pass
    return True


SAID = [b"", b"GET /api/state HTTP/1.1\r\nHost: x", b"nonsense\r\n\r\n"]
SAID += [b"POST /api/label HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n"]


@pytest.mark.parametrize("said", SAID)
def test_half_open_connections_make_room(capfd, server, monkeypatch, said):
    """Finding: 1,300 of them kept the owner out, and wrote 142 MB to the terminal."""
    monkeypatch.setattr(serving, "HEADER_TIME", 600)  # they are not closed for being slow
    port, ask = server
    strangers = [connect(port, said) for _ in range(N_STRANGERS)]
    assert [ask() for _ in range(3)] == ["mail"] * 3
    assert all(is_closed(each) for each in strangers[: N_STRANGERS - 20])
    for each in strangers:
        each.close()
    assert capfd.readouterr().err == ""


def test_a_header_must_come_soon(server, monkeypatch):
    monkeypatch.setattr(serving, "HEADER_TIME", 0.2)
    port, ask = server
    silent = connect(port)
    slow = connect(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
    assert is_closed(silent)
    assert is_closed(slow)
    # a second request on the same connection has the same time
    second = connect(port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\nGET".encode())
    assert is_closed(second)
    assert ask() == "mail"


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a request in the kernel")
def test_strangers_who_do_not_read_make_room(server):
    port, ask = server
    asked = f"GET /static/page.css HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() * 200
    strangers = [connect(port, asked) for _ in range(30)]
    assert ask() == "mail"
    for each in strangers:
        each.close()
