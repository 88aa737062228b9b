"""The application: which address does what."""

import asyncio
import json
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from honeybayes.labeling import Project
from honeybayes.page.access import LOOPBACK, SAFE, Access, is_loopback
from honeybayes.page.desk import EXPORTS, NO_SUGGESTION, SHOWN, Desk
from honeybayes.page.month import PURPOSES as MONTH_KINDS
from honeybayes.page.office import NoProjectError, Office, save_file
from honeybayes.page.worker import STOPPED, WorkerError

HERE = Path(__file__).parent
TICK = 0.2  # seconds between two looks at the events
MOST_ROWS = 10_000  # in one request
PURPOSES = ("chosen", *NO_SUGGESTION, "review")
FROM_WORKER = {  # what the worker writes: which request to it, and the end of the name of the file
    "model.hb": ("save_model", ".hb"),
    "report.html": ("write_report", "-report.html"),
}
SENTENCES = {
    "Not Found": "There is nothing at this address.",
    "Method Not Allowed": "This address takes other requests.",
}
OTHER_PROJECT = "Not stored: another project has been opened since. Reload the page."
# each error is a sentence that a person can act on
ERRORS: dict[type[Exception], tuple[int, str]] = {
    ValueError: (400, "{}"),
    NoProjectError: (409, "No table is open yet. Reload the page."),
    FileExistsError: (409, "{}"),
    FileNotFoundError: (404, "{}"),
    WorkerError: (409, "{}"),
    BrokenExecutor: (409, STOPPED),
    sqlite3.Error: (503, "The project file could not be used ({}). Reload the page."),
    Exception: (500, "Something unexpected happened ({0.__class__.__name__}). Reload the page."),
}


def make_app(office: Office, people: dict[str, str], port: int, host: str = LOOPBACK[0]) -> Access:
    """Return the application; each token, the secret in an address, belongs to a person."""
    office.is_private = len(people) == 1 and is_loopback(host)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ticking = asyncio.create_task(_tick(office))
        try:
            yield
        finally:
            ticking.cancel()
            with suppress(asyncio.CancelledError):
                await ticking
            await run_in_threadpool(office.close)

    async def save(request: Request) -> Response:
        name = await save_file(office.folder, request.path_params["name"], request.stream())
        return JSONResponse({"name": name})

    app = Starlette(
        routes=[
            Route("/", lambda request: FileResponse(HERE / "static" / "page.html")),
            Mount("/static", StaticFiles(directory=HERE / "static", check_dir=False)),
            Route("/api/files/{name}", save, methods=["PUT"]),
            *(
                Route(f"/api/{path}", _endpoint(office, doing, is_about_files), methods=[method])
                for is_about_files, known in ((False, OF_DESK), (True, OF_OFFICE))
                for (method, path), doing in known.items()
            ),
            Route("/export/{name}", partial(_export, office)),
        ],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: lambda request, error: _error(
                error.status_code, SENTENCES.get(error.detail, error.detail)
            ),
            **{kind: _handler(*answer) for kind, answer in ERRORS.items()},
        },
    )
    return Access(app, people, port, host)


def _handler(status: int, sentence: str) -> Any:
    return lambda request, error: _error(status, sentence.format(error))


def _error(status: int, sentence: str) -> Response:
    return JSONResponse({"error": " ".join(sentence.split())}, status)


async def _tick(office: Office) -> None:
    """Watch the events, also those of other processes, and let the model learn."""
    while True:
        if (desk := office.open_desk) is not None:
            with suppress(sqlite3.Error, ValueError):  # a request will report it
                await run_in_threadpool(desk.project.refresh)
            await run_in_threadpool(desk.learner.tick)
        await asyncio.sleep(TICK)


class Fields(dict[str, Any]):
    """The fields of a JSON object, or of an address, where all are strings.

    Those that are null count as missing. The project checks rows, classes and texts itself.
    """

    def __init__(self, values: dict[str, Any], request: Request) -> None:
        super().__init__({name: value for name, value in values.items() if value is not None})
        self.who: str = request.scope.get("who") or ""  # the person who sends them
        self.project = request.headers.get("x-honeybayes-project")  # the key of what they see

    def __missing__(self, name: str) -> Any:
        raise ValueError(f"The field {name!r} is missing.")

    def wrong(self, name: str, what: str) -> ValueError:
        """Return the error of a field that is not what it must be."""
        return ValueError(f"The field {name!r} must be {what}; got {self[name]!r:.50}.")

    def number(self, name: str, kind: Any = int, low: float = -(2**31), high: float = 2**31) -> Any:
        """Return a number of an address; None if there is none."""
        if not self.get(name):
            return None
        with suppress(ValueError):
            if low <= (value := kind(self[name])) <= high:
                return value
        what = "an integer" if kind is int else "a number"
        raise self.wrong(name, f"{what} from {low} to {high}")

    def choice(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> Any:
        """Return one of some strings."""
        value = self.get(name) or default
        if value != default and value not in allowed:
            raise self.wrong(name, f"one of {', '.join(allowed)}")
        return value

    def text(self, name: str) -> str:
        """Return a string, empty if there is none."""
        if not isinstance(value := self.get(name, ""), str):
            raise self.wrong(name, "a text")
        return value

    def rows(self, name: str) -> list[int]:
        """Return a list of rows, empty if there is none."""
        values = self.get(name, [])
        if not isinstance(values, list) or len(values) > MOST_ROWS:
            raise self.wrong(name, f"a list of at most {MOST_ROWS} rows")
        return values

    @property
    def purpose(self) -> str:
        """Why a text was shown."""
        return self.choice("purpose", PURPOSES, "chosen")


Doing = Callable[[Any, Fields], Any]  # what is not a dict is not sent


def _endpoint(office: Office, doing: Doing, is_about_files: bool) -> Any:
    """Return what answers a question, or makes a change and also returns the new state.

    It is about the project that is open, or about files and projects, whether one is open or not.
    """

    def act(fields: Fields, is_question: bool) -> Any:
        desk = office.open_desk if is_about_files else office.desk
        if is_question:
            return doing(office if is_about_files else desk, fields)
        if desk is not None and fields.project not in (None, desk.key):
            raise HTTPException(409, OTHER_PROJECT)
        if desk is None or is_about_files:
            return doing(office, fields) or {}
        with desk.project.acting_as(fields.who):
            sent = doing(desk, fields)
            return (sent if isinstance(sent, dict) else {}) | {"state": desk.state()}

    async def endpoint(request: Request) -> Response:
        is_question = request.method in SAFE
        values: Any = dict(request.query_params) if is_question else {}
        if (body := await request.body()) or request.method in ("POST", "PATCH"):
            try:
                values = json.loads(body)
            except (ValueError, RecursionError) as error:
                raise ValueError("The request is not valid JSON.") from error
            if not isinstance(values, dict):
                raise ValueError("The request must be a JSON object.")
        fields = Fields(values | request.path_params, request)
        return JSONResponse(await run_in_threadpool(act, fields, is_question))

    return endpoint


def _texts(desk: Desk, fields: Fields) -> dict[str, Any]:
    return desk.list_texts(
        page=max(1, fields.number("page") or 1),
        class_id=fields.number("class"),
        source=fields.choice("source", ("person", "model", "none")),
        below=fields.number("below", float, 0, 1),
        above=fields.number("above", float, 0, 1),
        search=fields.text("search"),
        show=fields.choice("show", SHOWN),
        sort=fields.choice("sort", ("row", "confidence"), "row"),
    )


def _and_next(act: Callable[[Project, Fields], Any]) -> Doing:
    """Say something about a text, and return the next one for this window."""

    def doing(desk: Desk, fields: Fields) -> dict[str, Any]:
        window, besides = fields.text("window"), None  # wrong ones fail before anything is stored
        if "besides" in fields:
            besides = [desk.project.first_row(row) for row in fields.rows("besides")]
        wanted = fields.get("wanted")
        if not isinstance(wanted, int | None):
            raise fields.wrong("wanted", "the number of a class")
        act(desk.project, fields)
        return {"item": desk.next(window, besides, wanted)}

    return doing


def _label(project: Project, fields: Fields) -> None:
    also, purpose = fields.rows("also"), fields.purpose
    if also and purpose in NO_SUGGESTION:
        raise ValueError("A random check is labeled alone: similar texts are not random.")
    guess = fields.get("suggested"), fields.get("confidence")
    project.label([fields["row"], *also], fields["class_id"], purpose, *guess)


def _about_class(fields: Fields) -> dict[str, Any]:
    return {name: fields[name] for name in ("name", "words", "definition") if name in fields}


OF_DESK: dict[tuple[str, str], Doing] = {
    ("GET", "state"): lambda desk, fields: desk.state(fields.who),
    ("GET", "history"): lambda desk, fields: desk.history(fields.number("row")),
    ("GET", "item"): lambda desk, fields: {"item": desk.item(fields.number("row"))},
    ("GET", "groups"): lambda desk, fields: desk.groups(fields.number("n", low=2, high=50) or 10),
    ("GET", "month"): lambda desk, fields: desk.month.describe(),
    ("GET", "quality"): lambda desk, fields: desk.quality(),
    ("GET", "texts"): _texts,
    # each of these returns after the event is on disk
    ("POST", "next"): _and_next(lambda project, fields: None),
    ("POST", "label"): _and_next(_label),
    ("POST", "skip"): _and_next(lambda p, fields: p.skip(fields["row"], fields.purpose)),
    ("POST", "undecided"): _and_next(
        lambda p, fields: p.mark_undecided(fields["row"], fields.purpose)
    ),
    ("POST", "clear"): lambda desk, fields: desk.project.clear(fields["row"]),
    ("POST", "note"): lambda desk, fields: desk.project.note(fields["row"], fields["text"]),
    ("POST", "month/check"): lambda desk, fields: desk.month.start(),
    ("POST", "month/offer"): lambda desk, fields: desk.month.offer(
        fields.choice("kind", tuple(MONTH_KINDS), "random")
    ),
    ("POST", "undo"): lambda desk, fields: desk.undo(),
    ("POST", "accept"): lambda desk, fields: {"n": desk.accept(fields.rows("rows"))},
    ("POST", "groups/name"): lambda desk, fields: desk.name_group(
        fields["name"], fields.text("words")
    ),
    ("POST", "classes"): lambda desk, fields: desk.project.add_class(
        **{"name": fields["name"]} | _about_class(fields)
    ),
    ("PATCH", "classes/{id:int}"): lambda desk, fields: desk.project.change_class(
        fields["id"], **_about_class(fields)
    ),
    ("DELETE", "classes/{id:int}"): lambda desk, fields: desk.project.delete_class(fields["id"]),
    ("POST", "classes/{id:int}/merge"): lambda desk, fields: desk.project.merge_classes(
        fields["id"], fields["into"]
    ),
}


OF_OFFICE: dict[tuple[str, str], Doing] = {
    ("GET", "office"): lambda office, fields: office.describe(),
    ("GET", "preview"): lambda office, fields: office.preview(fields.text("name")),
    ("GET", "classify"): lambda office, fields: asdict(office.work),
    ("POST", "begin"): lambda office, fields: office.begin(fields.text("name"), fields),
    ("POST", "open"): lambda office, fields: office.continue_project(fields.text("name")),
    ("POST", "month"): lambda office, fields: office.add_month(fields.text("name")),
    ("POST", "classify"): lambda office, fields: office.classify(fields.text("name")),
    ("POST", "classify/stop"): lambda office, fields: office.stop_classifying(),
}


def _export(office: Office, request: Request) -> Response:
    """Return a file of answers, labels, or what the worker makes of them."""
    desk, name = office.desk, request.path_params["name"]
    if name == "classified":
        answered = office.path_of(office.work.file)
        return FileResponse(answered, filename=answered.name)
    if name not in (*EXPORTS, *FROM_WORKER):
        known = ", ".join([*EXPORTS, *FROM_WORKER])
        raise HTTPException(404, f"There is no {name}. There are: {known}.")
    kind, ending = FROM_WORKER.get(name, ("", f"-{name}"))
    with ExitStack() as stack:
        draft = Path(stack.enter_context(tempfile.TemporaryDirectory()), name)
        if kind:
            desk.learner.ask(kind, str(draft)).result()
        else:
            desk.export(draft, request.query_params.get("plain") == "1")
        removal = BackgroundTask(stack.pop_all().close)
    return FileResponse(draft, filename=desk.name + ending, background=removal)
