"""Results files: what has wrong types is not a result, and older files can be read."""

import json

import numpy as np
import pytest

from honeybayes.evaluate import Cell, Result, read_results
from honeybayes.evaluate._records import pack

CELL = Cell("toy", "clean", "5 per class", 0, 0, "NB", 0, "abc")


def line(**changes):
    record = json.loads(Result(CELL, 10, 3, {"accuracy": 0.5, "log_loss": 1.5}).to_line())
    return json.dumps({**record, **changes}) + "\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"accuracy": 3.57}, "accuracy must be a number from 0 to 1, or null; got 3.57"),
        ({"accuracy": "0.5"}, "accuracy must be a number from 0 to 1, or null; got '0.5'"),
        ({"accuracy": True}, "accuracy must be a number from 0 to 1, or null; got True"),
        ({"accuracy": [0.5]}, "accuracy must be a number from 0 to 1"),
        ({"log_loss": -1}, "log_loss must be a number from 0 to inf, or null; got -1"),
        ({"mine": float("inf")}, "mine must be a number from -inf to inf, or null; got inf"),
        ({"model": ["NB"]}, "model must be a string; got"),
        ({"split": 5}, "split must be a string; got 5"),
        ({"fold": 0.0}, "fold must be an integer, 0 or more; got 0.0"),
        ({"n_test": -3}, "n_test must be an integer, 0 or more; got -3"),
        ({"seed": "0"}, "seed must be an integer"),
        ({"n_pool": "many"}, "n_pool must be an integer"),
        ({"outcomes": 3}, "outcomes must be a string"),
        ({"outcomes": "2:eJw="}, "outcomes"),
    ],
)
def test_wrong_types_are_named(tmp_path, changes, message):
    path = tmp_path / "results.jsonl"
    path.write_text(line(**changes), encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 1 is not a result of compare") as caught:
        read_results(path)
    assert message in str(caught.value)


@pytest.mark.parametrize("content", ["[1, 2]\n", '"text"\n', "null\n", "12\n"])
def test_other_json_is_no_result(tmp_path, content):
    path = tmp_path / "results.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="it is not an object of JSON"):
        read_results(path)


def test_a_bad_line_among_good_ones_is_skipped_with_a_warning(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text(line() + line(repetition=1, accuracy=35.7), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"skipped 1 line.*line 2 .*got 35\.7"):
        assert len(read_results(path)) == 1


def test_outcomes_must_be_of_all_test_documents(tmp_path):
    path = tmp_path / "results.jsonl"
    packed = pack(np.array([1, 4]), np.array(["a", "b"]), np.array(["a", "a"]))
    path.write_text(line(outcomes=packed), encoding="utf-8")
    with pytest.raises(ValueError, match="outcomes of 2 documents, not 3"):
        read_results(path)
    path.write_text(line(outcomes=packed, n_test=2), encoding="utf-8")
    [result] = read_results(path)
    rows, truth, answers = (part.tolist() for part in result.answers())
    assert (rows, truth, answers) == ([1, 4], [0, 1], [0, 0])


def test_results_without_the_new_fields_are_written_as_before():
    """Files of older versions stay as they are when they are written again."""
    text = (
        '{"corpus": "toy", "protocol": "clean", "split": "5 per class", "repetition": 0, '
        '"fold": 0, "model": "NB", "seed": 0, "setup": "abc", "n_train": 10, "n_test": 3, '
        '"accuracy": 0.5, "log_loss": null}\n'
    )
    result = Result.from_line(text)
    assert (result.n_pool, result.n_repeated, result.answers()) == (0, 0, None)
    assert result.to_line() == text


def test_brackets_that_are_nested_too_deeply_are_no_result(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("[" * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 1 is not a result of compare \(RecursionError"):
        read_results(path)
    path.write_text(line() + '{"a":' * 100_000 + "\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="skipped 1 line"):
        assert len(read_results(path)) == 1
