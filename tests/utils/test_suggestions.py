"""Suggestions for misspelled names."""

import pytest

from honeybayes.utils.messages import check_file_exists, did_you_mean

FILES = ["mail.csv", "july.csv", "train.csv", "a.jsonl"]
FILES += ["inbox-2026.csv", "old-model.hb", "table.csv.gz"]
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


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mial.csv", " Did you mean 'mail.csv'?"),
        ("Mails.csv", " Did you mean 'mail.csv'?"),
        ("main.xlsx", ""),  # its name is near, and its ending is not
        ("june.csv", ""),
        ("b.jsonl", ""),
        ("inbox.csv", " Did you mean 'inbox-2026.csv'?"),
        ("model.hb", " Did you mean 'old-model.hb'?"),
        ("data.csv", ""),  # not a.jsonl, which is a part of it
        ("in.csv", ""),
        ("table.csv", " Did you mean 'table.csv.gz'?"),
    ],
)
def test_only_names_of_files_that_are_near_are_suggested(tmp_path, name, hint):
    for known in FILES:
        (tmp_path / known).touch()
    with pytest.raises(FileNotFoundError) as error:
        check_file_exists(tmp_path / name)
    assert str(error.value) == f"There is no file {tmp_path / name}.{hint}"
