"""A few broken project files. For more run ``python -m benchmarks.fuzz_projects``."""

import os

import pytest


@pytest.mark.statistics
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_broken_projects_are_refused_or_can_be_used():
    pytest.importorskip("starlette", reason="needs starlette (extra: label)")
    from benchmarks.fuzz_projects import GOOD, run

    results = run(60, seed=5)
    assert [each for each in results if each[1] not in GOOD] == []
    assert {outcome for _, outcome, *_ in results} >= {"refused", "working", "set aside"}
