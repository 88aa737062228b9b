"""Discovery: all estimators are found, and only modules of honeybayes are ever imported."""

import subprocess
import sys

import pytest

import honeybayes
from honeybayes.utils.tags import storable_class
from tests.estimators import all_estimators, storable_classes


def test_every_exported_class_with_fit_is_found():
    exported = {name for name in honeybayes.__all__ if hasattr(getattr(honeybayes, name), "fit")}
    assert exported <= set(dict(all_estimators()))
    assert {"TermSelector", "TextVectorizer"} <= set(dict(all_estimators()))
    assert not [name for name in dict(all_estimators()) if name.startswith(("_", "Base"))]


def test_every_estimator_is_storable():
    assert {cls for _, cls in all_estimators()} <= set(storable_classes().values())
    for name, cls in storable_classes().items():
        assert storable_class(name) is cls


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "honeybayes.bayes.base.BaseBayes",
        "honeybayes.bayes.count.BaseLinearCountNB",
        "honeybayes.bayes.count.np",
        "honeybayes.bayes.CountNB",
        "honeybayes.bayes.absent.CountNB",
        "honeybayes.cli.__main__.main",
        "honeybayes.files._loading.load_model",
        "CountNB",
        ".",
        "",
    ],
)
def test_other_names_are_not_storable(name):
    assert storable_class(name) is None


def test_looking_one_class_up_imports_its_module_only():
    code = (
        "import sys; from honeybayes.utils.tags import storable_class; "
        "assert storable_class('honeybayes.bayes.count.CountNB'); "
        "assert not storable_class('honeybayes.cli.__main__.main'); print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    modules = set(run.stdout.split())
    assert not modules & {"honeybayes.cli", "honeybayes.vectors", "numba"}
