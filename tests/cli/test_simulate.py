"""``honeybayes simulate --relevant``: a search and its certificate, as in Python."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from honeybayes.labeling import simulate_screening
from honeybayes.tables import load_corpus, write_corpus


@pytest.fixture
def mail(tmp_path):
    corpus = load_corpus("messages").draw(20, seed=0)
    write_corpus(corpus, tmp_path / "mail.csv")
    return corpus


def test_a_search_is_that_of_python(mail, works):
    rows = np.random.default_rng(3).permutation(len(mail.labels))[:100]
    texts = [mail.documents[row] for row in rows]
    expected = simulate_screening(texts, mail.labels[rows] == "returns", n_runs=2, random_state=3)
    command = "simulate mail.csv --relevant returns --runs 2 --texts 100 --seed 3"
    assert json.loads(works(f"{command} --json")) == [asdict(run) for run in expected]
    head, *lines, last = works(command).splitlines()
    assert head == "texts read\tchecked at random\tfound\tproved: at least"
    for line, run in zip(lines, expected, strict=True):
        cells = [str(run.n_read), str(run.n_checked), f"{run.recall:.1%}", f"{run.bound:.1%}"]
        assert line.split("\t") == cells
    held = sum(run.bound <= run.recall for run in expected)
    assert f"of 100 texts are returns. The bound is true in {held} of 2 runs" in last


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--relevant nothing", "0 of the 160 texts have this class"),
        ("--relevant returns --names", "omit --plot and --names"),
    ],
)
def test_what_cannot_be_searched_is_refused(mail, fails, options, message):
    assert message in fails(f"simulate mail.csv {options}")
