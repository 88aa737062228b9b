"""Models that keep or compare their training documents refuse what does not fit in memory."""

import os

import numpy as np
import pytest

from honeybayes import IterativeHigherOrderKernel, LSIKNeighborsClassifier, SemanticSVC
from honeybayes.bayes import CountNB, HiddenNB, LocallyWeightedNB, StructureExtendedNB
from honeybayes.utils import matrices

X = np.ones((10, 4), dtype=int)
y = np.array(["a", "b"] * 5)
KEEP = [HiddenNB(), LocallyWeightedNB(), StructureExtendedNB()]
COMPARE = [IterativeHigherOrderKernel(), LSIKNeighborsClassifier(), SemanticSVC()]


@pytest.fixture
def memory_of(monkeypatch):
    return lambda n_bytes: monkeypatch.setattr(matrices, "available_bytes", lambda: n_bytes)


@pytest.mark.parametrize("model", KEEP, ids=repr)
def test_kept_documents_must_fit(model, memory_of):
    memory_of(X.size * matrices.ENTRY_BYTES)
    model.fit(X, y)
    memory_of(X.size * matrices.ENTRY_BYTES - 1)
    with pytest.raises(ValueError, match=r"keeps its training documents: 40 counts .* a sample"):
        model.fit(X, y)
    CountNB().fit(X, y)


@pytest.mark.parametrize("model", COMPARE, ids=repr)
def test_pairs_of_documents_must_fit(model, memory_of):
    memory_of(len(X) ** 2 * matrices.PAIR_BYTES - 1)
    with pytest.raises(ValueError, match=r"all pairs of training documents: 10 documents .* GiB"):
        model.fit(X, y)


@pytest.fixture
def forget():
    matrices.available_bytes.cache_clear()
    yield
    matrices.available_bytes.cache_clear()


def test_the_memory_of_the_machine_is_known():
    assert matrices.available_bytes() > 2**28


@pytest.mark.parametrize(("limit", "expected"), [("1048576", 2**20), ("max", None), ("", None)])
def test_a_container_may_have_less(forget, monkeypatch, tmp_path, limit, expected):
    monkeypatch.setattr(matrices, "CONTAINER", tmp_path / "none")
    machine = matrices.available_bytes()
    matrices.available_bytes.cache_clear()
    monkeypatch.setattr(matrices, "CONTAINER", tmp_path / "memory.max")
    matrices.CONTAINER.write_text(f"{limit}\n")
    assert matrices.available_bytes() == (expected or machine)


def test_nothing_is_refused_if_the_memory_is_not_known(forget, monkeypatch):
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert matrices.available_bytes() == np.inf
    HiddenNB().fit(X, y)
