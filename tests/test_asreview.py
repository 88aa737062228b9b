"""The feature extractor for ASReview: what its interface needs, and its own simulation."""

import csv
import json
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import TfidfTransformer

from honeybayes.asreview import Texts
from honeybayes.text import find_encoder

ROOT = Path(__file__).parents[1]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "entry-points"
]
EXTRACTORS = GROUPS["asreview.models.feature_extractors"]
N_RECORDS, N_RELEVANT, N_PRIOR = 120, 12, 6


@pytest.mark.parametrize(("name", "entry"), EXTRACTORS.items())
def test_names_and_settings(name, entry):
    """ASReview loads a class by its ``name`` and stores its parameters as JSON."""
    module, _, class_name = entry.partition(":")
    cls = getattr(import_module(module), class_name)
    assert cls.name == name
    assert "honeybayes" in cls.label
    settings = json.loads(json.dumps(cls().get_params(deep=False)))
    restored = cls(**settings).get_params(deep=False)
    assert json.loads(json.dumps(restored)) == settings


def test_features_are_those_of_titles_and_abstracts(monkeypatch):
    records = pd.DataFrame(
        {"title": ["Late parcels", None], "abstract": ["", "The parcel was late"], "year": [1, 2]}
    )
    monkeypatch.setenv("HONEYBAYES_ENCODER", "none")
    counts = [[1, 1, 1, 0, 0, 0, 0, 0], [1, 0, 1, 1, 1, 1, 1, 1]]  # stems, and pairs of them
    expected = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    found = Texts().fit_transform(records)
    np.testing.assert_allclose(
        np.sort(found.toarray(), axis=1), np.sort(expected.toarray(), axis=1), atol=1e-12
    )
    assert Texts(columns=["title"]).fit_transform(records).shape == (2, 3)


def test_the_vectors_follow_the_terms(monkeypatch):
    monkeypatch.delenv("HONEYBAYES_ENCODER", raising=False)
    if find_encoder() is None:
        pytest.skip("needs the extra vectors")
    records = pd.DataFrame({"title": ["Late parcels", "Packages delayed"], "abstract": ""})
    both = Texts().fit_transform(records)
    monkeypatch.setenv("HONEYBAYES_ENCODER", "none")
    words = Texts().fit_transform(records)
    assert (both[:, : words.shape[1]] != words).nnz == 0
    similarity = (both @ both.T).toarray()
    assert (words @ words.T).toarray()[0, 1] == 0
    assert similarity[0, 1] > 0.3
    np.testing.assert_allclose(similarity.diagonal(), 2, rtol=1e-5)


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """A table of records, of which one in ten is about parcels."""
    rng = np.random.default_rng(1)
    about = [f"parcel{number}" for number in range(6)]
    common = [f"word{number}" for number in range(60)]
    path = tmp_path_factory.mktemp("asreview") / "records.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["title", "abstract", "included"])
        for number in range(N_RECORDS):
            is_relevant = number % (N_RECORDS // N_RELEVANT) == 0
            words = [*rng.choice(common, 12), *(rng.choice(about, 3) if is_relevant else [])]
            writer.writerow([f"record {number}", " ".join(words), int(is_relevant)])
    return path


def test_simulation(records, tmp_path):
    """With ASReview's own classifier; records in random order would need about 110 labels."""
    if find_spec("asreview") is None:
        pytest.skip("needs ASReview, which is not installed")
    command = f"simulate {records} -c svm -b balanced -e honeybayes_texts -q max --seed 1"
    prior = [str(number * 10 + number % 2 * 5) for number in range(N_PRIOR)]
    done = subprocess.run(
        [sys.executable, "-m", "asreview", *command.split(), "--prior-idx", *prior],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    [*_, (found, of)] = re.findall(r"Relevant records found.*?(\d+)/(\d+)", done.stderr)
    assert found == of == str(N_RELEVANT)
    [*_, labeled] = re.findall(rf"Records labeled.*?(\d+)/{N_RECORDS}", done.stderr)
    assert int(labeled) <= 45
