"""``honeybayes doctor``: versions, extras, folders, and what is wrong with them."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any, NamedTuple

import typer

import honeybayes as hb
from honeybayes import __version__
from honeybayes.cli._output import print_json, print_table


class Finding(NamedTuple):
    """One line of the answer; ``advice`` is empty if nothing is wrong."""

    about: str
    found: str
    advice: str = ""


def doctor(json: bool = False) -> None:
    """Print versions, extras and folders, and say what is wrong with them.

    The exit code is 1 if something is wrong. A missing extra is not wrong: install it if you need
    it.

    Example: honeybayes doctor
    """
    findings = [
        Finding("honeybayes", __version__),
        Finding("Python", f"{platform.python_version()} on {platform.platform()}"),
        *_packages(),
        *_folders(),
        _compiler(),
    ]
    if json:
        print_json([finding._asdict() for finding in findings])
    else:
        print_table(["", "found", "what to do"], findings)
    if any(finding.advice for finding in findings):
        raise typer.Exit(1)
    if not json and sys.stdout.isatty():  # a pipe gets only rows
        print("\nNothing is wrong.")


def _packages() -> list[Finding]:
    """Compare the installed packages with what honeybayes and its extras need."""
    from packaging.requirements import Requirement

    try:
        needed = [Requirement(each) for each in requires("honeybayes") or []]
        extras = metadata("honeybayes").get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return [Finding("packages", "unknown", "Install honeybayes with pip.")]
    core = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    findings = [_package(each) for each in core]
    for extra in extras:
        own = [e for e in needed if e.marker and e.marker.evaluate({"extra": extra})]
        problems = [each for each in map(_package, own) if each.advice and each not in findings]
        missing = ", ".join(each.about for each in problems)
        found = f"not installed: {missing} (pip install 'honeybayes[{extra}]')"
        findings.append(Finding(f"extra {extra}", found if problems else "installed"))
    return findings


def _package(needed: Any) -> Finding:
    advice = f"pip install '{needed.name}{needed.specifier}'"
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return Finding(needed.name, "missing", advice)
    if needed.specifier.contains(found, prereleases=True):
        return Finding(needed.name, found)
    return Finding(needed.name, f"{found}, but {needed.specifier} is needed", advice)


def _folders() -> list[Finding]:
    """Look at the folder of the corpora, and at the cache folder."""
    from honeybayes.utils.writing import CACHE_VARIABLE, data_folders

    *named, cache = data_folders()
    wrong = "Set the variable to a folder that exists, or unset it."
    findings = [_folder("HONEYBAYES_DATA", each, wrong) for each in named]
    if not named:
        findings = [Finding("HONEYBAYES_DATA", "not set: only bundled corpora have names")]
    if cache.exists():
        last = _folder("cache", cache, f"Remove it, or set {CACHE_VARIABLE}.")
    else:
        last = Finding("cache", f"{cache}, not needed so far")
    nearest = next(each for each in (cache, *cache.parents) if each.exists())
    if not last.advice and not os.access(nearest, os.W_OK):
        last = last._replace(advice=f"Set {CACHE_VARIABLE} to a folder that you may write to.")
    return [*findings, last]


def _folder(about: str, folder: Path, advice: str) -> Finding:
    if not folder.is_dir():
        return Finding(about, f"{folder} is not a folder", advice)
    n_files = sum(1 for _ in folder.iterdir())
    return Finding(about, f"{folder}, {n_files} file{'s' if n_files != 1 else ''}")


def _compiler() -> Finding:
    """Compile and run a small loop."""
    try:
        total = hb.paths.count_paths([[1, 1, 0], [0, 1, 1]]).total
    except Exception as error:  # whatever a broken compiler raises is the finding
        advice = "Reinstall numba and llvmlite: pip install --force-reinstall numba"
        return Finding("compiled loops", f"{type(error).__name__}: {error}", advice)
    return Finding("compiled loops", "work" if total == 1 else f"count {total} paths, not 1")
