"""Desks without a worker process: the model learns in the process of the test, when told to."""

import asyncio
import multiprocessing
import os
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import httpx
import numpy as np
import uvicorn

from honeybayes.cli import main
from honeybayes.cli.label import open_page
from honeybayes.labeling import Project
from honeybayes.labeling.turn import Answers, Turn
from honeybayes.page.app import make_app
from honeybayes.page.desk import Desk
from honeybayes.page.office import Office
from honeybayes.page.serve import open_socket
from honeybayes.page.worker import Learner, Worker, WorkerError

TOKEN = "the-token"
PORT = 8765
HOST = f"127.0.0.1:{PORT}"
HEADERS = {"Content-Type": "application/json"}
TEXTS = [
    "my parcel is late",
    "the parcel never arrived",
    "a courier lost my parcel",
    "where is my delivery",
    "the driver left the parcel outside",
    "parcel damaged by the courier",
    "I was charged twice",
    "wrong amount on my invoice",
    "please refund the charge",
    "the invoice has a wrong total",
    "an unknown charge on my card",
    "my card was charged again",
    "MY PARCEL  is late",
]


class Browser:
    """Sends requests to an application in this process, with a token if there is one."""

    def __init__(self, app, host=HOST, token=None):
        self.app, self.host, self.token = app, host, token

    def request(self, method, path, **options):
        return asyncio.run(self._request(method, path, options))

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    async def _request(self, method, path, options):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        headers = {} if self.token is None else {"X-Honeybayes": self.token}
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://{self.host}", headers=headers
        ) as client:
            return await client.request(method, path, **options)


class InlineLearner(Learner):
    """A learner whose worker is this process, and which learns only in `learn`."""

    def __init__(self, project):
        super().__init__(project)
        self.worker = Worker(str(project.path))

    def tick(self):
        """Do nothing: a test says when to learn."""

    def learn(self):
        """Learn now."""
        self._keep("learn", self.ask("learn"))

    def ask(self, kind, *arguments):
        """Answer at once."""
        future = Future()
        try:
            future.set_result(self.worker.answer(kind, *arguments))
        except WorkerError as error:
            future.set_exception(error)
        return future

    def close(self):
        """Close the file of the worker."""
        if self.worker.session is not None:
            self.worker.session.project.close()


def imported_context():
    """Return how to start processes that are forked from one that has imported the server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.page.desks"])
    return context


def run_command(arguments, folder, connection):
    """Run the command line in this process; what it prints goes to a connection."""
    os.chdir(folder)
    with open(connection.fileno(), "w", encoding="utf-8", closefd=False) as sys.stdout:
        sys.argv = ["honeybayes", *map(str, arguments)]
        if arguments:
            main()
        else:  # without a command, which needs a terminal
            open_page(browser=False)


def office_of(desk):
    """Return an office in which a desk is open."""
    office = Office()
    office.open_desk, office.folder = desk, desk.project.path.parent.resolve()
    return office


def run_server(path, connection):
    """Serve a project without a model, and send the port; for processes that get killed."""
    project = Project.open(path)
    listening = open_socket("127.0.0.1", 0)
    port = listening.getsockname()[1]
    office = office_of(Desk(project, InlineLearner(project)))
    app = make_app(office, {TOKEN: project.who}, port)
    connection.send(port)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


def run_writer(path, connection):
    """Store turns and rounds without end, as a worker does that has learned."""
    with Project.open(path) as project:
        connection.send(0)
        n, rng = len(project.texts), np.random.default_rng(0)
        while True:
            classes = rng.integers(1, 3, (2, n))
            answers = Answers(*classes, *rng.random((2, n)))
            project.keep_turn(Turn(0, 0, answers, answers, (), ()))
            project.add_round(0, classes[0])


def run_learner(path, connection):
    """Start a worker, and send the number of its process."""
    learner = Learner(Project.open(path))
    learner.tick()
    connection.send(learner._process.pid)
    time.sleep(600)


def confirmed_in(path: Path) -> dict[int, int]:
    """Return the labels in a project file."""
    with Project.open(path) as project:
        return {row: each.class_id for row, each in project.ledger.state.labels.items()}
