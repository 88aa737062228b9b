"""A few broken files. For more run ``python -m benchmarks.fuzz_files``."""

import json
from collections import Counter

import pytest

pytest.importorskip("resource", reason="memory limits need POSIX")

from benchmarks.fuzz_files import fitted_models, nodes, run
from benchmarks.fuzz_tables import work
from honeybayes.files._allowed import SKLEARN_CLASSES, full_name
from honeybayes.files._tree import Writer
from tests.estimators import storable_classes


@pytest.mark.statistics
def test_every_broken_file_is_refused_or_works():
    results = run(150, seed=6)
    bad = [each for each in results if each[1] not in ("refused", "working")]
    assert not bad
    kinds = Counter((kind, outcome) for kind, outcome, *_ in results)
    outcomes = Counter(outcome for _, outcome, *_ in results)
    assert outcomes.total() == 150
    assert kinds["break_bytes", "refused"] >= 25
    # the changes must be subtle enough for some models to load
    assert outcomes["working"] >= 15
    assert outcomes["refused"] >= 75


@pytest.mark.statistics
@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "ods", "parquet"])
def test_every_broken_table_is_refused_or_read(ending, capsys):
    work(10, 6, ending)
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    outcomes = Counter(outcome for _, _, outcome, *_ in results)
    assert outcomes.keys() <= {"refused", "working"}, results
    assert outcomes.total() == 10


def test_every_class_that_a_file_may_hold_is_broken():
    models = fitted_models()
    trees = [Writer().describe(model) for model in models]
    found = {node["name"] for tree in trees for node in nodes(tree, "object")}
    assert found == {*SKLEARN_CLASSES, *storable_classes()}
    first = {full_name(type(model.steps[0][1])) for model in models if hasattr(model, "steps")}
    classes = storable_classes()
    transformers = {name for name, cls in classes.items() if hasattr(cls, "transform")}
    for name in SKLEARN_CLASSES:
        module, _, attribute = name.rpartition(".")
        if hasattr(getattr(__import__(module, fromlist=[attribute]), attribute), "fit_transform"):
            transformers.add(name)
    # the last one transforms labels, not documents
    others = {"sklearn.pipeline.Pipeline", "sklearn.preprocessing._label.LabelBinarizer"}
    assert transformers - first <= others
