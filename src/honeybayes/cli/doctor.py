"""``honeybayes doctor``: versions, extras, folders, and what is wrong with them."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any

import typer

import honeybayes as hb
from honeybayes.cli._output import print_json, print_table

Finding = tuple[str, str, str]  # what it is about, what was found, and what to do if it is wrong


def doctor(json: bool = False) -> None:
    """Print versions, extras and folders, and say what is wrong with them.

    The exit code is 1 if something is wrong. A missing extra is not wrong: install it if you need
    it.

    Example: honeybayes doctor
    """
    findings = [
        ("honeybayes", hb.__version__, ""),
        ("Python", f"{platform.python_version()} on {platform.platform()}", ""),
        *_packages(),
        *_folders(),
        _compiler(),
    ]
    if json:
        names = ("about", "found", "advice")
        print_json([dict(zip(names, finding, strict=True)) for finding in findings])
    else:
        print_table(["", "found", "what to do"], findings)
    if any(advice for _, _, advice in findings):
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
        return [("packages", "unknown", "Install honeybayes with pip.")]
    core = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    findings = [_package(each) for each in core]
    for extra in extras:
        own = [e for e in needed if e.marker and e.marker.evaluate({"extra": extra})]
        problems = [each for each in map(_package, own) if each[2] and each not in findings]
        missing = ", ".join(name for name, _, _ in problems)
        found = f"not installed: {missing} (pip install 'honeybayes[{extra}]')"
        findings.append((f"extra {extra}", found if missing else "installed", ""))
    return findings


def _package(needed: Any) -> Finding:
    advice = f"pip install '{needed.name}{needed.specifier}'"
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return needed.name, "missing", advice
    if needed.specifier.contains(found, prereleases=True):
        return needed.name, found, ""
    return needed.name, f"{found}, but {needed.specifier} is needed", advice


def _folders() -> list[Finding]:
    """Look at the folder of the corpora, and at the cache folder."""
    from honeybayes.utils.writing import CACHE_VARIABLE, data_folders

    *named, cache = data_folders()
    wrong = "Set the variable to a folder that exists, or unset it."
    findings = [_folder("HONEYBAYES_DATA", each, wrong) for each in named]
    if not named:
        findings = [("HONEYBAYES_DATA", "not set: only bundled corpora have names", "")]
    about, found, advice = "cache", f"{cache}, not needed so far", ""
    if cache.exists():
        about, found, advice = _folder("cache", cache, f"Remove it, or set {CACHE_VARIABLE}.")
    nearest = next(each for each in (cache, *cache.parents) if each.exists())
    if not advice and not os.access(nearest, os.W_OK):
        advice = f"Set {CACHE_VARIABLE} to a folder that you may write to."
    return [*findings, (about, found, advice)]


def _folder(about: str, folder: Path, advice: str) -> Finding:
    if not folder.is_dir():
        return about, f"{folder} is not a folder", advice
    n_files = sum(1 for _ in folder.iterdir())
    return about, f"{folder}, {n_files} file{'s' if n_files != 1 else ''}", ""


def _compiler() -> Finding:
    """Compile and run a small loop."""
    try:
        total = hb.paths.count_paths([[1, 1, 0], [0, 1, 1]]).total
    except Exception as error:  # whatever a broken compiler raises is the finding
        advice = "Reinstall numba and llvmlite: pip install --force-reinstall numba"
        return "compiled loops", f"{type(error).__name__}: {error}", advice
    return "compiled loops", "work" if total == 1 else f"count {total} paths, not 1", ""
