"""Files that must not load: damaged, hostile, foreign or too new. Each gets one clear error."""

import contextlib
import io
import json
import os
import zipfile
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import NuSVC

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.bayes.smoothed_bernoulli import SmoothedBernoulliNB
from honeybayes.files import ModelFileError, load_model, save_model
from honeybayes.text import TermSelector, TextAnalyzer, TextEncoder
from tests.encoders import WordHasher

TEXTS = ["red boat", "boat sea", "sea hill", "hill river"]
LABELS = ["sea", "sea", "land", "land"]


class ModelFile:
    """A saved model, taken apart."""

    def __init__(self, model, path):
        self.path = path
        save_model(model, path)
        with zipfile.ZipFile(path) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        self.tree = json.loads(self.members["model.json"])
        self.about = json.loads(self.members["honeybayes.json"])

    def step(self, position):
        """State of the estimator at this place in the pipeline."""
        steps = self.tree["content"]["content"]["steps"]
        return steps[position]["content"][1]["content"]["content"]

    def array(self, position, name):
        return np.load(io.BytesIO(self.members[self.step(position)[name]["content"]]))

    def set_array(self, position, name, array):
        self.members[self.step(position)[name]["content"]] = npy(array)

    def set_value(self, position, name, value):
        """Replace an attribute by a value of JSON, and leave out the arrays that it had."""
        self.step(position)[name] = value
        tree = json.dumps(self.tree)
        for member in [each for each in self.members if each.endswith(".npy")]:
            if f'"{member}"' not in tree:
                del self.members[member]

    def set_sparse(self, position, name, **changes):
        """Change the arrays of a sparse matrix."""
        content = self.step(position)[name]["content"]
        for key, part in zip(("data", "indices", "indptr"), content[1:], strict=True):
            array = np.load(io.BytesIO(self.members[part["content"]]))
            self.members[part["content"]] = npy(changes.get(key, np.array)(array))
        content[0] = changes.get("shape", list)(content[0])

    def load(self, **options):
        self.members["model.json"] = json.dumps(self.tree).encode()
        self.members["honeybayes.json"] = json.dumps(self.about).encode()
        self.path.write_bytes(packed(self.members))
        return load_model(self.path, **options)


def npy(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def npy_that_declares(**header):
    buffer = io.BytesIO()
    whole = {"descr": "<f8", "fortran_order": False, "shape": (2,), **header}
    np.lib.format.write_array_header_1_0(buffer, whole)
    return buffer.getvalue() + bytes(16)


def packed(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def put(value, *places):
    """Make a function that changes an array at some places."""

    def change(array):
        array = array.copy()
        for place in places:
            array[place] = value
        return array

    return change


@pytest.fixture
def file(tmp_path):
    model = make_pipeline(CountVectorizer(analyzer=TextAnalyzer()), HiddenNB())
    return ModelFile(model.fit(TEXTS, LABELS), tmp_path / "model.hb")


# --- not one of our files -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"no zip at all", "not a model file"),
        (packed({"a.txt": b"hello"}), "without a model"),
        (b"\x80\x04\x95", "not a model file"),
    ],
    ids=["empty", "text", "zip", "pickle"],  # archives hold the time, names must not
)
def test_foreign_files(content, message, tmp_path):
    path = tmp_path / "foreign.bin"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=message) as refusal:
        load_model(path)
    assert str(path) in str(refusal.value)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.hb"):
        load_model(tmp_path / "absent.hb")
    (tmp_path / "model.hb").touch()
    with pytest.raises(FileNotFoundError, match=r"Did you mean 'model\.hb'"):
        load_model(tmp_path / "modle.hb")
    with pytest.raises(ModelFileError, match="is not a file"):
        load_model(tmp_path)


def test_no_file_and_none_to_suggest(tmp_path, monkeypatch):
    (tmp_path / "models").mkdir()
    (tmp_path / "link.hb").symlink_to("gone")
    for name in ("model", "link.hb"):  # near a folder, and a link to nothing
        with pytest.raises(FileNotFoundError, match=rf"There is no file .*{name}\.$"):
            load_model(tmp_path / name)

    def refuse(folder):
        raise PermissionError(folder)

    monkeypatch.setattr(Path, "iterdir", refuse)  # as for a folder with the rights --x
    with pytest.raises(FileNotFoundError, match=r"There is no file .*model\.$"):
        load_model(tmp_path / "model")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="is not a file"):
        load_model(tmp_path / "pipe")


def test_a_newer_format(file):
    file.about |= {"format": 2, "honeybayes": "7.5"}
    with pytest.raises(ModelFileError, match=r"format 2, written by honeybayes 7\.5.*update"):
        file.load()


@pytest.mark.parametrize("number", [0, -1, "1", None, True, 1.0])
def test_no_format_number(number, file):
    file.about["format"] = number
    with pytest.raises(ModelFileError, match="does not hold a format number"):
        file.load()


# --- the archive ----------------------------------------------------------------------------------


def test_a_compressed_member(file):
    file.load()
    file.path.write_bytes(packed({**file.members, "zeros.npy": bytes(2**24)}, zipfile.ZIP_DEFLATED))
    assert file.path.stat().st_size < 2**17
    with pytest.raises(ModelFileError, match="is compressed"):
        load_model(file.path)


def test_members_that_lie_over_each_other(file):
    """A hundred entries of the directory for the same bytes, as in a bomb of overlapping files."""
    file.load()
    with zipfile.ZipFile(file.path, "a") as archive:
        whole = archive.getinfo("model.json")
        for number in range(100):
            entry = zipfile.ZipInfo(f"{number}.bin")
            entry.header_offset = whole.header_offset
            entry.file_size = entry.compress_size = whole.file_size
            entry.CRC = whole.CRC
            archive.filelist.append(entry)
            archive._didModify = True
    with pytest.raises(ModelFileError, match="larger than the file"):
        load_model(file.path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name(file):
    file.load()
    with zipfile.ZipFile(file.path, "a") as archive:
        archive.writestr("model.json", "{}")
    with pytest.raises(ModelFileError, match="same name"):
        load_model(file.path)


@pytest.mark.parametrize("name", ["extra.npy", "../../evil.py"])
def test_a_member_too_many(name, file):
    file.members[name] = b""
    with pytest.raises(ModelFileError, match="archive and its tree disagree"):
        file.load()


def test_a_member_too_few(file):
    del file.members[file.step(1)["_label"]["content"]]
    with pytest.raises(ModelFileError, match="archive and its tree disagree"):
        file.load()


def test_one_member_for_two_arrays(file):
    """Else a small file could ask for the same large array a million times."""
    file.step(1)["_total"]["content"] = file.step(1)["_log_prob"]["content"]
    with pytest.raises(ModelFileError, match="no array of its own"):
        file.load()


@given(data=st.data())
def test_one_flipped_bit_is_refused_or_makes_no_difference(data, tmp_path_factory):
    model = CountNB().fit([[1, 2], [3, 0]], [0, 1])
    path = tmp_path_factory.mktemp("bit") / "model"
    save_model(model, path)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(content)
    with contextlib.suppress(ModelFileError):
        loaded = load_model(path)
        assert loaded.feature_log_prob_.tobytes() == model.feature_log_prob_.tobytes()


def test_a_file_cut_short_anywhere(tmp_path):
    save_model(CountNB().fit([[1, 2], [3, 0]], [0, 1]), tmp_path / "model")
    content = (tmp_path / "model").read_bytes()
    for length in range(0, len(content), 97):
        (tmp_path / "model").write_bytes(content[:length])
        with pytest.raises(ModelFileError):
            load_model(tmp_path / "model")


# --- the headers of arrays ------------------------------------------------------------------------


class Abort:
    def __reduce__(self):
        return os.abort, ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (npy_that_declares(shape=(2**40, 2**40)), "declares"),
        (npy_that_declares(shape=(2**62,)), "declares"),
        (npy_that_declares(shape=(0, 2**62), descr="<f8"), "declares"),
        (npy_that_declares(shape=(-2,)), "declares"),
        (npy_that_declares(shape=(3,)), "declares"),
        (npy_that_declares(descr=">f8"), "is not allowed there"),
        (npy_that_declares(descr="|O"), "object, which is not allowed there"),
        (npy_that_declares(descr="|V8"), "is not allowed there"),
        (npy_that_declares(descr=[("a", "<f8")]), "is not allowed there"),
        (npy_that_declares(descr="<M8[s]"), "is not allowed there"),
        (npy(np.array([Abort()]), allow_pickle=True), "object, which is not allowed there"),
        (packed({"a.npy": npy(np.zeros(2))}), "damaged"),
        (b"", "damaged"),
    ],
)
def test_headers(content, message, file):
    file.members[file.step(1)["class_log_prior_"]["content"]] = content
    with pytest.raises(ModelFileError, match=message):
        file.load()


# --- the tree -------------------------------------------------------------------------------------


def node(kind, name=None, content=None):
    return {"kind": kind, "name": name, "content": content}


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (node("function", "os.system"), r"os\.system \(at model\.steps\[0\]\[1\]\.tokenizer"),
        (node("type", "builtins.eval"), r"builtins\.eval"),
        (node("type", "eval"), "not allowed: eval"),
        (node("object", "subprocess.Popen"), r"subprocess\.Popen"),
        (node("list", "builtins.bytearray", []), r"builtins\.bytearray"),
        (node("scalar", "float64", [1]), "wrong content for the kind scalar"),
        (node("scalar", "float64", "x"), "damaged"),
        (node("scalar", "uint8", -1), "damaged"),
        (node("scalar", "complex128", 1), "complex128"),
        (node("scalar", None, 1), "has no name"),
        (node("object", 7), "has no name"),
        (node("tuple", 7, []), "has no name"),
        (node("object", "functools.partial"), r"functools\.partial"),
        (node("object", "sklearn.svm._classes.SVR"), r"sklearn\.svm\._classes\.SVR"),
        (node("dict", None, []), "wrong content for the kind dict"),
        (node("pairs", None, {}), "wrong content for the kind pairs"),
        (node("pairs", None, [1]), "damaged"),
        (node("pairs", None, [[[], 1]]), "a key of a dict.*is neither a string nor.* list"),
        (node("set", None, [node("tuple", None, [1])]), "is neither a string nor.* tuple"),
        (node("frozenset", None, [2**63]), "a number of 64 bits"),
        (node("list", None, {}), "wrong content for the kind list"),
        (node("type", "builtins.str", 1), "wrong content for the kind type"),
        (node("array", None, 1), "wrong content for the kind array"),
        (node("array", None, "model.json"), "damaged"),
        (node("objects", None, []), "damaged"),
        (node("objects", None, [[3], [1, 2]]), r"2 objects has the shape \[3\]"),
        (node("objects", None, [[0, 10**9], []]), "0 objects has the shape"),
        (node("sparse", "csr_array", [[1, 1], 1, 1, 1]), "damaged"),
        (node("sparse", "bsr_array", []), "bsr_array"),
        (node("reference", None, 1), "unknown kind 'reference'"),
        (node(["list"], None, []), "unknown kind"),
        ({}, "unknown kind None"),
    ],
    ids=str,
)
def test_nodes(state, message, file):
    file.step(0)["tokenizer"] = state
    with pytest.raises(ModelFileError, match=message):
        file.load()


def test_a_number_too_long_to_parse(file):
    file.members["model.json"] = b'{"kind": ' + b"9" * 5000 + b"}"
    file.path.write_bytes(packed(file.members))
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(file.path)


@pytest.mark.parametrize("wrap", [lambda deep: [deep], lambda deep: node("object", "a.B", deep)])
def test_a_tree_too_deep(wrap, file):
    deep = file.step(0)["tokenizer"] or []
    for _ in range(100):
        deep = wrap(deep)
    file.step(0)["tokenizer"] = deep
    with pytest.raises(ModelFileError, match="nested too deeply"):
        file.load()


def test_json_too_deep_to_parse(file):
    file.members["model.json"] = b"[" * 100_000
    file.path.write_bytes(packed(file.members))
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(file.path)


def test_no_estimator(file):
    file.members = {}
    file.tree = node("tuple", None, [])
    with pytest.raises(ModelFileError, match="contains a tuple, not an estimator"):
        file.load()


def test_trust_does_not_switch_the_checks_off(file):
    file.set_array(1, "_label", put(2, 0)(file.array(1, "_label")))
    with pytest.raises(ModelFileError, match="_label contains 2"):
        file.load(trusted=["honeybayes.bayes.hidden.HiddenNB"])


# --- what was built -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"indices": put(99, 0)}, "must be < 4"),
        ({"indices": put(-1, 0)}, "must be >= 0"),
        ({"indices": put(0, 0, 1, 2, 3)}, "unsorted or duplicate"),
        ({"indptr": put(5, 1)}, "non-decreasing"),
        ({"indptr": put(2**30, -1)}, "damaged"),
        ({"indptr": put(1, 0)}, "damaged"),
        ({"indptr": lambda a: a[:-1]}, "damaged"),
        ({"indptr": lambda a: a.astype(float)}, "is not allowed there"),
        ({"indices": lambda a: a.astype(np.uint32)}, "is not allowed there"),
        ({"indices": lambda a: a[:-1]}, "damaged"),
        ({"indices": lambda a: a.reshape(1, -1)}, "damaged"),
        ({"data": lambda a: a.astype(str)}, "is not allowed there"),
        ({"data": lambda a: a[:-1]}, "damaged"),
        ({"data": put(np.nan, 0)}, "NaN"),
        ({"data": put(-1.0, 0)}, "too small"),
        ({"shape": lambda shape: [2**40, shape[1]]}, "_label has shape"),
        ({"shape": lambda shape: shape[:1]}, "damaged"),
    ],
)
def test_sparse_arrays(arrays, message, file):
    file.set_sparse(1, "_training", **arrays)
    with pytest.raises(ModelFileError, match=message):
        file.load()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("_label", put(2, 0), "_label contains 2"),
        ("_label", put(-1, 0), "too small"),
        ("_label", lambda a: a[:-1], r"_label has shape \(3,\), expected \(4,\)"),
        ("_label", lambda a: a.astype(float), "_label is float64"),
        ("_total", lambda a: a[:, :-1], "_total has shape"),
        ("_total", put(0.0, (0, 0, 0)), "too small"),
        ("_log_prob", lambda a: a[..., :1], "_log_prob has shape"),
        ("_log_prob", put(np.nan, (0, 0, 0)), "NaN"),
        ("parent_weights_", put(-1.0, 0), "too small"),
        ("parent_weights_", put(np.inf, 0), "infinity"),
        ("class_log_prior_", lambda a: a.astype(np.float32), "is float32"),
        ("classes_", lambda a: a[::-1], "not sorted"),
        ("classes_", lambda a: a[[0, 0]], "label twice"),
        ("classes_", lambda a: a[:1], "has shape"),
        ("classes_", lambda a: a.reshape(1, 2), "not an array of labels"),
        ("classes_", lambda a: np.zeros(0), "not an array of labels"),
    ],
)
def test_fitted_arrays(name, change, message, file):
    file.set_array(1, name, change(file.array(1, name)))
    with pytest.raises(ModelFileError, match=rf"model\.steps\[1\]\[1\] is invalid.*{message}"):
        file.load()


def test_bits_that_are_no_characters_and_no_booleans(file):
    classes = file.array(1, "classes_")
    classes.view(np.uint32)[0] = 0x7FFFFFFF
    file.set_array(1, "classes_", classes)
    with pytest.raises(ModelFileError, match="a value that is not of its type <U4"):
        file.load()
    file.set_array(1, "classes_", np.array([0, 77], dtype=np.uint8).view(bool))
    with pytest.raises(ModelFileError, match="a value that is not of its type bool"):
        file.load()


@pytest.mark.parametrize(
    ("step", "name", "value", "message"),
    [
        (0, "input", "filename", "must not open files"),
        (0, "ngram_range", 3, "ngram_range"),
        (0, "ngram_range", node("tuple", None, [-(10**9), 1]), "length of its terms is -1000"),
        (0, "analyzer", 3, "analyzer"),
        (0, "dtype", "O", "dtype"),
        (0, "lowercase", "yes", "lowercase"),
        (1, "rule", "majority", "rule must be one of"),
        (1, "alpha", "1", "alpha must be"),
        (1, "alpha", -1, "alpha must be"),
        (1, "n_features_in_", 3, "has shape"),
        (1, "n_features_in_", "4", "n_features_in_ is '4'"),
        (1, "n_features_in_", 10**6, "has shape"),
        (1, "n_features_in_", 10**9, "n_features_in_ is 10+, which is too large"),
        (1, "n_features_in_", 10**18, "n_features_in_ is 10+, which is too large"),
    ],
)
def test_parameters(step, name, value, message, file):
    file.set_value(step, name, value)
    with pytest.raises(ModelFileError, match=message):
        file.load()


@pytest.mark.parametrize("name", ["classes_", "_label", "class_log_prior_", "_alpha", "_training"])
def test_missing_attributes(name, file):
    file.set_value(1, name, None)
    del file.step(1)[name]
    with pytest.raises(ModelFileError, match=r"model\.steps\[1\]\[1\] is invalid"):
        file.load()


@pytest.mark.parametrize("step", [0, 1])
def test_an_attribute_that_hides_a_method(step, file):
    file.step(step)["transform" if step == 0 else "predict"] = "surprise"
    with pytest.raises(ModelFileError, match="is not a declared attribute"):
        file.load()


@pytest.mark.parametrize("column", [0, -1, 4, 2**40, 1.5, "1", None])
def test_vocabularies(column, file):
    terms = file.step(0)["vocabulary_"]["content"]
    columns = dict(zip(terms, [0, 1, 2, column, 4], strict=True))
    file.step(0)["vocabulary_"]["content"] = columns
    with pytest.raises(ModelFileError, match=r"vocabulary_ (does not number|contains a column)"):
        file.load()


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        (["a"], "vocabulary_ is not a dict"),
        (node("pairs", None, [["a", 0], [1, 1]]), "vocabulary_ is not a dict"),
        (node("dict", None, {}), "vocabulary_ does not number its terms"),
        (node("dict", None, {"a": 0}), "cannot predict.*expecting 5 features"),
    ],
    ids=str,
)
def test_other_vocabularies(vocabulary, message, file):
    file.step(0)["vocabulary_"] = vocabulary
    with pytest.raises(ModelFileError, match=message):
        file.load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([[1], ["a"]], r"feature_names_in_ has shape \(1,\), expected \(2,\)"),
        ([[2], ["a", 1]], "feature_names_in_ contains a value that is not a string"),
        ([[2], ["a", ["b"]]], "feature_names_in_ contains a value that is not a string"),
        ([[2, 1], ["a", "b"]], "feature_names_in_ is ndarray, expected"),
    ],
    ids=str,
)
def test_strings(content, message, tmp_path):
    frame = pd.DataFrame([[1, 2], [3, 0]], columns=["a", "b"])
    file = ModelFile(CountNB().fit(frame, [0, 1]), tmp_path / "model")
    names = file.tree["content"]["content"]["feature_names_in_"]
    assert names == {"kind": "objects", "content": [[2], ["a", "b"]]}
    names["content"] = content
    with pytest.raises(ModelFileError, match=message):
        file.load()


def test_an_analyzer_that_its_constructor_would_refuse(file):
    analyzer = file.step(0)["analyzer"]["content"]["content"]
    analyzer["language"] = "klingon"
    with pytest.raises(ModelFileError, match="Unknown language 'klingon'"):
        file.load()


def test_a_threshold_that_is_none(tmp_path):
    model = make_pipeline(CountVectorizer(), SmoothedBernoulliNB()).fit(TEXTS, LABELS)
    file = ModelFile(model, tmp_path / "model")
    file.set_value(1, "binarize", "high")
    with pytest.raises(ModelFileError, match="binarize must be None or a finite number"):
        file.load()


def test_steps_that_do_not_fit(tmp_path):
    model = make_pipeline(CountVectorizer(), TermSelector(n_terms=3), SmoothedBernoulliNB())
    file = ModelFile(model.fit(TEXTS, LABELS), tmp_path / "model")
    file.set_value(1, "_n_terms", 2)
    with pytest.raises(ModelFileError, match=r"cannot predict.*expecting 3 features"):
        file.load()


def test_steps_without_names(tmp_path):
    """Finding: with an encoder, whose trial comes later, it was a TypeError."""
    encoder = WordHasher()
    model = make_pipeline(TextEncoder(encoder, cache=False), LogisticRegression())
    file = ModelFile(model.fit(TEXTS, LABELS), tmp_path / "model")
    steps = file.tree["content"]["content"]["steps"]
    steps[0] = steps[0]["content"][1]
    with pytest.raises(ModelFileError, match="a step is not a pair of a name and an estimator"):
        file.load(encoder=encoder)


@pytest.mark.parametrize("steps", [[], None, 3])
def test_a_union_with_steps_beside_its_parts(tmp_path, steps):
    """Finding: the parts were not checked, and loading was a TypeError."""
    file = ModelFile(make_union(CountVectorizer()).fit(TEXTS), tmp_path / "model")
    content = file.tree["content"]["content"]
    content["steps"] = steps
    content["transformer_list"] = [content["transformer_list"][0]["content"][1]]
    with pytest.raises(ModelFileError, match=r"a step is not a pair|not iterable"):
        file.load()


def test_a_step_without_its_fit(tmp_path):
    model = make_pipeline(TfidfVectorizer(), LogisticRegression())
    model.fit(TEXTS, LABELS)
    save_model(model, tmp_path / "model")
    model.steps[0] = ("tfidfvectorizer", TfidfVectorizer())
    with pytest.raises(ModelFileError, match="not fitted"):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("coef_", lambda a: a[:, :-1], "coef_ has shape"),
        ("coef_", lambda a: np.vstack([a, a]), "coef_ has shape"),
        ("coef_", put(np.nan, (0, 0)), "NaN"),
        ("intercept_", lambda a: a[:0], "intercept_ has shape"),
        ("classes_", lambda a: np.array(["a", "b", "c"]), "coef_ has shape"),
    ],
)
def test_linear_models(name, change, message, tmp_path):
    model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(TEXTS, LABELS)
    file = ModelFile(model, tmp_path / "model")
    file.set_array(1, name, change(file.array(1, name)))
    with pytest.raises(ModelFileError, match=message):
        file.load()


def test_the_kin_of_svc_is_left_out(tmp_path):
    model = make_pipeline(TfidfVectorizer(), NuSVC()).fit(TEXTS, LABELS)
    save_model(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"sklearn\.svm\._classes\.NuSVC"):
        load_model(tmp_path / "model")
