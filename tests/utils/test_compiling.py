"""Loops give the same answers with and without a compiler."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest

from honeybayes import NoPathWarning, make_model
from honeybayes.utils import compiling
from tests.estimators import COUNTS, Y, implementations

NAMES = [*implementations(), "pure HONB", "HOVA", "SECNB"]


def answers() -> dict[str, list]:
    warnings.simplefilter("ignore", NoPathWarning)
    fitted = {name: make_model(name).fit(COUNTS, Y) for name in NAMES}
    methods = ("predict_joint_log_proba", "predict_proba", "decision_function")
    return {
        name: [getattr(model, each)(COUNTS).tolist() for each in methods if hasattr(model, each)]
        for name, model in fitted.items()
    }


@pytest.mark.process
@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
def test_plain_loops_answer_as_compiled_ones():
    code = (
        "import json, sys; sys.modules['numba'] = None\n"
        "from tests.utils.test_compiling import answers; print(json.dumps(answers()))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    plain, expected = json.loads(done.stdout), json.loads(json.dumps(answers()))
    assert plain.keys() == expected.keys()
    for name, found in plain.items():
        assert any(found)
        for one, other in zip(found, expected[name], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, err_msg=name)


def test_a_slow_loop_says_once_what_to_do(monkeypatch):
    monkeypatch.setattr(compiling, "njit", None)
    monkeypatch.setattr(compiling, "SLOW", 1e-9)
    double = compiling.compiled(lambda number: 2 * number)
    with pytest.warns(UserWarning, match=r"pip install 'honeybayes\[paths\]'") as told:
        assert [double(1), double(2)] == [2, 4]
    assert len(told) == 1
