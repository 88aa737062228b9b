"""A conversation with a server that speaks the chat interface, and what it costs."""

import json
import sqlite3
import threading
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from honeybayes.sources import ChatServer, ask_model, choose_texts
from honeybayes.sources.language_models import parse_reply

CLASSES = {"delivery": "about parcels", "billing": ""}
TEXTS = ["my parcel", "the invoice", "my parcel", "hello", "a courier"]
REPLIES = {"my parcel": "Delivery.", "the invoice": "**billing**", "hello": "I do not know"}


@pytest.fixture
def server():
    """A server that answers by `REPLIES`; ``troubles`` are statuses to send first."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][0]["content"]
            running.seen.append((self.path, self.headers.get("Authorization"), body))
            status = running.troubles.pop(0) if running.troubles else 200
            text = prompt.rpartition("Text: ")[2].removesuffix("\nClass:")
            reply = {"choices": [{"message": {"content": REPLIES.get(text, "delivery")}}]}
            told = json.dumps(reply if status == 200 else {"error": "busy"}).encode()
            if running.hostile is not None:
                running.hostile(self.wfile)
                return
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "7")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *arguments):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.seen, running.troubles, running.pauses, running.hostile = [], [], [], None
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def client(server, **more):
    address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return ChatServer(address, "small", pause=server.pauses.append, **more)


def test_answers_costs_and_nothing_twice(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    examples = [("where is it", "delivery")]
    first = ask_model(client(server), TEXTS, CLASSES, examples=examples, cache=cache)
    assert first.answers == ["delivery", "billing", "delivery", "", "delivery"]
    assert (first.n_sent, first.n_kept, first.n_unclear, first.n_failed) == (4, 0, 1, 0)
    assert first.n_characters == sum(
        len(body["messages"][0]["content"]) for _, _, body in server.seen
    )
    path, key, body = server.seen[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", None, "small")
    assert "- delivery: about parcels" in body["messages"][0]["content"]
    assert "Text: where is it\nClass: delivery" in body["messages"][0]["content"]
    again = ask_model(client(server), TEXTS, CLASSES, examples=examples, cache=cache)
    assert again.answers == first.answers
    assert (again.n_sent, again.n_kept, len(server.seen)) == (0, 4, 4)
    # other examples are no other question; other classes and another model are
    assert ask_model(client(server), TEXTS, CLASSES, cache=cache).n_sent == 0
    assert ask_model(client(server), TEXTS, [*CLASSES, "other"], cache=cache).n_sent == 4
    assert ask_model(client(server), TEXTS, CLASSES, cache=cache, name="large").n_sent == 4


def test_one_failure_does_not_lose_the_others(server, tmp_path):
    server.troubles = [200, 400, 200, 200]
    found = ask_model(client(server), TEXTS, CLASSES, cache=tmp_path / "a.sqlite", batch=4)
    assert found.answers == ["delivery", "", "delivery", "", "delivery"]
    assert (found.n_sent, found.n_failed) == (4, 1)

    def answer(prompts):
        return [None if "invoice" in prompt else "delivery" for prompt in prompts]

    cache = tmp_path / "b.sqlite"
    found = ask_model(answer, TEXTS, CLASSES, cache=cache, batch=4, name="mine")
    assert found.answers == ["delivery", "", "delivery", "delivery", "delivery"]
    assert (found.n_failed, found.n_unclear) == (1, 0)
    assert ask_model(answer, TEXTS, CLASSES, cache=cache, name="mine").n_sent == 1


def test_replies_without_a_class_are_asked_again_with_new_examples(tmp_path):
    def answer(prompts):
        return ["delivery" if "where is it" in prompt else "hm" for prompt in prompts]

    def ask(examples):
        more = {"cache": tmp_path / "replies.sqlite", "name": "mine"}
        found = ask_model(answer, ["hello"], CLASSES, examples=examples, **more)
        return found.answers, found.n_sent, found.n_kept, found.n_unclear

    assert ask([]) == ([""], 1, 0, 1)
    assert ask([]) == ([""], 0, 1, 1)
    assert ask([("an invoice", "billing")]) == ([""], 1, 0, 1)
    assert ask([("an invoice", "billing")]) == ([""], 0, 1, 1)
    assert ask([("where is it", "delivery")]) == (["delivery"], 1, 0, 0)
    assert ask([]) == (["delivery"], 0, 1, 0)


def test_a_function_that_never_replies_stops_the_run(tmp_path):
    texts = [f"text {n}" for n in range(20)]
    more = {"cache": tmp_path / "replies.sqlite", "name": "mine", "batch": 2}
    found = ask_model(lambda prompts: [None] * len(prompts), texts, CLASSES, **more)
    assert (found.n_sent, found.n_failed) == (6, 6)
    assert "Stopped: the model gave no reply (None)." in found.describe()


def test_budget_rows_and_resume_after_an_interruption(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    some = ask_model(client(server), TEXTS, CLASSES, cache=cache, rows=[4, 1, 0], budget=2)
    assert some.answers == ["", "billing", "", "", "delivery"]

    def interrupted(prompts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_model(interrupted, TEXTS, CLASSES, cache=cache, name="small")
    rest = ask_model(client(server), TEXTS, CLASSES, cache=cache)
    assert (rest.n_sent, rest.n_kept) == (2, 2)
    prompts = [body["messages"][0]["content"] for _, _, body in server.seen]
    assert len(set(prompts)) == len(prompts) == 4


def test_a_busy_server_is_asked_again_after_a_pause(server, tmp_path, monkeypatch):
    server.troubles[:] = [429, 503]
    found = ask_model(
        client(server, key="secret"), TEXTS[:1], CLASSES, cache=tmp_path / "replies.sqlite"
    )
    assert found.answers == ["delivery"]
    assert server.pauses == [7.0, 4.0]
    assert [key for _, key, _ in server.seen] == ["Bearer secret"] * 3
    monkeypatch.setenv("HONEYBAYES_CHAT_KEY", "other")
    ask_model(client(server), TEXTS[1:2], CLASSES, cache=tmp_path / "replies.sqlite")
    assert server.seen[-1][1] == "Bearer other"
    assert "secret" not in repr(client(server, key="secret"))


def test_failures_are_counted_and_stop_the_run(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    server.troubles[:] = [400]
    found = ask_model(client(server), TEXTS, CLASSES, cache=cache)
    assert (found.n_failed, found.problem) == (1, "")
    server.troubles[:] = [401] * 9
    stopped = ask_model(client(server), [f"text {n}" for n in range(9)], CLASSES, cache=cache)
    assert (stopped.n_sent, stopped.n_failed) == (3, 3)
    assert "answered 401" in stopped.describe()
    server.troubles[:] = [503] * 5
    assert ask_model(client(server), ["late"], CLASSES, cache=cache).n_failed == 1


OK = b"HTTP/1.0 200 OK\r\n"
HOSTILE = {
    "nested": b'\r\n{"choices": ' + b"[" * 10**5,
    "a number": b'\r\n{"choices": ' + b"1" * 5000,
    "a list": b"\r\n[1]",
    "not text": b"\r\n\xff\xfe",
    "headers": b"a: b\r\n" * 500,
    "a long header": b"a: " + b"b" * 10**6,
    "the end of a character": b'\r\n{"choices": [{"message": {"content": "\\ud800"}}]}',
    "a number as content": b'\r\n{"choices": [{"message": {"content": 7}}]}',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_reply_is_no_answer(server, tmp_path, what):
    server.hostile = lambda file: file.write(OK + HOSTILE[what])
    asked = ask_model(client(server), TEXTS, CLASSES, cache=tmp_path / "replies.sqlite")
    assert asked.answers == [""] * 5
    assert asked.n_failed + asked.n_unclear >= 3


def test_a_reply_without_an_end_is_read_in_part(server, tmp_path):
    is_over, n_written = threading.Event(), 0

    def write(file):
        nonlocal n_written
        file.write(OK + b"\r\n")
        with suppress(OSError):
            while n_written < 1000 * 2**20:
                n_written += file.write(b" " * 2**20)
        is_over.set()

    server.hostile = write
    asked = ask_model(client(server), TEXTS[:1], CLASSES, cache=tmp_path / "replies.sqlite")
    assert asked.n_failed == 1
    assert is_over.wait(60)
    assert n_written < 100 * 2**20


@pytest.mark.parametrize("start", [b"", OK + b"\r\n"])
def test_a_reply_byte_by_byte_ends(server, tmp_path, start):
    """Each byte comes in time, but the whole does not."""
    is_over = threading.Event()

    def write(file):
        file.write(start)
        with suppress(OSError):
            while not is_over.wait(0.02):
                file.write(b"H")

    server.hostile = write
    asked = ask_model(
        client(server, timeout=0.3), TEXTS[:1], CLASSES, cache=tmp_path / "replies.sqlite"
    )
    is_over.set()
    assert asked.n_failed == 1


def test_kept_replies_that_cannot_be_read(server, tmp_path):
    cache = tmp_path / "replies.sqlite"
    ask_model(client(server), TEXTS, CLASSES, cache=cache)
    with closing(sqlite3.connect(cache)) as database, database:
        database.execute("UPDATE replies SET reply = x'ff'")
    assert ask_model(client(server), TEXTS, CLASSES, cache=cache).n_sent == 4
    cache.write_bytes(b"no database" * 100)
    with pytest.raises(ValueError, match=r"The replies in .* cannot be used .* Move this file"):
        ask_model(client(server), TEXTS, CLASSES, cache=cache)


def test_a_server_that_is_not_there(tmp_path):
    gone = ChatServer("http://127.0.0.1:9/v1", "small", pause=lambda seconds: None)
    found = ask_model(gone, ["a", "b", "c", "d"], CLASSES, cache=tmp_path / "replies.sqlite")
    assert found.n_sent == found.n_failed == 3
    assert found.problem


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("delivery", "delivery"),
        (" Class: DELIVERY!\n", "delivery"),
        ("delivery or billing", ""),
        ("undelivery", ""),
        ("", ""),
        ("It is science-fiction.", "science fiction"),
        ("science", "science"),
    ],
)
def test_replies(reply, expected):
    classes = ["delivery", "billing", "science", "science fiction"]
    assert parse_reply(reply, classes) == expected


@pytest.mark.parametrize(
    ("reply", "classes", "expected"),
    [
        ("C#", ["C++", "C#"], "C#"),
        ("-", ["+", "-"], "-"),
        ("", ["+", "-"], ""),
        (">50k.", ["<50k", ">50k"], ""),
        ("का", ["की", "का"], "का"),
    ],
)
def test_names_that_differ_in_signs(reply, classes, expected):
    assert parse_reply(reply, classes) == expected


def test_bad_use(tmp_path):
    with pytest.raises(ValueError, match="must begin with http"):
        ChatServer("localhost:80", "small")
    with pytest.raises(ValueError, match="at least two classes"):
        ask_model(list, ["a"], ["one"], name="x")
    with pytest.raises(ValueError, match="Name the model"):
        ask_model(list, ["a"], ["one", "two"])
    with pytest.raises(ValueError, match="must return 1 strings"):
        ask_model(lambda prompts: [], ["a"], ["one", "two"], name="x", cache=tmp_path / "c")


def test_the_least_sure_texts_come_first():
    assert choose_texts([[0.9, 0.1], [0.5, 0.5], [0.4, 0.6]], 2) == [1, 2]
