"""Suggestions for misspelled names."""

import pytest

from honeybayes.utils.messages import did_you_mean

KNOWN = ["HONB", "HCNB", "label"]


@pytest.mark.parametrize(
    ("name", "options", "hint"),
    [
        ("LABELS", {}, " Did you mean 'label'?"),
        ("honb", {}, " Did you mean 'HONB'?"),
        ("HNB", {"n": 2}, " Did you mean 'HONB' or 'HCNB'?"),
        ("HNB", {"cutoff": 0.99}, ""),
        ("xyz", {}, ""),
        (3, {}, ""),
    ],
)
def test_the_nearest_names_are_suggested_in_their_own_spelling(name, options, hint):
    assert did_you_mean(name, iter(KNOWN), **options) == hint
