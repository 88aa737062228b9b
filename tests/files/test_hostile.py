"""Files made to harm: slow patterns, huge claims, calls at load, models that cannot predict."""

import io
import os
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
from sklearn.base import BaseEstimator, OneToOneFeatureMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC

from honeybayes import (
    CountNB,
    ModelFileError,
    TextClassifier,
    TreeNB,
    load_model,
    make_model,
    save_model,
)
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.files import is_model_file
from honeybayes.text import TermSelector, TextAnalyzer
from tests.estimators import COUNTS, LABELS, TEXTS, Y
from tests.files.test_refusals import ModelFile, node, packed, put

CALLS = []


def recording(*arguments):
    CALLS.append(arguments)
    return ["sea"]


@pytest.fixture
def file(tmp_path):
    model = make_pipeline(CountVectorizer(), MultinomialNB()).fit(TEXTS, LABELS)
    return ModelFile(model, tmp_path / "model.hb")


@pytest.fixture(autouse=True)
def no_calls():
    CALLS.clear()


# --- nothing of the file runs ---------------------------------------------------------------------


def test_a_pattern_that_takes_forever(file):
    file.set_value(0, "token_pattern", "(a+)+$")
    file.set_value(0, "stop_words", ["a" * 12 + "!"])  # more letters, and the check would not end
    with pytest.raises(
        ModelFileError, match=r"token_pattern '\(a\+\)\+\$' is not one of the usual"
    ):
        file.load()


def test_a_pattern_as_a_string_of_numpy(file):
    file.set_value(0, "token_pattern", node("scalar", "str", "(a+)+$"))
    with pytest.raises(ModelFileError, match="is not one of the usual"):
        file.load()


def test_a_pattern_of_the_user_has_to_be_trusted(tmp_path):
    pattern = r"[a-z]{3,}"
    model = make_pipeline(TfidfVectorizer(token_pattern=pattern), CountNB()).fit(TEXTS, LABELS)
    save_model(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match="pass it as trusted"):
        load_model(tmp_path / "model")
    loaded = load_model(tmp_path / "model", trusted=[pattern])
    assert loaded.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()


@pytest.mark.filterwarnings("ignore:The parameter 'token_pattern'")
def test_a_trusted_function_is_not_called(tmp_path):
    vectorizer = CountVectorizer(tokenizer=recording, stop_words=["a choice of the file"])
    save_model(make_pipeline(vectorizer, CountNB()).fit(TEXTS, LABELS), tmp_path / "model")
    CALLS.clear()
    load_model(tmp_path / "model", trusted=[recording])
    assert not CALLS


def test_a_file_is_read_once(file, monkeypatch):
    """Else it could be another one after the audit."""
    file.load()
    read, names = zipfile.ZipFile.open, []

    def record(archive, name, *arguments, **options):
        names.append(getattr(name, "filename", name))
        return read(archive, name, *arguments, **options)

    monkeypatch.setattr(zipfile.ZipFile, "open", record)
    load_model(file.path)
    assert sorted(names) == sorted(file.members)


# --- memory ---------------------------------------------------------------------------------------


def test_names_of_a_billion_columns(tmp_path, monkeypatch):
    model = make_pipeline(Normalizer(), LogisticRegression()).fit(COUNTS, Y)
    file = ModelFile(model, tmp_path / "model")
    file.set_value(0, "n_features_in_", 10**9)

    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(OneToOneFeatureMixin, "get_feature_names_out", fail)
    with pytest.raises(ModelFileError, match="n_features_in_ is 1000000000, which is too large"):
        file.load()


@pytest.mark.parametrize(
    "array", [np.zeros((0, 10**9)), np.zeros((10**9, 0)), np.zeros(0, "U300000000")], ids=repr
)
def test_empty_arrays_with_a_long_side(array, file):
    file.set_array(1, "class_log_prior_", array)
    with pytest.raises(ModelFileError, match="is empty, but declares"):
        file.load()


@pytest.mark.parametrize("part", [b"[],", b'{"":0},', b'"ab",', b"1.5,"])
def test_a_tree_with_too_many_parts(part, file):
    file.members["model.json"] = b'{"a": [' + part * 4_100_000 + b"0]}"
    file.path.write_bytes(packed(file.members))
    with pytest.raises(ModelFileError, match=r"model\.json has more than 4000000 parts"):
        load_model(file.path)


@pytest.mark.parametrize("n_members", [300, 70_000], ids=["small", "as in large files"])
def test_a_directory_that_is_too_large(n_members, file):
    buffer, name = io.BytesIO(), "x" * (2**24 // n_members)
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.filelist = [zipfile.ZipInfo(f"{name}{n}") for n in range(n_members)]
        for entry in archive.filelist:
            entry.CRC = entry.compress_size = entry.file_size = entry.header_offset = 0
        archive._didModify = True
    file.path.write_bytes(buffer.getvalue())
    with pytest.raises(ModelFileError, match="directory of the archive is too large"):
        load_model(file.path)


def peak_of(file):
    """Return the error of a file, and the most bytes that Python had while loading it."""
    tracemalloc.start()
    with pytest.raises(ModelFileError) as refusal:
        file.load()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return str(refusal.value), peak


def test_long_keys_in_nested_dicts(file):
    """The path of every part would contain 50 long keys."""
    deep = node("dict", None, {f"{n}": [] for n in range(10_000)})
    for _ in range(50):
        deep = node("dict", None, {"x" * 3000: deep})
    file.set_value(0, "stop_words", deep)
    message, peak = peak_of(file)
    assert "'stop_words' parameter of CountVectorizer must be" in message
    assert peak < 30 * 10**6


def test_strings_without_characters(file):
    """Each takes no byte in the file, and four in memory."""
    header = io.BytesIO()
    declared = {"descr": "<U0", "fortran_order": False, "shape": (10**8,)}
    np.lib.format.write_array_header_1_0(header, declared)
    file.members[file.step(1)["classes_"]["content"]] = header.getvalue()
    message, peak = peak_of(file)
    assert "<U0, which is not allowed" in message
    assert peak < 10**6


@pytest.mark.parametrize("kind", ["set", "frozenset", "pairs"])
def test_integers_with_equal_hashes(kind, file):
    """A million of them would be compared with each other."""
    same = [sys.hash_info.modulus * n for n in range(2, 50_000)]
    assert set(map(hash, same)) == {0}
    content = [[key, 0] for key in same] if kind == "pairs" else same
    file.set_value(0, "stop_words", node(kind, None, content))
    with pytest.raises(ModelFileError, match="neither a string nor a number of 64 bits"):
        file.load()


def test_a_tree_of_very_many_columns(tmp_path):
    """Its arrays do not grow with the columns, but those of a prediction do."""
    file = ModelFile(make_pipeline(Normalizer(), TreeNB()).fit(COUNTS, Y), tmp_path / "model")
    for step in (0, 1):
        file.set_value(step, "n_features_in_", 2**28)
    message, peak = peak_of(file)
    assert "n_features_in_ is 268435456, which is too large" in message
    assert peak < 10**7


def test_characters_that_take_more_memory(file):
    """A single emoji would make each of millions of characters take four bytes."""
    file.members["model.json"] = '{"a": "\N{GRINNING FACE}"}'.encode()
    file.path.write_bytes(packed(file.members))
    with pytest.raises(ModelFileError, match=r"damaged .UnicodeDecodeError"):
        load_model(file.path)


def test_a_table_that_ends_like_an_archive(tmp_path):
    end = packed({"a": b""})[-22:]
    (tmp_path / "table.csv").write_bytes(b"text,label\nsea,1\n" + end)
    assert zipfile.is_zipfile(tmp_path / "table.csv")
    assert not is_model_file(tmp_path / "table.csv")


def test_a_comment_after_the_archive(file):
    file.load()
    with zipfile.ZipFile(file.path, "a") as archive:
        archive.comment = b"hello"
    with pytest.raises(ModelFileError, match="something after the end"):
        load_model(file.path)


# --- what trust allows ----------------------------------------------------------------------------

NAME = f"{__name__}.recording"


@pytest.mark.parametrize(
    "state",
    [
        node("list", NAME, ["chosen"]),
        node("tuple", NAME, ["chosen"]),
        node("set", NAME, ["chosen"]),
        node("frozenset", NAME, ["chosen"]),
        node("dict", NAME, {"chosen": "x"}),
        node("pairs", NAME, [["chosen", "x"]]),
        node("pairs", None, [[node("function", NAME), "x"]]),
        node("object", NAME, "chosen"),
        node("type", NAME),
    ],
    ids=["list", "tuple", "set", "frozenset", "dict", "pairs", "key", "object", "type"],
)
def test_a_trusted_function_stays_a_function(state, file):
    file.step(0)["stop_words"] = state
    with pytest.raises(ModelFileError, match=r"is not a subclass|a key of a dict"):
        file.load(trusted=[NAME])
    assert not CALLS


def test_a_class_in_place_of_a_function(file):
    file.step(0)["tokenizer"] = node("function", f"{__name__}.Keeper")
    with pytest.raises(ModelFileError, match="Keeper is not a function"):
        file.load(trusted=[Keeper])


class Keeper(BaseEstimator):
    def fit(self, X, y=None):
        self.kept_ = OrderedDict({"a": 1, 2: [True, None], 2.5: (np.float64(3), frozenset("ab"))})
        self.kept_[True] = {False: {1, 2}}
        self.table_ = np.array([["a", 1], [None, (2,)]], dtype=object)
        self.lists_ = np.empty(2, dtype=object)
        self.lists_[:] = [[1], [2]]
        return self


def test_containers_of_the_user(tmp_path):
    model = Keeper().fit(COUNTS)
    save_model(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"collections\.OrderedDict"):
        load_model(tmp_path / "model", trusted=[Keeper])
    loaded = load_model(tmp_path / "model", trusted=[Keeper, OrderedDict])
    assert type(loaded.kept_) is OrderedDict
    assert loaded.kept_ == model.kept_
    assert [*map(type, loaded.kept_)] == [*map(type, model.kept_)]
    assert loaded.table_.tolist() == model.table_.tolist()
    assert loaded.lists_.tolist() == model.lists_.tolist()


# --- what loads can predict -----------------------------------------------------------------------


def test_an_analyzer_that_is_no_analyzer(file):
    file.step(0)["analyzer"] = node("type", "builtins.int")
    with pytest.raises(ModelFileError, match="the model cannot predict"):
        file.load()


def test_a_classifier_inside_a_classifier(tmp_path):
    texts = TextClassifier("CNB").fit(TEXTS, LABELS)
    outer = TextClassifier("CNB").fit(TEXTS, LABELS)
    texts.n_features_in_ = len(texts.terms_)
    outer.pipeline_[-1].estimator_ = texts
    with pytest.raises(ModelFileError, match="the model cannot predict"):
        save_model(outer, tmp_path / "model")


def test_settings_for_other_output(tmp_path):
    model = make_pipeline(CountVectorizer(), TermSelector(n_terms=4), MultinomialNB())
    model.fit(TEXTS, LABELS)
    model[1].set_output(transform="pandas")  # which takes no sparse matrix
    with pytest.raises(ModelFileError, match="the model cannot predict"):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    "model",
    [
        CountVectorizer(analyzer="char", ngram_range=(1, 1000)),
        CountVectorizer(ngram_range=(1, 10**9)),
        CountVectorizer(analyzer=TextAnalyzer(ngram_range=(1, 51))),
    ],
    ids=str,
)
def test_long_ngrams(model, tmp_path):
    with pytest.raises(ModelFileError, match="at most 50 is allowed"):
        save_model(model.fit(TEXTS), tmp_path / "model")


def test_a_folder_for_a_cache(file, tmp_path):
    file.tree["content"]["content"]["memory"] = str(tmp_path / "cache")
    with pytest.raises(ModelFileError, match="must not write files: use memory=None"):
        file.load()
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("model", [FeatureUnion([("a", CountVectorizer())])], ids=str)
def test_a_thousand_processes(model, tmp_path):
    file = ModelFile(model.fit(TEXTS, LABELS), tmp_path / "model")
    file.tree["content"]["content"]["n_jobs"] = 1000
    with pytest.raises(ModelFileError, match=r"n_jobs is 1000: .* must not start processes"):
        file.load()


@pytest.mark.parametrize("number", [1e308, -1e308, 1e103])
@pytest.mark.parametrize("name", ["feature_log_prob_", "class_log_prior_"])
def test_weights_too_large_to_multiply(name, number, file):
    file.set_array(1, name, put(number, 0)(file.array(1, name)))
    with pytest.raises(ModelFileError, match=r"too large: at most 5\.64e\+102 is allowed"):
        file.load()


def test_numbers_too_large_to_multiply(tmp_path):
    model = SVC(kernel="poly").fit(COUNTS, Y)
    model.coef0 = 1e200
    with pytest.raises(ModelFileError, match=r"coef0 is 1e\+200, which is too large"):
        save_model(model, tmp_path / "model")


def test_small_floats_have_a_smaller_bound(tmp_path):
    model = LogisticRegression().fit(COUNTS.astype(np.float32), Y)
    model.coef_ = model.coef_.astype(np.float32)
    model.coef_[0, 0] = 1e13
    with pytest.raises(ModelFileError, match=r"too large: at most 6\.98e\+12 is allowed"):
        save_model(model, tmp_path / "model")


# --- equal files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0, 3 * 10**8, 2 * 10**9], ids=["1970", "1979", "2033"])
def test_equal_models_have_equal_files(seconds, tmp_path, monkeypatch):
    model = make_pipeline(CountVectorizer(), HiddenNB()).fit(TEXTS, LABELS)  # with a sparse matrix
    save_model(model, tmp_path / "now")
    monkeypatch.setattr(time, "time", lambda: seconds)
    save_model(model, tmp_path / "then")
    assert (tmp_path / "then").read_bytes() == (tmp_path / "now").read_bytes()


def test_two_processes_write_equal_files(tmp_path):
    """The order of a set and the addresses of objects differ between them."""
    script = """
        import sys
        from sklearn.feature_extraction.text import CountVectorizer
        from honeybayes import TextClassifier, save_model

        texts = ["red boat", "boat sea", "sea hill", "hill river"]
        model = TextClassifier("CNB", stop_words={"a", "red", "blue", "green", "grey"})
        save_model(model.fit(texts, ["sea", "sea", "land", "land"]), sys.argv[1])
        save_model(CountVectorizer(stop_words=["red"]).fit(texts), sys.argv[1] + " terms")
    """
    code = "\n".join(line.strip() for line in script.splitlines())
    for seed in "12":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        arguments = [sys.executable, "-c", code, str(tmp_path / seed)]
        subprocess.run(arguments, check=True, env=environment)
    for name in ("", " terms"):
        assert (tmp_path / f"1{name}").read_bytes() == (tmp_path / f"2{name}").read_bytes()


def test_the_order_of_the_texts_makes_no_difference(tmp_path):
    for name, texts in (("there", TEXTS), ("back", TEXTS[::-1])):
        save_model(CountVectorizer().fit(texts), tmp_path / name)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "back").read_bytes()


def test_the_svm_of_the_zoo_has_a_seed():
    X = np.random.default_rng(0).poisson(0.5, size=(60, 400))  # more terms than documents
    y = np.arange(60) % 3
    weights = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002 (which an SVM without a seed uses)
        weights.append(make_model("LinearSVC-tfidf").fit(X, y)[-1].coef_.tobytes())
    assert weights[0] == weights[1]


@pytest.mark.parametrize(
    "table",
    [
        {"text": 5},
        {"text": {"a": "b"}},
        {"attributes": "odor"},
        {"attributes": {"odor": 3}},
        {"attributes": {"odor": "no number"}},
        {"unlabeled": 1},
        {"fold_case": "yes"},
        {"other": "x"},
    ],
    ids=str,
)
def test_a_remembered_table_of_wrong_types(table, tmp_path):
    """It would load, and `honeybayes predict` would fail."""
    model = TextClassifier("CNB").fit(TEXTS, LABELS)
    model._table = {"text": "body", "unlabeled": "todo", "fold_case": True}
    save_model(model, tmp_path / "model")
    assert load_model(tmp_path / "model")._table == model._table
    model._table = table
    with pytest.raises(ModelFileError, match="invalid"):
        save_model(model, tmp_path / "model")
