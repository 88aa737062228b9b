"""tests/oldest.txt pins the lower bounds of pyproject.toml."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
# tools, models that no test downloads, and an exact pin
NOT_PINNED = {"docs", "dev", "encoders", "vectors"}


def test_pins_are_the_lower_bounds():
    lines = (ROOT / "tests" / "oldest.txt").read_text().splitlines()
    pins = dict(line.lower().split("==") for line in lines if "==" in line)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"]]
    texts += [text for extra in extras.keys() - NOT_PINNED for text in extras[extra]]
    for requirement in map(Requirement, texts):
        [bound] = [each.version for each in requirement.specifier if each.operator == ">="]
        pinned = pins.get(requirement.name.lower(), "nothing")
        assert f"{pinned}.".startswith(f"{bound}."), f"{requirement}, but {pinned} is pinned"
