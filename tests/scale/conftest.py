"""A client of Dask."""

import pytest


@pytest.fixture
def client(cluster):
    """A client of the cluster, which Dask uses while a test runs."""
    dask = pytest.importorskip("dask", reason="needs dask (extra: scale)")
    distributed = pytest.importorskip("distributed", reason="needs dask (extra: scale)")
    with dask.config.set(scheduler=None), distributed.Client(cluster) as client:
        yield client
