"""Models that keep or compare their training documents refuse what does not fit in memory."""

import os

import numpy as np
import pytest

from honeybayes import IterativeHigherOrderKernel, LSIKNeighborsClassifier, SemanticSVC
from honeybayes.bayes import CountNB, HiddenNB, LocallyWeightedNB, StructureExtendedNB
from honeybayes.utils import memory

X = np.ones((10, 4), dtype=int)
y = np.array(["a", "b"] * 5)
KEEP = [HiddenNB(), LocallyWeightedNB(), StructureExtendedNB()]
COMPARE = [IterativeHigherOrderKernel(), LSIKNeighborsClassifier(), SemanticSVC()]


@pytest.fixture
def memory_of(monkeypatch):
    return lambda n_bytes: monkeypatch.setattr(memory, "physical_bytes", lambda: n_bytes)


@pytest.mark.parametrize("model", KEEP, ids=repr)
def test_kept_documents_must_fit(model, memory_of):
    memory_of(X.size * memory.ENTRY_BYTES)
    model.fit(X, y)
    memory_of(X.size * memory.ENTRY_BYTES - 1)
    with pytest.raises(ValueError, match=r"keeps its training documents: 40 counts .* a sample"):
        model.fit(X, y)
    CountNB().fit(X, y)


@pytest.mark.parametrize("model", COMPARE, ids=repr)
def test_pairs_of_documents_must_fit(model, memory_of):
    memory_of(len(X) ** 2 * memory.PAIR_BYTES - 1)
    with pytest.raises(ValueError, match=r"all pairs of training documents: 10 documents .* GiB"):
        model.fit(X, y)


def test_a_number_of_components_needs_no_pairs(memory_of):
    memory_of(100)
    LSIKNeighborsClassifier(n_components=2).fit(X, y)


def test_the_memory_of_the_machine_is_known(monkeypatch):
    assert 2**28 < memory.physical_bytes() < 2**50
    memory.physical_bytes.cache_clear()
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert memory.physical_bytes() == 2**33
    memory.physical_bytes.cache_clear()
