"""The bundled mailbox: it is what the grammar makes, and has what real mail has."""

import json
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from honeybayes.tables import describe_corpus, load_corpus

SCRIPT = Path(__file__).parents[2] / "corpora" / "mailbox" / "make_mailbox.py"
MESSAGES = [
    json.loads(line)
    for line in files("honeybayes.tables").joinpath("mailbox.jsonl").read_text("utf-8").splitlines()
]


def test_it_is_what_the_grammar_makes() -> None:
    assert subprocess.run([sys.executable, SCRIPT, "--check"]).returncode == 0


def test_the_corpus_has_its_labels_and_texts_without_one() -> None:
    corpus = load_corpus("mailbox")
    assert corpus.documents == [each["text"] for each in MESSAGES]
    assert corpus.labels.tolist() == [each["label"] for each in MESSAGES]
    described = describe_corpus("mailbox")
    assert (described.documents, described.classes) == (len(corpus), len(corpus.classes))
    assert (corpus.labels == "").sum() == 30


def test_classes_have_very_different_sizes_and_few_labels_are_wrong() -> None:
    sizes = Counter(each["truth"] for each in MESSAGES if each["truth"])
    assert max(sizes.values()) >= 9 * min(sizes.values())
    assert sum(each["label"] != each["truth"] for each in MESSAGES) == 12


@pytest.mark.parametrize(
    ("part", "at_least"),
    [
        ("Fault report", 25),  # form letters
        ("> ", 50),  # quoted replies
        ("Tenant number", 60),
        ("Sent from my phone", 3),  # signatures
    ],
)
def test_it_has_what_real_mail_has(part: str, at_least: int) -> None:
    assert sum(part in each["text"] for each in MESSAGES) >= at_least


def test_texts_repeat_and_are_short_and_long() -> None:
    repeated = Counter(each["text"] for each in MESSAGES)
    lengths = [len(each["text"].split()) for each in MESSAGES]
    assert max(repeated.values()) > 1
    assert min(lengths) <= 2
    assert max(lengths) >= 110
