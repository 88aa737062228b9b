"""Two hundred broken files. For more run ``python -m benchmarks.fuzz_files``."""

from collections import Counter

import pytest

pytest.importorskip("resource", reason="memory limits need POSIX")

from benchmarks.fuzz_files import run


def test_every_broken_file_is_refused_or_works():
    results = run(200, seed=6)
    bad = [each for each in results if each[1] not in ("refused", "working")]
    assert not bad
    outcomes = Counter((kind, outcome) for kind, outcome, *_ in results)
    assert outcomes.total() == 200
    assert outcomes["bytes", "refused"] + outcomes["bytes", "working"] == 100
    # the changes must be subtle enough for some models to load
    assert outcomes["inside", "working"] >= 5
    assert outcomes["inside", "refused"] >= 50
