"""One cluster of two processes for all tests with Dask, because it takes time to start."""

import logging
import warnings

import pytest


@pytest.fixture(scope="session")
def cluster():
    distributed = pytest.importorskip("distributed", reason="needs dask (extra: scale)")
    options = {"threads_per_worker": 1, "dashboard_address": None}
    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(2, silence_logs=logging.CRITICAL, **options) as cluster,
    ):
        warnings.simplefilter("default")  # of a cluster whose workers end
        yield cluster


@pytest.fixture
def client(cluster):
    """A client of the cluster, which Dask uses while a test runs."""
    dask = pytest.importorskip("dask", reason="needs dask (extra: scale)")
    distributed = pytest.importorskip("distributed", reason="needs dask (extra: scale)")
    with dask.config.set(scheduler=None), distributed.Client(cluster) as client:
        yield client
