"""A file is whole or not there, and what could not be loaded again is not saved."""

import functools
import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from honeybayes.bayes.association_weighted import AssociationWeightedNB
from honeybayes.bayes.count import CountNB
from honeybayes.files import ModelFileError, load_model, save_model
from honeybayes.files._checks import try_out

X, Y = np.array([[2, 0, 1], [0, 1, 1], [1, 1, 0]]), np.array([0, 1, 1])


@pytest.fixture
def model():
    return CountNB().fit(X, Y)


def interrupt(*_):
    raise KeyboardInterrupt


def fail(*_):
    raise OSError("no space left on device")


@pytest.mark.parametrize(
    "function", ["os.fsync", "pathlib.Path.replace", "zipfile.ZipFile.writestr"]
)
@pytest.mark.parametrize("interruption", [interrupt, fail])
def test_an_interrupted_save_leaves_the_old_file_whole(
    function, interruption, model, tmp_path, monkeypatch
):
    path = tmp_path / "model.hb"
    save_model(model, path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(function, interruption)
        with pytest.raises((KeyboardInterrupt, OSError)):
            save_model(CountNB(alpha=9).fit(X, Y), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["model.hb"]


def test_a_model_does_not_get_the_name_of_a_table(model, tmp_path):
    with pytest.raises(ValueError, match=r"mail\.csv is the name of a table.* ends in \.hb"):
        save_model(model, tmp_path / "mail.csv")
    assert not os.listdir(tmp_path)


def test_a_killed_process_leaves_the_old_file_whole(model, tmp_path):
    path = tmp_path / "model.hb"
    save_model(model, path)
    before = path.read_bytes()
    script = f"""
        import os
        from honeybayes.bayes.count import CountNB
        from honeybayes.files import save_model

        os.fsync = lambda descriptor: os.kill(os.getpid(), 9)
        save_model(CountNB(alpha=9).fit({X.tolist()}, {Y.tolist()}), {str(path)!r})
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    assert run.returncode == -9
    assert path.read_bytes() == before
    load_model(path)


def test_a_file_is_replaced(model, tmp_path):
    path = tmp_path / "model.hb"
    path.write_text("something else")
    save_model(model, path)
    save_model(CountNB(alpha=9).fit(X, Y), str(path))
    assert load_model(str(path)).alpha == 9


def test_a_link_keeps_leading_to_the_file(model, tmp_path):
    (tmp_path / "old").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "old")
    save_model(model, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    load_model(tmp_path / "old")


def test_the_file_can_be_read_by_those_whom_the_mask_allows(model, tmp_path):
    mask = os.umask(0o027)
    try:
        save_model(model, tmp_path / "model")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "model").stat().st_mode) == 0o640


def test_no_folder(model, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no folder .*absent"):
        save_model(model, tmp_path / "absent" / "model")


def test_a_folder_in_its_place(model, tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        save_model(model, tmp_path / "taken")
    assert os.listdir(tmp_path) == ["taken"]


@pytest.mark.skipif(os.access("/", os.W_OK), reason="root may write everywhere")
def test_no_permission(model, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize("thing", [None, "text", {"a": 1}, CountNB, np.zeros(3)], ids=repr)
def test_no_estimator(thing, tmp_path):
    with pytest.raises(TypeError, match="must be an estimator"):
        save_model(thing, tmp_path / "model")


def test_not_fitted(tmp_path):
    for model in (CountNB(), make_pipeline(CountVectorizer(), CountNB())):
        with pytest.raises(NotFittedError):
            save_model(model, tmp_path / "model")
    assert not os.listdir(tmp_path)


def local(text):
    def cut(text):
        return text.split()

    return cut


def cut_at(text, mark):
    return text.split(mark)


@pytest.mark.parametrize(
    ("analyzer", "message"),
    [
        (
            lambda text: text.split(),
            r"steps\[0\]\[1\]\.analyzer is .*<lambda>, which cannot be imp",
        ),
        (local(""), r"analyzer is .*\.cut, which cannot be imported"),
        (functools.partial(cut_at, mark=" "), r"analyzer is a functools\.partial"),
        ("a b".split, "Cannot save this Pipeline"),
    ],
    ids=["lambda", "local function", "partial", "method"],
)
def test_what_cannot_be_kept_is_named(analyzer, message, tmp_path):
    model = make_pipeline(CountVectorizer(analyzer=analyzer), CountNB())
    model.steps[0][1].vocabulary_ = {"a": 0, "b": 1, "c": 2}
    model.steps[1][1].fit(X, Y)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")
    assert not os.listdir(tmp_path)


def test_a_generator_of_random_numbers_is_named(tmp_path):
    model = LogisticRegression(random_state=np.random.RandomState(0)).fit(X, Y)
    with pytest.raises(
        ModelFileError, match=r"random_state is a numpy\.random\.mtrand\.RandomState"
    ):
        save_model(model, tmp_path / "model")


def test_a_model_that_would_not_load_is_not_saved(model, tmp_path):
    model.feature_log_prob_[0, 0] = np.nan
    with pytest.raises(ModelFileError, match="feature_log_prob_ contains NaN"):
        save_model(model, tmp_path / "model")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", ["_class_table", "_complement_table"])
def test_a_table_that_the_rule_reads_and_is_not_there(name, tmp_path):
    model = AssociationWeightedNB(rule="one-vs-rest").fit(X, Y)
    setattr(model, name, None)
    with pytest.raises(ModelFileError, match=f"{name} is missing, but rule='one-vs-rest' reads it"):
        save_model(model, tmp_path / "model")


class Forgetful(CountNB):
    """Answers fewer documents than it is asked about."""

    def predict(self, X):
        return super().predict(X)[:-1]


def test_a_model_must_answer_every_document():
    model = Forgetful().fit(X, Y)
    with pytest.raises(ModelFileError, match="1 answers for 2 documents"):
        try_out(model)
