"""The top of the package: lazy names, cheap import."""

import subprocess
import sys

import numba
import pytest

import honeybayes


def modules_after(code):
    program = f"{code}\nimport sys; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_importing_the_package_loads_no_dependency():
    assert not {"sklearn", "numpy", "scipy", "typer", "rich"} & modules_after("import honeybayes")


def test_the_help_of_the_command_loads_nothing_heavy():
    code = """
import sys, contextlib
from honeybayes.cli import main
sys.argv = ["honeybayes", "--help"]
with contextlib.suppress(SystemExit):
    main()"""
    loaded = modules_after(code)
    assert {"typer", "rich"} <= loaded
    assert not {"sklearn", "numpy", "scipy", "numba"} & loaded


def test_importing_an_estimator_loads_nothing_heavy():
    loaded = modules_after("from honeybayes import HigherOrderNB")
    assert "sklearn" in loaded
    assert not {"numba", "matplotlib", "skops", "typer"} & loaded


@pytest.mark.parametrize("name", honeybayes.__all__)
def test_every_public_name_resolves(name):
    assert getattr(honeybayes, name) is not None
    assert name in dir(honeybayes)


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'HigherOrderNB2'"):
        honeybayes.HigherOrderNB2  # noqa: B018


def test_compiled_loops_without_a_folder_to_cache_in(monkeypatch):
    """Loops are compiled in the process if the installation is read-only and there is no home."""
    from honeybayes.utils import compiling

    def njit(**options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(compiling, "njit", njit)
    assert compiling.compiled(lambda number: number + 1)(2) == 3
