"""Count what a command runs of the own code: functions, files, packages and calls between packages.

A function counts once, however often it is called. Lambdas, comprehensions, classes and what runs
while modules are imported do not count. The commands run without an encoder, as many tables do.

    python -m benchmarks.walks
"""

import contextlib
import inspect
import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pandas as pd

import honeybayes
from honeybayes.cli import main as run_command

ROOT = Path(honeybayes.__file__).parent


def package_of(code: CodeType | None) -> str | None:
    """Return the package of a function of our own, or None."""
    if code is None or code.co_name.startswith("<") or not code.co_flags & inspect.CO_OPTIMIZED:
        return None
    path = Path(code.co_filename)
    return path.relative_to(ROOT).parts[0] if path.is_relative_to(ROOT) else None


class Walk:
    """Functions of our own that were called, and how often a call left its package."""

    def __init__(self) -> None:
        self.functions: set[CodeType] = set()
        self.n_crossings = self._n_imports = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take an event of the interpreter, as `sys.setprofile` hands it over."""
        code = frame.f_code
        if code.co_name == "<module>":
            self._n_imports += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not self._n_imports and (package := package_of(code)):
            self.functions.add(code)
            caller = frame.f_back
            while caller is not None and package_of(caller.f_code) is None:
                caller = caller.f_back
            self.n_crossings += caller is not None and package_of(caller.f_code) != package

    def describe(self) -> str:
        """Return the four counts."""
        files = {code.co_filename for code in self.functions}
        packages = {package_of(code) for code in self.functions}
        return (
            f"{len(self.functions)} functions, {len(files)} files, {len(packages)} packages, "
            f"{self.n_crossings} crossings"
        )


def follow(function: Callable[[], Any]) -> Walk:
    """Run a function silently, and return what it ran of our own code."""
    walk = Walk()
    quiet = io.TextIOWrapper(io.BytesIO())
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        sys.setprofile(walk)
        try:
            function()
        except SystemExit as error:
            if error.code:
                raise RuntimeError(quiet.buffer.getvalue().decode()) from error
        finally:
            sys.setprofile(None)
    return walk


def main() -> None:
    os.environ["HONEYBAYES_ENCODER"] = "none"
    with tempfile.TemporaryDirectory() as folder:
        labeled, texts, model, answers = (
            f"{folder}/{name}" for name in ("labeled.csv", "texts.csv", "model.hb", "answers.csv")
        )
        for name in ("messages", "mailbox"):
            table = pd.read_json(ROOT / "tables" / f"{name}.jsonl", lines=True)
            table[["text", "label"]].to_csv(labeled, index=False)
            table[["text"]].to_csv(texts, index=False)
            for words in (["fit", labeled, "-o", model], ["predict", model, texts, "-o", answers]):
                sys.argv = ["honeybayes", *words]
                print(f"{words[0]} {name}: {follow(run_command).describe()}")


if __name__ == "__main__":
    main()
