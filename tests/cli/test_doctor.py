"""``honeybayes doctor``: versions, extras, folders, and what is wrong with them."""

import json
from importlib import metadata

import numpy as np
import pytest


@pytest.fixture
def healthy(monkeypatch, tmp_path):
    """Name folders that exist."""
    for variable in ("HONEYBAYES_DATA", "HONEYBAYES_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))


def test_nothing_is_wrong(works, healthy):
    findings = {each["about"]: each for each in json.loads(works("doctor --json"))}
    assert findings["numpy"] == {"about": "numpy", "found": np.__version__, "advice": ""}
    assert findings["extra report"]["found"] == "installed"
    assert findings["compiled loops"]["found"] == "work"


def test_a_wrong_folder_is_named_with_what_to_do(run, healthy, monkeypatch, tmp_path):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path / "absent"))
    (tmp_path / "file").touch()
    monkeypatch.setenv("HONEYBAYES_CACHE", str(tmp_path / "file"))
    done = run("doctor")
    assert done.returncode == 1
    assert f"{tmp_path / 'absent'} is not a folder\tSet the variable" in done.stdout
    assert f"{tmp_path / 'file'} is not a folder\tRemove it" in done.stdout


def test_an_old_package_and_a_missing_one_are_named(run, healthy, monkeypatch):
    def version(name):
        if name == "rich":
            raise metadata.PackageNotFoundError(name)
        return "1.0" if name == "scipy" else metadata.version(name)

    monkeypatch.setattr("honeybayes.cli.doctor.version", version)
    done = run("doctor")
    assert done.returncode == 1
    assert "scipy\t1.0, but >=1.11 is needed\tpip install 'scipy>=1.11'" in done.stdout
    assert "rich\tmissing\tpip install 'rich>=13'" in done.stdout
