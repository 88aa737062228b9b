"""Language models as a source: the prompt, the answers, and what they cost.

The model is a function that the user brings, or a server with the usual chat interface. Nothing is
sent unless `ask_model` is called. Replies are kept by the digest of classes and text, so an
interrupted run goes on where it was, and nothing is sent twice.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import Any
from unicodedata import category
from urllib.parse import urlsplit

import numpy as np

from honeybayes.utils.writing import cache_folder

N_TRIES = 5  # of one text, if the server is busy
LONGEST_PAUSE = 60.0  # seconds, whatever the server asks for
MOST_FAILURES = 3  # in a row, after which the run stops
LONGEST_REPLY = 2**20  # bytes
MOST_CHARACTERS = 4000  # of a text in a prompt
BUSY = (408, 425, 429, 500, 502, 503, 504)


@dataclass
class Asked:
    """Answers of a language model, and what they cost.

    Parameters
    ----------
    answers : list of str
        A class for each text; "" if it was not asked, or if the reply names no class.
    n_sent, n_kept, n_unclear, n_failed : int
        Number of prompts that were sent, that were answered before, whose reply names no class or
        several, and that got no reply.
    n_characters : int
        Characters of all prompts that were sent.
    seconds : float
        How long it took, with pauses.
    problem : str
        Why the run stopped early; "" if it did not.
    """

    answers: list[str]
    n_sent: int = 0
    n_kept: int = 0
    n_unclear: int = 0
    n_failed: int = 0
    n_characters: int = 0
    seconds: float = 0.0
    problem: str = ""

    def describe(self) -> str:
        """Return a sentence for a person."""
        told = (
            f"{self.n_sent} texts were sent ({self.n_characters:,} characters, "
            f"{self.seconds:.0f} seconds), {self.n_kept} were answered before; "
            f"{self.n_unclear} replies name no class, {self.n_failed} texts got no reply."
        )
        return f"{told} Stopped: {self.problem}" if self.problem else told


@dataclass
class ChatServer:
    """A server with the usual chat interface: POST to ADDRESS/chat/completions.

    Parameters
    ----------
    address : str
        For example http://localhost:11434/v1. Redirections are not followed.
    model : str
        The name of the model there.
    key : str or None
        Sent as a bearer token. None sends the environment variable HONEYBAYES_CHAT_KEY, if it is
        set.
    timeout : float
        Seconds to wait for a whole reply, which has at most 1 MB.
    pause : Callable
        The function that waits for so many seconds.
    """

    address: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    pause: Callable[[float], Any] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(
                f"The address must begin with http:// or https://; got {self.address!r}. A local "
                "server may have http://localhost:11434/v1."
            )

    def __call__(self, prompts: Sequence[str]) -> list[str]:
        """Return the reply to each prompt.

        Parameters
        ----------
        prompts : sequence of str
            The prompts.
        """
        return [self._ask(prompt) for prompt in prompts]

    def _ask(self, prompt: str) -> str:
        said = [{"role": "user", "content": prompt}]
        message = {"model": self.model, "messages": said, "temperature": 0}
        for left in reversed(range(N_TRIES)):
            status, wait, body = self._post(json.dumps(message).encode())
            if status == 200:
                break
            if status not in BUSY or not left:
                told = body[:200].decode("utf-8", "replace")
                raise ConnectionError(f"{self.address} answered {status}: {told}")
            self.pause(min(wait if wait is not None else 2.0 ** (N_TRIES - left), LONGEST_PAUSE))
        try:
            content = str(json.loads(body)["choices"][0]["message"]["content"] or "")
            return content.encode("utf-8", "replace").decode()  # half a character cannot be stored
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            told = f"The reply is not of the chat interface: {body[:200]!r}"
            raise ConnectionError(told) from error

    def _post(self, body: bytes) -> tuple[int, float | None, bytes]:
        """Return status, seconds to wait and body; if there is no connection, the status is 503."""
        parts = urlsplit(self.address)
        connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {"Content-Type": "application/json"}
        key = os.environ.get("HONEYBAYES_CHAT_KEY") if self.key is None else self.key
        if key:
            headers["Authorization"] = f"Bearer {key}"
        connection = connect(str(parts.hostname), parts.port, timeout=self.timeout)
        try:
            connection.connect()
            with _ended_after(self.timeout, connection.sock):
                to = f"{parts.path.rstrip('/')}/chat/completions"
                connection.request("POST", to, body, headers)
                response = connection.getresponse()
                wait = response.headers.get("Retry-After", "")
                content = response.read(LONGEST_REPLY)
            return response.status, float(wait) if wait.isdecimal() else None, content
        except (OSError, HTTPException) as error:
            return 503, None, str(error).encode()
        finally:
            connection.close()


@contextmanager
def _ended_after(seconds: float, connected: socket) -> Iterator[None]:
    """End a connection after some seconds; its own timeout starts anew with each byte."""

    def end() -> None:
        with suppress(OSError):  # it has ended
            connected.shutdown(SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def make_prompt(
    text: str, classes: Mapping[str, str], examples: Iterable[tuple[str, str]] = ()
) -> str:
    """Return the prompt for one text.

    Examples
    --------
    >>> from honeybayes.sources.language_models import make_prompt
    >>> print(make_prompt("Where is it?", {"delivery": "about parcels", "billing": ""}))
    Which class does the text belong to? Answer with the name of one class only.
    Classes:
    - delivery: about parcels
    - billing
    <BLANKLINE>
    Text: Where is it?
    Class:
    """
    ask = "Which class does the text belong to? Answer with the name of one class only."
    lines = [ask, "Classes:"]
    lines += [f"- {name}: {what}" if what else f"- {name}" for name, what in classes.items()]
    for example, label in examples:
        lines += ["", f"Text: {example[:MOST_CHARACTERS]}", f"Class: {label}"]
    return "\n".join([*lines, "", f"Text: {text[:MOST_CHARACTERS]}", "Class:"])


def parse_reply(reply: str, classes: Iterable[str]) -> str:
    """Return the class that a reply names, or "" if it names none or several.

    Examples
    --------
    >>> from honeybayes.sources.language_models import parse_reply
    >>> parse_reply("**Class:** Delivery.", ["delivery", "billing"])
    'delivery'
    >>> parse_reply("delivery or billing", ["delivery", "billing"])
    ''
    """
    names = {label: _plain(label) for label in classes}
    literal = [label for label in names if label.strip().casefold() == reply.strip().casefold()]
    plain = _plain(reply)
    exact = literal or [label for label, name in names.items() if name and name == plain]
    if exact:
        return exact[0] if len(exact) == 1 else ""
    found = [label for label, name in names.items() if name and f" {name} " in f" {plain} "]
    # "science fiction" also contains the name "science"
    longest = [each for each in found if sum(names[each] in names[other] for other in found) == 1]
    return longest[0] if len(longest) == 1 else ""


def _plain(text: str) -> str:
    """Return the words alone; marks, such as the vowels of Hindi, belong to them."""
    kept = (c if c.isalnum() or category(c).startswith("M") else " " for c in text.casefold())
    return " ".join("".join(kept).split())


def choose_texts(proba: Any, n: int) -> list[int]:
    """Return the texts whose answers one more opinion would change most: the least sure ones.

    Parameters
    ----------
    proba : array-like of shape (n_texts, n_classes)
        Probabilities without the language model.
    n : int
        Number of texts.

    Examples
    --------
    >>> from honeybayes.sources import choose_texts
    >>> choose_texts([[0.9, 0.1], [0.5, 0.5], [0.3, 0.7]], 2)
    [1, 2]
    """
    sure = np.asarray(proba).max(axis=1)
    return np.argsort(sure, kind="stable")[:n].tolist()


def ask_model(
    answer: Callable[[Sequence[str]], Sequence[str | None]],
    texts: Sequence[str],
    classes: Mapping[str, str] | Sequence[str],
    *,
    examples: Sequence[tuple[str, str]] = (),
    rows: Sequence[int] | None = None,
    budget: int | None = None,
    name: str | None = None,
    cache: str | Path | None = None,
    batch: int = 1,
) -> Asked:
    """Ask a language model for the classes of texts.

    What is sent: the class names, their definitions, the examples and the texts that are asked
    about. Identical texts are sent once, and a text that the model has classified before is not
    sent again, also with other examples. If its reply named no class, it is sent again with new
    examples. To ask about everything again, give another ``name``.

    Parameters
    ----------
    answer : callable
        Takes a list of prompts, and returns a list of replies: `ChatServer`, or your own function.
        It raises OSError (such as ConnectionError) if there is no reply, or returns None for the
        prompts without one.
    texts : sequence of str
        The texts.
    classes : dict or list of str
        Names of the classes, with definitions if it is a dict.
    examples : sequence of tuple
        Some texts and their classes, for the prompt.
    rows : sequence of int, optional
        The texts to ask about, the most important ones first; see `choose_texts`. By default all.
    budget : int, optional
        Send at most this many prompts.
    name : str, optional
        The model. Replies of another name are not used. By default, the address and the model of
        a `ChatServer`.
    cache : str or Path, optional
        The SQLite file for the replies. By default one in the cache folder.
    batch : int, default=1
        Number of prompts in each call. For a `ChatServer`, it is always 1, so that a failure is
        that of one prompt.
    """
    classes = dict(classes) if isinstance(classes, Mapping) else dict.fromkeys(classes, "")
    if len(classes) < 2:
        raise ValueError(f"Name at least two classes; got {list(classes)}.")
    if batch < 1 or (budget is not None and budget < 1):
        raise ValueError(f"batch and budget must be at least 1; got {batch} and {budget}.")
    if isinstance(answer, ChatServer):
        batch, name = 1, f"{answer.address} {answer.model}" if name is None else name
    if not name:
        raise ValueError('Name the model: name="llama3". Its replies are kept under this name.')
    kept = _Replies(Path(cache) if cache else Path(cache_folder(), "answers.sqlite"), name)
    wanted = list(range(len(texts)) if rows is None else rows)
    questions = {row: make_prompt(texts[row], classes) for row in wanted}
    prompts = {questions[row]: make_prompt(texts[row], classes, examples) for row in wanted}
    found = Asked([""] * len(texts))
    replies = {question: kept.get(question) for question in prompts}
    for question, reply in replies.items():
        if reply is not None and not parse_reply(reply, classes):
            replies[question] = kept.get(prompts[question])  # None if the examples are new
    found.n_kept = sum(reply is not None for reply in replies.values())
    missing = [question for question, reply in replies.items() if reply is None][:budget]
    began, failures = time.monotonic(), 0
    for start in range(0, len(missing), batch):
        some = missing[start : start + batch]
        sent = [prompts[question] for question in some]
        found.n_sent += len(sent)
        found.n_characters += sum(map(len, sent))
        try:
            got, problem = list(answer(sent)), "the model gave no reply (None)."
        except OSError as error:
            got, problem = [None] * len(some), str(error)
        if len(got) != len(some) or not all(isinstance(each, str | None) for each in got):
            raise ValueError(f"answer must return {len(some)} strings (or None); got {got!r}.")
        for question, reply in zip(some, got, strict=True):
            if reply is None:
                found.n_failed += 1
                continue
            replies[question] = reply
            for key in {question, prompts[question]}:
                kept.put(key, reply)
        failures = failures + 1 if set(got) == {None} else 0
        if failures == MOST_FAILURES:
            found.problem = problem
            break
    found.seconds = time.monotonic() - began
    for row, question in questions.items():
        known = replies[question]
        found.answers[row] = "" if known is None else parse_reply(known, classes)
        found.n_unclear += known is not None and not found.answers[row]
    return found


class _Replies:
    """Replies of one model in an SQLite file, by the digest of a prompt, with examples or not."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)  # replies are for this user alone
        self._run("CREATE TABLE IF NOT EXISTS replies (digest BLOB PRIMARY KEY, reply TEXT)")

    def get(self, prompt: str) -> str | None:
        rows = self._run("SELECT reply FROM replies WHERE digest = ?", self._digest(prompt))
        return rows[0][0] if rows and isinstance(rows[0][0], str) else None

    def put(self, prompt: str, reply: str) -> None:
        self._run("INSERT OR REPLACE INTO replies VALUES (?, ?)", self._digest(prompt), reply)

    def _run(self, query: str, *values: Any) -> list[Any]:
        try:
            with closing(sqlite3.connect(self._path, timeout=10)) as database, database:
                return database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            told = f"The replies in {self._path} cannot be used ({error}). Move this file away."
            raise ValueError(told) from error

    def _digest(self, prompt: str) -> bytes:
        both = json.dumps([self._name, prompt]).encode()
        return blake2b(both, digest_size=16).digest()
