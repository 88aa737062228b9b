"""Who may use the page: token, Host, Origin, size of requests, and headers of every answer.

The page itself and its scripts contain nothing private, so everybody may load them. Everything else
needs the token of a person in a header. The token is behind the ``#`` of the address, which
browsers do not send, and is then kept by the browser for this tab and this port only. A cookie
would be sent to servers of other users at other ports, too.
"""

import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

LARGEST_BODY = 1_000_000  # bytes
FILES = "/api/files/"  # tables that a person drops on the page
ENTER = "/api/enter"  # where a token that works once becomes that of the person
PRIVATE = ("/api/", "/export/")
LARGEST_FILE = 1_000_000_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # a server with one of these listens at all addresses
TOO_LARGE = "The request is too large. At most {} bytes are allowed."
SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; "
    "base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
OTHER_HOST = (
    "The page answers only at port {port} of this computer. If you forward a port, use the same "
    "number: ssh -L {port}:localhost:{port} ..."
)
NO_TOKEN = (
    "This page is only for the person who started it. Open the address that honeybayes printed "
    "last in the terminal: it contains a token, which changes with each start."
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


def shown_host(host: str) -> str:
    """Return the host as an address in the browser has it."""
    if host in EVERYWHERE:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


class Access:
    """A layer around the application that lets only the page itself through.

    Each person has a token. The application finds the name of the person in ``scope["who"]``.
    """

    def __init__(self, app: Any, people: Mapping[str, str], port: int, host: str) -> None:
        self.app, self.people, self.port = app, dict(people), port
        self.once: dict[str, str] = {}  # for a token that opens the page once, that of the person
        self.names = {*LOOPBACK, shown_host(host).lower()}
        # Any numeric address leads here then. A foreign name would not: it could be an attack that
        # lets its own name lead to this computer.
        self.takes_addresses = host in EVERYWHERE
        if self.takes_addresses:
            self.names.add(socket.getfqdn().lower())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            request = Request(scope)
            token = _find(request.headers.get("x-honeybayes", ""), self.people)
            scope["who"] = self.people.get(token or "")
            answer = self._answer(request, token) or self.app
            limited = _limited(receive, _largest(request))
            await answer(scope, limited, partial(_send_with_headers, send))

    def _answer(self, request: Request, token: str | None) -> Response | None:
        """Return a refusal, or the token of a person; None to go on."""
        path, headers = request.url.path, request.headers
        if not self._is_own_host(headers.get("host", "")):
            return _refuse(403, OTHER_HOST.format(port=self.port))
        if headers.get("origin", own := f"http://{headers['host']}").lower() != own.lower():
            return _refuse(403, "The request comes from another page.")
        if path == ENTER and token is None:
            once = _find(headers.get("x-honeybayes", ""), self.once)
            token = None if once is None else self.once.pop(once)
        if token is None and path.startswith(PRIVATE):
            return _refuse(401, NO_TOKEN)
        if path == ENTER:
            return JSONResponse({"token": token})
        if request.method in SAFE:
            return None
        content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        length, largest = headers.get("content-length", "0"), _largest(request)
        is_file = path.startswith(FILES)
        expected = "application/octet-stream" if is_file else "application/json"
        if content_type != expected:
            return _refuse(415, f"The content type must be {expected}.")
        if length.isdecimal() and int(length) > largest:
            return _refuse(413, TOO_LARGE.format(largest))
        return None

    def _is_own_host(self, host: str) -> bool:
        name, _, port = host.lower().rpartition(":")
        if not name or "]" in port:  # without a port, which means 80
            name, port = host.lower(), "80"
        is_known = name in self.names or (self.takes_addresses and _address(name) is not None)
        return is_known and port == str(self.port)


def _find(token: str, known: Iterable[str]) -> str | None:
    """Return a token if it is known, in a time that says nothing about it."""
    given = token.encode()
    found = [each for each in known if secrets.compare_digest(given, each.encode())]
    return found[0] if found else None


def _largest(request: Request) -> int:
    return LARGEST_FILE if request.url.path.startswith(FILES) else LARGEST_BODY


def _refuse(status: int, sentence: str) -> Response:
    # who is refused does not keep the connection, whatever else they send
    return JSONResponse({"error": sentence}, status, {"Connection": "close"})


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


async def _send_with_headers(send: Any, message: Any) -> None:
    if message["type"] == "http.response.start":
        MutableHeaders(scope=message).update(HEADERS)
    await send(message)
