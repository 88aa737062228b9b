"""The application: which address does what."""

import asyncio
import json
import math
import shlex
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from honeybayes import __version__
from honeybayes.page.access import LOOPBACK, Access
from honeybayes.page.desk import EXPORTS, Desk, Filter, shorten
from honeybayes.page.worker import STOPPED, WorkerError
from honeybayes.utils.optional import import_optional

HERE = Path(__file__).parent
TICK = 0.2  # seconds between two looks at the events
MOST_ROWS = 10_000  # in one request
GROUPS_PATIENCE = 5.0  # seconds; after that, the page asks again
SOURCES = ("person", "model", "none")
SORTS = ("row", "confidence")
PURPOSES = ("chosen", "audit", "review")
Doing = Callable[[Desk, "Fields"], dict[str, Any]]


def make_app(desk: Desk, token: str, port: int, host: str = LOOPBACK[0]) -> Access:
    """Return the application for a desk."""
    pages = _Pages(desk)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ticking = asyncio.create_task(_tick(desk))
        try:
            yield
        finally:
            ticking.cancel()
            with suppress(asyncio.CancelledError):
                await ticking
            await run_in_threadpool(desk.learner.close)

    app = Starlette(
        routes=[
            Route("/", pages.page),
            Mount("/static", StaticFiles(directory=HERE / "static", check_dir=False)),
            Route("/api/state", _get(desk, lambda desk, fields: desk.state())),
            Route("/api/item", _get(desk, _item)),
            Route("/api/quality", _get(desk, lambda desk, fields: desk.quality())),
            Route("/api/texts", _get(desk, _texts)),
            Route("/api/groups", pages.groups),
            *(
                Route(f"/api/{path}", _change(desk, doing), methods=[method])
                for method, path, doing in CHANGES
            ),
            Route("/export/model.hb", pages.model),
            Route("/export/report.html", pages.report),
            Route("/export/{name}", pages.export),
        ],
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _on_http_error,
            ValueError: lambda request, error: _error(400, error),
            WorkerError: lambda request, error: _error(409, error),
            BrokenExecutor: lambda request, error: _error(409, STOPPED),
            sqlite3.Error: _on_file_error,
            Exception: _on_bug,
        },
    )
    return Access(app, token, port, host)


async def _tick(desk: Desk) -> None:
    """Watch the events, also those of other processes, and let the model learn."""
    while True:
        with suppress(sqlite3.Error):  # a request will report it
            await run_in_threadpool(desk.project.refresh)
        await run_in_threadpool(desk.learner.tick)
        await asyncio.sleep(TICK)


class Fields:
    """The fields of a request, each one checked."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def get(self, name: str, kind: type | tuple[type, ...], what: str, *default: Any) -> Any:
        """Return a field; raise ValueError if it is missing without a default, or wrong."""
        value = self.values.get(name)
        if value is None:
            if default:
                return default[0]
            raise ValueError(f"The field {name!r} is missing.")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ValueError(f"The field {name!r} must be {what}; got {value!r:.50}.")
        return value

    def integer(self, name: str, *default: Any) -> Any:
        """Return an integer, also from an address."""
        value = self.values.get(name)
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
            return int(value)
        return self.get(name, int, "an integer", *default)

    def number(self, name: str) -> float | None:
        """Return a number from 0 to 1, also from an address; None if there is none."""
        value: Any = self.values.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str):
            with suppress(ValueError):
                value = float(value)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not 0 <= value <= 1:
            raise ValueError(f"The field {name!r} must be from 0 to 1; got {value!r:.50}.")
        return float(value)

    def text(self, name: str, *default: Any) -> Any:
        """Return a string."""
        return self.get(name, str, "a text", *default)

    def choice(self, name: str, allowed: tuple[str, ...], default: Any) -> Any:
        """Return one of some strings."""
        value = self.text(name, None) or default
        if value != default and value not in allowed:
            raise ValueError(
                f"The field {name!r} must be one of {', '.join(allowed)}; got {value!r:.50}."
            )
        return value

    def rows(self, name: str) -> list[int]:
        """Return a list of rows, empty if there is none."""
        values = self.get(name, list, "a list of rows", [])
        if len(values) > MOST_ROWS:
            raise ValueError(f"{len(values)} rows are too many. Send at most {MOST_ROWS} at once.")
        if not all(isinstance(each, int) and not isinstance(each, bool) for each in values):
            raise ValueError(f"The field {name!r} must be a list of integers.")
        return values


# Reading


def _get(desk: Desk, doing: Doing) -> Any:
    async def endpoint(request: Request) -> Response:
        fields = Fields(dict(request.query_params))
        return JSONResponse(await run_in_threadpool(doing, desk, fields))

    return endpoint


def _item(desk: Desk, fields: Fields) -> dict[str, Any]:
    return {"item": desk.item(fields.integer("row"))}


def _texts(desk: Desk, fields: Fields) -> dict[str, Any]:
    wanted = Filter(
        page=max(1, fields.integer("page", 1)),
        class_id=fields.integer("class", None) if fields.values.get("class") else None,
        source=fields.choice("source", SOURCES, None),
        below=fields.number("below"),
        above=fields.number("above"),
        search=fields.text("search", ""),
        suspicious=_is_on(fields, "suspicious"),
        sort=fields.choice("sort", SORTS, "row"),
    )
    return desk.list_texts(wanted)


def _is_on(fields: Fields, name: str) -> bool:
    return fields.text(name, "0") not in ("", "0", "false")


# Changing: each returns after the event is on disk


def _change(desk: Desk, doing: Doing) -> Any:
    async def endpoint(request: Request) -> Response:
        body = await request.body()
        values = _parse(body) if body or request.method != "DELETE" else {}
        fields = Fields(values | request.path_params)
        answer = await run_in_threadpool(doing, desk, fields)
        state = await run_in_threadpool(desk.state)
        return JSONResponse(answer | {"state": state})

    return endpoint


def _parse(body: bytes) -> dict[str, Any]:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError("The request is not valid JSON.") from error
    if not isinstance(values, dict):
        raise ValueError("The request must be a JSON object.")
    return values


def _next(desk: Desk, fields: Fields) -> dict[str, Any]:
    return {"item": desk.next(*_window(desk, fields))}


def _window(desk: Desk, fields: Fields) -> tuple[str, list[int] | None]:
    """Return the window that gets the next text, and the texts that it keeps."""
    window = fields.text("window", "")
    if "besides" not in fields.values:
        return window, None
    return window, [desk.project.first_row(row) for row in fields.rows("besides")]


def _label(desk: Desk, fields: Fields) -> dict[str, Any]:
    window = _window(desk, fields)  # raises ValueError before anything is stored
    also, purpose = fields.rows("also"), fields.choice("purpose", PURPOSES, "chosen")
    if also and purpose == "audit":
        raise ValueError("A text of the audit is labeled alone: others are not random.")
    desk.project.label(
        [fields.integer("row"), *also],
        fields.integer("class_id"),
        purpose,
        fields.integer("suggested", None),
        fields.number("confidence"),
    )
    return {"item": desk.next(*window)}


def _skip(desk: Desk, fields: Fields) -> dict[str, Any]:
    window = _window(desk, fields)
    desk.project.skip(fields.integer("row"), fields.choice("purpose", PURPOSES, "chosen"))
    return {"item": desk.next(*window)}


def _undecided(desk: Desk, fields: Fields) -> dict[str, Any]:
    window = _window(desk, fields)
    purpose = fields.choice("purpose", PURPOSES, "chosen")
    desk.project.mark_undecided(fields.integer("row"), purpose)
    return {"item": desk.next(*window)}


def _clear(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.project.clear(fields.integer("row"))
    return {}


def _note(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.project.note(fields.integer("row"), fields.text("text"))
    return {}


def _undo(desk: Desk, fields: Fields) -> dict[str, Any]:
    undone, item = desk.undo()
    return {"undone": undone, "item": item}


def _add_class(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.project.add_class(
        fields.text("name"), fields.text("words", ""), fields.text("definition", "")
    )
    return {}


def _change_class(desk: Desk, fields: Fields) -> dict[str, Any]:
    changes = [fields.text(name, None) for name in ("name", "words", "definition")]
    desk.project.change_class(fields.integer("id"), *changes)
    return {}


def _merge_classes(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.project.merge_classes(fields.integer("id"), fields.integer("into"))
    return {}


def _delete_class(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.project.delete_class(fields.integer("id"))
    return {}


def _name_group(desk: Desk, fields: Fields) -> dict[str, Any]:
    desk.name_group(fields.text("name"), fields.text("words", ""))
    return {}


def _accept(desk: Desk, fields: Fields) -> dict[str, Any]:
    return {"n": desk.accept(fields.rows("rows"))}


CHANGES: tuple[tuple[str, str, Doing], ...] = (
    ("POST", "next", _next),
    ("POST", "label", _label),
    ("POST", "skip", _skip),
    ("POST", "undecided", _undecided),
    ("POST", "clear", _clear),
    ("POST", "note", _note),
    ("POST", "undo", _undo),
    ("POST", "accept", _accept),
    ("POST", "groups/name", _name_group),
    ("POST", "classes", _add_class),
    ("PATCH", "classes/{id:int}", _change_class),
    ("DELETE", "classes/{id:int}", _delete_class),
    ("POST", "classes/{id:int}/merge", _merge_classes),
)


# Pages and files


class _Pages:
    """What is not JSON from the desk: the page itself, files, and answers of the worker."""

    def __init__(self, desk: Desk) -> None:
        jinja2 = import_optional("jinja2", "label")
        loader = jinja2.FileSystemLoader(HERE / "templates")
        self.desk, self.templates = desk, jinja2.Environment(loader=loader, autoescape=True)
        self._groups: dict[tuple[int, int], Future[Any]] = {}

    async def page(self, request: Request) -> Response:
        template = self.templates.get_template("page.html")
        project = self.desk.project
        file, column = shlex.quote(str(project.path)), project.settings.get("text", "text")
        page = template.render(
            name=self.desk.name, file=file, column=shlex.quote(column), version=__version__
        )
        return HTMLResponse(page.encode("utf-8", "replace"))  # a path may have other bytes

    async def groups(self, request: Request) -> Response:
        n = Fields(dict(request.query_params)).integer("n", 10)
        if not 2 <= n <= 50:
            raise ValueError(f"The field 'n' must be from 2 to 50; got {n}.")
        key = n, len(self.desk.project.texts)
        known = self._groups.get(key)
        if known is None or (known.done() and known.exception() is not None):
            known = self._groups[key] = self.desk.learner.ask("groups", n)
        try:
            waiting = asyncio.shield(asyncio.wrap_future(known))
            groups = await asyncio.wait_for(waiting, GROUPS_PATIENCE)
        except TimeoutError:
            return JSONResponse({"groups": None})
        texts = self.desk.project.texts
        for group in groups:
            group["examples"] = [
                {"row": row, "text": shorten(texts[row], 220)} for row in group["rows"]
            ]
        return JSONResponse({"groups": groups})

    async def model(self, request: Request) -> Response:
        return await self._from_worker("save_model", f"{self.desk.name}.hb")

    async def report(self, request: Request) -> Response:
        return await self._from_worker("write_report", f"{self.desk.name}-report.html")

    async def _from_worker(self, kind: str, name: str) -> Response:
        """Return a file that the worker writes, under this name."""
        draft = Path(await run_in_threadpool(tempfile.mkdtemp), "draft")
        try:
            await asyncio.wrap_future(self.desk.learner.ask(kind, str(draft)))
        except BaseException:
            _remove(draft)
            raise
        return FileResponse(draft, filename=name, background=BackgroundTask(_remove, draft))

    async def export(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in EXPORTS:
            raise HTTPException(404, f"There is no {name}. There are: {', '.join(EXPORTS)}.")
        plain_cells = _is_on(Fields(dict(request.query_params)), "plain")
        content = await run_in_threadpool(self.desk.export, name, plain_cells)
        file_name = f"{self.desk.name}-{name}"
        quoted = quote(file_name, safe="")
        what = f'filename="{quoted}"' if quoted == file_name else f"filename*=utf-8''{quoted}"
        headers = {"Content-Disposition": f"attachment; {what}"}
        return Response(content, media_type=MEDIA_TYPES[Path(name).suffix], headers=headers)


MEDIA_TYPES = {".csv": "text/csv", ".json": "application/json", ".jsonl": "application/jsonl"}


def _remove(draft: Path) -> None:
    draft.unlink(missing_ok=True)
    draft.parent.rmdir()


# Errors: a sentence that a person can act on


def _error(status: int, error: object) -> Response:
    return JSONResponse({"error": " ".join(str(error).split())}, status)


def _on_http_error(request: Request, error: Any) -> Response:
    known = {404: "There is nothing at this address.", 405: "This address takes other requests."}
    is_ours = error.status_code not in known or error.detail not in (
        "Not Found",
        "Method Not Allowed",
    )
    return _error(error.status_code, error.detail if is_ours else known[error.status_code])


def _on_file_error(request: Request, error: Exception) -> Response:
    return _error(503, f"The project file could not be used ({error}). Reload the page.")


def _on_bug(request: Request, error: Exception) -> Response:
    return _error(500, f"Something unexpected happened ({type(error).__name__}). Reload the page.")
