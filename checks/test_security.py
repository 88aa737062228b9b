"""SECURITY.md names a test for each promise, and these tests exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_test_that_is_named_exists():
    file, n_named = "", 0
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for named, test in re.findall(r"`(tests/[\w/]+\.py)?::(\w+)`", text):
        file = named or file
        assert f"\ndef {test}(" in (ROOT / file).read_text(encoding="utf-8"), (file, test)
        n_named += 1
    assert n_named > 30
