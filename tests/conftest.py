"""Set-up for all tests: one Hypothesis profile, and the folder with the corpora."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Every run uses the same examples, so that a test passes or fails everywhere in the same way.
settings.register_profile("honeybayes", derandomize=True, deadline=None, database=None)
settings.load_profile("honeybayes")


@pytest.fixture(scope="session")
def corpora() -> Iterator[Path]:
    """Return the folder with the corpora of the papers; HONEYBAYES_DATA is set to it."""
    beside_the_repository = Path(__file__).parents[2] / "shared" / "datasets"
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("HONEYBAYES_DATA"):
            if not beside_the_repository.is_dir():
                pytest.skip("needs the corpora of the papers: set HONEYBAYES_DATA to their folder")
            patch.setenv("HONEYBAYES_DATA", str(beside_the_repository))
        yield Path(os.environ["HONEYBAYES_DATA"])
