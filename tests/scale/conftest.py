"""A client of Dask, and what the documentation says about Spark."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def client(cluster):
    """A client of the cluster, which Dask uses while a test runs."""
    dask = pytest.importorskip("dask", reason="needs dask (extra: scale)")
    distributed = pytest.importorskip("distributed", reason="needs dask (extra: scale)")
    with dask.config.set(scheduler=None), distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def recipe_of_spark():
    """The only block of the documentation that calls ``mapInPandas``."""
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]
    blocks = [
        each for page in pages for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    ]
    [block] = [each for each in blocks if "mapInPandas" in each]
    return block
