"""A browser and a running `honeybayes label`, for tests and benchmarks of the page."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.page.desks import imported_context, run_command

CHROMIUM = shutil.which("chromium")
PATIENCE = 180  # seconds; a machine with other work takes longer than usual
ASK_STATE = (  # an error, without a model, until the page has entered with its token
    "fetch('/api/state', {headers: {'X-Honeybayes': sessionStorage.token}})"
    ".then(answer => answer.json())"
)
ADDRESS = re.compile(r"http://\S+token=\S+")


@contextmanager
def run_label(table: Path, *options: str) -> Iterator[str]:
    """Run `honeybayes label` in the folder of a table, and give its address."""
    command = [sys.executable, "-m", "honeybayes", "label", table.name, "--no-browser"]
    process = subprocess.Popen(
        [*command, "--port", "0", *options],
        stdout=subprocess.PIPE,
        cwd=table.parent,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if found := ADDRESS.search(line):
                yield found[0]
                break
        else:
            raise RuntimeError(f"honeybayes label gave no address: {''.join(said)}")
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def run_label_quickly(table: Path, *options: str) -> Any:
    """Do the same as `run_label` in a process that has imported everything already.

    If there are several persons, give a dict with the address of each.
    """
    arguments = ["label", table.name, "--no-browser", "--port", "0", *options]
    return _run_quickly(arguments, table.parent)


def run_page(folder: Path) -> Any:
    """Open the page in a folder, without a table."""
    return _run_quickly([], folder)


@contextmanager
def _run_quickly(arguments: list[str], folder: Path) -> Iterator[Any]:
    context = imported_context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=run_command, args=(arguments, folder, theirs))
    process.start()
    theirs.close()
    try:
        with open(ours.fileno(), encoding="utf-8", closefd=False) as said:
            lines = []
            for line in said:
                lines.append(line)
                if "Press Ctrl+C" in line:
                    break
            printed = "".join(lines)
            people = re.findall(r"in a browser, (.+):$", printed, re.MULTILINE)
            addresses = ADDRESS.findall(printed)
            yield dict(zip(people, addresses, strict=True)) if people else addresses[0]
    finally:
        ours.close()
        process.terminate()
        process.join()


@contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Watch:
    """What a page must never do: errors, dialogs, requests to another host.

    Parameters
    ----------
    page : playwright.sync_api.Page
        The page.
    address : str
        The address of the server.
    """

    def __init__(self, page: Any, address: str) -> None:
        self.troubles: list[str] = []
        own = urlsplit(address).netloc
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("console", self._on_console)
        page.on("dialog", self._on_dialog)
        page.on("request", lambda request: self._on_request(request.url, own))

    def _on_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console: {message.text}")

    def _on_dialog(self, dialog: Any) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _on_request(self, url: str, own: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("blob", "data") and parts.netloc != own:
            self.troubles.append(f"request: {url}")


def open_page(
    browser: Any, address: str, width: int = 1280, height: int = 800, **options: Any
) -> Any:
    """Open the page in a window of its own; `page.watch` keeps what went wrong."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(PATIENCE * 1_000)
    page = context.new_page()
    page.watch = Watch(page, address)
    page.goto(address)
    return page
