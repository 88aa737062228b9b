"""What every test may use: the Hypothesis profile and the papers' corpora."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile(
    "honeybayes", deadline=None, print_blob=True, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("honeybayes")


@pytest.fixture(scope="session")
def corpora() -> Iterator[Path]:
    """Folder of the papers' corpora, named by HONEYBAYES_DATA while the test runs."""
    beside_the_repository = Path(__file__).parents[2] / "shared" / "datasets"
    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("HONEYBAYES_DATA"):
            if not beside_the_repository.is_dir():
                pytest.skip("the papers' corpora are not here: set HONEYBAYES_DATA to their folder")
            patch.setenv("HONEYBAYES_DATA", str(beside_the_repository))
        yield Path(os.environ["HONEYBAYES_DATA"])
