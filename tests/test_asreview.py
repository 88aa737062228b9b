"""The models for ASReview: what its interface needs, and its own simulation."""

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
from sklearn.metrics import roc_auc_score

from honeybayes import FewLabelsClassifier, TextVectorizer
from honeybayes.asreview import FewLabels, Terms

ROOT = Path(__file__).parents[1]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "entry-points"
]
CLASSIFIERS = GROUPS["asreview.models.classifiers"]
EXTRACTORS = GROUPS["asreview.models.feature_extractors"]
N_RECORDS, N_RELEVANT, N_PRIOR = 120, 12, 6


def load(entry):
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    rates = np.where(y[:, np.newaxis] == 1, [2, 2, 0.2, 0.2, 1], [0.2, 0.2, 2, 2, 1])
    return rng.poisson(rates), y


@pytest.mark.parametrize(("name", "entry"), [*CLASSIFIERS.items(), *EXTRACTORS.items()])
def test_names_and_settings(name, entry):
    """ASReview loads a class by its ``name`` and stores its parameters as JSON."""
    cls = load(entry)
    assert cls.name == name
    assert "honeybayes" in cls.label
    settings = json.loads(json.dumps(cls().get_params(deep=False)))
    restored = cls(**settings).get_params(deep=False)
    assert json.loads(json.dumps(restored)) == settings


@pytest.mark.parametrize("entry", CLASSIFIERS.values())
def test_classifiers_are_called_as_asreview_does(counts, entry):
    X, y = counts
    labeled = np.r_[0:5, 30:35]
    pool = np.setdiff1d(np.arange(len(y)), labeled)
    for weight in (None, np.linspace(0.5, 1.5, len(labeled))):
        model = load(entry)()
        model.fit(X[labeled], y[labeled], sample_weight=weight)
        relevant = model.predict_proba(X[pool])[:, 1]
        assert relevant.shape == pool.shape
        assert roc_auc_score(y[pool], relevant) > 0.9


def test_few_labels_learns_from_the_records_that_it_ranks(counts):
    """The first call is the same as a fit of `FewLabelsClassifier` to all records."""
    X, y = counts
    labeled = np.array([33, 2, 40, 9])
    pool = np.setdiff1d(np.arange(len(y)), labeled)
    partly = np.full(len(y), -1)
    partly[labeled] = y[labeled]
    expected = FewLabelsClassifier().fit(X, partly).predict_proba(X[pool])
    model = FewLabels().fit(X[labeled], y[labeled])
    np.testing.assert_allclose(model.predict_proba(X[pool]), expected, atol=1e-6)
    more = np.array([33, 2, 40, 9, 50])  # a warm start
    rest = np.setdiff1d(pool, more)
    ranked = model.fit(X[more], y[more]).predict_proba(X[rest])[:, 1]
    partly[50] = y[50]
    cold = FewLabelsClassifier().fit(X, partly).predict_proba(X[rest])[:, 1]
    assert np.corrcoef(ranked, cold)[0, 1] > 0.98


def test_terms_are_those_of_titles_and_abstracts():
    records = pd.DataFrame(
        {"title": ["Late parcels", None], "abstract": ["", "A parcel was late"], "year": [1, 2]}
    )
    extractor, plain = Terms(), TextVectorizer()
    expected = plain.fit_transform(["Late parcels", "A parcel was late"])
    assert (extractor.fit_transform(records) != expected).nnz == 0
    assert extractor.terms_.tolist() == plain.terms_.tolist()
    assert (extractor.transform(records) != expected).nnz == 0
    assert Terms(columns=["title"]).fit_transform(records).shape == (2, 2)


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


def simulate(records, classifier):
    """Run ``asreview simulate``; return the number of labels until the last relevant record."""
    if find_spec("asreview") is None:
        pytest.skip("needs ASReview, which is not installed")
    command = f"simulate {records} -c {classifier} -e honeybayes_terms -q max --seed 1 --prior-idx"
    prior = [str(number * 10 + number % 2 * 5) for number in range(N_PRIOR)]
    done = subprocess.run(
        [sys.executable, "-m", "asreview", *command.split(), *prior],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [*_, (found, of)] = re.findall(r"Relevant records found.*?(\d+)/(\d+)", done.stderr)
    assert found == of == str(N_RELEVANT)
    [*_, labeled] = re.findall(rf"Records labeled.*?(\d+)/{N_RECORDS}", done.stderr)
    return int(labeled)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_simulation(records, classifier):
    """Records in random order would need about 110 labels."""
    assert simulate(records, classifier) <= 45


def test_the_simulation_of_naive_bayes_is_that_of_asreview(records):
    """`CountNB` is the multinomial naive Bayes of scikit-learn, which ASReview calls ``nb``."""
    assert simulate(records, "honeybayes_nb") == simulate(records, "nb")
