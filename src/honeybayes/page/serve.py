"""Start the server: a socket, the worker, and a browser."""

import asyncio
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from honeybayes.page.access import PRIVATE, shown_host
from honeybayes.page.app import make_app
from honeybayes.page.office import Office

FIRST_PORT = 8765
N_PORTS = 50  # that are tried
GRACE = 2  # seconds for open requests at the end
HEADER_TIME = 10  # seconds in which the header of a request must come
MOST_CONNECTIONS = 100


def serve(
    office: Office,
    people: Sequence[str],
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    announce: Callable[[dict[str, str]], None] = print,
) -> None:
    """Show the page until Ctrl+C or SIGTERM; ``announce`` is told the address of each person."""
    with open_socket(host, port) as listening:
        own_port = listening.getsockname()[1]
        tokens = {name: secrets.token_urlsafe(24) for name in people}
        once = secrets.token_urlsafe(24)
        app = make_app(office, {token: name for name, token in tokens.items()}, own_port, host)
        address = f"http://{shown_host(host)}:{own_port}/#token="

        def on_start() -> None:
            announce({name: address + token for name, token in tokens.items()})
            if browser:  # it may wait for the browser
                app.once[once] = tokens[people[0]]
                threading.Thread(target=webbrowser.open, args=[address + once], daemon=True).start()

        # strangers cannot fill the terminal: what they send is no error of this program
        quiet: dict[str, Any] = {"access_log": False, "log_level": "error", "ws": "none"}
        quiet |= {"server_header": False, "timeout_graceful_shutdown": GRACE}
        config = uvicorn.Config(app, http=Connection, **quiet)
        _Server(config, on_start, office.close).run(sockets=[listening])


class Connection(H11Protocol):
    """A connection that must send its requests soon, and makes room for newer ones.

    Programs that open connections and say nothing cannot keep the person out: the oldest of them
    are closed first. Only a request with a token is never interrupted.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._wait()
        others: Any = self.connections
        idle = [each for each in others if not (each.is_private or each.transport.is_closing())]
        if len(idle) > MOST_CONNECTIONS:
            min(idle, key=lambda each: each.since).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Stop waiting as soon as the header of a request is there."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._waiting.cancel()

    def on_response_complete(self) -> None:
        """Wait for the next request; one that came meanwhile has begun."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._waiting.cancel()
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._waiting.cancel()
        super().connection_lost(exc)

    @property
    def is_private(self) -> bool:
        """Whether a request is being answered that needs a token; others are refused at once."""
        is_open = self.cycle is not None and not self.cycle.response_complete
        return is_open and self.scope["path"].startswith(PRIVATE)

    def _wait(self) -> None:
        self.since = self.loop.time()
        self._waiting = self.loop.call_later(HEADER_TIME, self.transport.abort)


class _Server(uvicorn.Server):
    """A server that says when it is ready, and when it is about to end."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], on_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.on_start, self.on_stop = on_start, on_stop

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.on_start()

    async def shutdown(self, sockets: Any = None) -> None:
        self.on_stop()  # requests that wait for the worker end with it
        await super().shutdown(sockets)


def open_socket(host: str, port: int | None = None) -> socket.socket:
    """Listen at a port, or at the first free one from 8765 on if none is given."""
    ports = range(FIRST_PORT, FIRST_PORT + N_PORTS) if port is None else [port]
    try:
        family, _, _, _, place = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ValueError(
            f"There is no host {host!r}. Leave it out to use the page on this computer."
        ) from error
    last: OSError | None = None
    for number in ports:
        # asyncio sends answers without delay only if the protocol is named
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        # Windows would let two servers share a port; elsewhere the port of a server that has just
        # ended can be used at once
        alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listening.setsockopt(socket.SOL_SOCKET, alone, 1)
        try:
            listening.bind((place[0], number))
            listening.listen()
            return listening
        except OSError as error:
            listening.close()
            last = error
    raise ValueError(
        f"The server cannot listen at {host}, port {ports[0] if port is not None else 'any'} "
        f"({last and last.strerror}). Choose another --port, or leave it out."
    )
