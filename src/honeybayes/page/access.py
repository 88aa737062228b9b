"""Who may use the page: token, Host, Origin, size of requests, and headers of every answer."""

import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

LARGEST_BODY = 1_000_000  # bytes
FILES = "/api/files/"  # tables that a person drops on the page
LARGEST_FILE = 1_000_000_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TOO_LARGE = "The request is too large. At most {} bytes are allowed."
SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; "
    "base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    # the cookie is sent to pages at all ports of this computer; none of them may load a file here
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
OTHER_HOST = (
    "The page answers only at port {port} of this computer. If you forward a port, use the same "
    "number: ssh -L {port}:localhost:{port} ..."
)
NO_TOKEN = (
    "This page is only for the person who started it. Open the address that `honeybayes label` "
    "printed in the terminal: it contains a token."
)
WRONG_TOKEN = (
    "The token in this address is wrong: it changes with each start. Open the address that "
    "`honeybayes label` printed last."
)


def is_loopback(host: str) -> bool:
    """Return True if only programs on this computer can reach the host."""
    address = _address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


def _address(host: str) -> Any:
    """Return a numeric address; None if the host has a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


class Access:
    """A layer around the application that lets only the page itself through.

    Each person has a token. The application finds the name of the person in ``scope["who"]``.
    """

    def __init__(
        self, app: Any, people: Mapping[str, str], port: int, host: str = LOOPBACK[0]
    ) -> None:
        self.app, self.people, self.port = app, dict(people), port
        self.cookie = f"honeybayes-{port}"
        self.once: dict[str, str] = {}  # for a token that opens the page once, that of the person
        name = f"[{host}]" if ":" in host else host
        self.names = {*LOOPBACK, name.lower()}
        # Any numeric address leads here then. A foreign name would not: it could be an attack that
        # lets its own name lead to this computer.
        self.takes_addresses = host in ("0.0.0.0", "::")
        if self.takes_addresses:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            request = Request(scope)
            answer = self._answer(request) or self.app
            scope["who"] = self.people.get(self._token_of(request) or "")
            await answer(scope, _limited(receive, _largest(request)), _with_headers(send))

    def _answer(self, request: Request) -> Response | None:
        """Return a refusal, or the answer to the address with the token; None to go on."""
        if not self._is_own_host(request.headers.get("host", "")):
            return _refuse(request, 403, OTHER_HOST.format(port=self.port))
        if request.method in SAFE and "token" in request.query_params:
            token = self._opens(request.query_params["token"]) or self._token_of(request)
            if token is None:
                return _refuse(request, 403, WRONG_TOKEN)
            answer = RedirectResponse("/", status_code=303)
            answer.set_cookie(self.cookie, token, httponly=True, samesite="strict")
            return answer
        if self._token_of(request) is None:
            return _refuse(request, 401, NO_TOKEN)
        if request.method in SAFE:
            return None
        own, headers = f"http://{request.headers['host']}".lower(), request.headers
        content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        length = headers.get("content-length", "0")
        if headers.get("origin", own).lower() != own:
            return _refuse(request, 403, "The request comes from another page.")
        if headers.get("x-honeybayes") != "1":
            return _refuse(request, 403, "The header `X-Honeybayes: 1` is missing.")
        is_file, largest = request.url.path.startswith(FILES), _largest(request)
        if content_type != (
            expected := "application/octet-stream" if is_file else "application/json"
        ):
            return _refuse(request, 415, f"The content type must be {expected}.")
        if length.isdecimal() and int(length) > largest:
            return _refuse(request, 413, TOO_LARGE.format(largest))
        return None

    def _is_own_host(self, host: str) -> bool:
        name, _, port = host.lower().rpartition(":")
        if not name or "]" in port:  # without a port, which means 80
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        return name in self.names or (self.takes_addresses and _address(name) is not None)

    def _token_of(self, request: Request) -> str | None:
        """Return the token of the person who sends a request; None if nobody is known."""
        return _find(request.cookies.get(self.cookie, ""), self.people)

    def _opens(self, token: str) -> str | None:
        """Return the token of the person whom an address belongs to."""
        if (once := _find(token, self.once)) is not None:
            return self.once.pop(once)
        return _find(token, self.people)


def _find(token: str, known: Iterable[str]) -> str | None:
    """Return a token if it is known, in a time that says nothing about it."""
    return next(iter([each for each in known if _are_equal(token, each)]), None)


def _largest(request: Request) -> int:
    return LARGEST_FILE if request.url.path.startswith(FILES) else LARGEST_BODY


def _are_equal(one: str, two: str) -> bool:
    return secrets.compare_digest(one.encode(), two.encode())


def _refuse(request: Request, status: int, sentence: str) -> Response:
    """Return an error: a page for a person who opened an address, else JSON."""
    if request.url.path != "/":
        return JSONResponse({"error": sentence}, status)
    again = '<p>If you have just opened this address: <a href="/">go on</a>.</p>'
    return HTMLResponse(
        "<!doctype html><html lang=en><meta charset=utf-8><title>honeybayes</title>"
        f"<p>{escape(sentence)}</p>{again if status == 401 else ''}",
        status,
    )


def _limited(receive: Any, largest: int) -> Any:
    """Return a function that receives a request, and stops at too large a body."""
    n_bytes = 0

    async def receive_some() -> Any:
        nonlocal n_bytes
        message = await receive()
        n_bytes += len(message.get("body", b""))
        if n_bytes > largest:
            raise HTTPException(413, TOO_LARGE.format(largest))
        return message

    return receive_some


def _with_headers(send: Any) -> Any:
    async def send_some(message: Any) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_some
