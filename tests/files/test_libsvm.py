"""SVC in model files: the same answers to the last bit; nothing that leads libsvm astray."""

from io import BytesIO

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import SVC

from honeybayes.files import ModelFileError, load_model, save_model
from honeybayes.vectors import HigherOrderSVC, HigherOrderTransformer, TunedSVC
from tests.estimators import COUNTS, Y
from tests.files.test_refusals import ModelFile, node, npy, packed, put
from tests.files.test_round_trip import assert_same, there_and_back

TEXTS = ["red boat", "boat sea", "sea hill", "hill river", "river train", "train red"]
LABELS = ["sea", "sea", "land", "land", "rail", "rail"]


MODELS = [
    SVC(kernel="linear"),
    SVC(kernel="poly", degree=2, coef0=1.0),
    SVC(decision_function_shape="ovo"),
    SVC(break_ties=True, class_weight="balanced"),
    OneVsOneClassifier(SVC()),
    OneVsOneClassifier(LogisticRegression()),
    OneVsRestClassifier(SVC()),
    TunedSVC(kernel="rbf"),
    TunedSVC(C=3, per_pair=True, binarize=0.0),
    HigherOrderSVC(Cs=(0.1, 10.0)),
    HigherOrderSVC(estimates="first-order", normalize=False, order=3, C=2.0),
    HigherOrderSVC(multiclass="one-vs-rest", C=2.0),
    HigherOrderSVC(multiclass="one-vs-rest", kernel="rbf", C=2.0),
]


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("y", [Y, Y > 1], ids=["three classes", "two classes"])
@pytest.mark.parametrize("X", [COUNTS, COUNTS.toarray()], ids=["sparse", "dense"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_round_trips(model, X, y, tmp_path):
    model.fit(X, y)
    assert_same(there_and_back(model, tmp_path), model, X[::-1])


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("multiclass", ["one-vs-one", "one-vs-rest"])
def test_as_many_penalties_as_planes(multiclass, tmp_path):
    """Of four classes, there are six pairs."""
    X, y = np.eye(8, 5) + 1, np.arange(8) % 4
    model = HigherOrderSVC(multiclass=multiclass).fit(X, y)
    assert_same(there_and_back(model, tmp_path), model, X[::-1])
    model.C_ = model.C_[1:]
    with pytest.raises(ModelFileError, match="one penalty per estimator of model_"):
        save_model(model, tmp_path / "model")


def test_round_trip_of_a_precomputed_kernel(tmp_path):
    K = (COUNTS @ COUNTS.T).toarray()
    model = SVC(kernel="precomputed").fit(K, Y)
    assert_same(there_and_back(model, tmp_path), model, K[::-1])


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
@pytest.mark.parametrize("absent", ["exact", "shifted"])
def test_round_trip_of_the_transformer(absent, tmp_path):
    model = HigherOrderTransformer(absent=absent).fit(COUNTS, Y > 1)
    save_model(model, tmp_path / "model")
    loaded, expected = load_model(tmp_path / "model").transform(COUNTS), model.transform(COUNTS)
    if absent == "shifted":
        loaded, expected = loaded.toarray(), expected.toarray()
    assert loaded.tobytes() == expected.tobytes()


# --- refusals: dense ------------------------------------------------------------------------------


class Holder(ModelFile):
    """A file with one SVC and nothing else."""

    def step(self, position):
        return self.schema["content"]["content"]

    def set_number(self, name, value):
        old = self.step(0)[name]
        self.members.pop(old.get("file"), None)
        self.step(0)[name] = node("JsonNode", "builtins", "str", content=value)


@pytest.fixture
def dense(tmp_path):
    return Holder(SVC(C=0.5).fit(COUNTS.toarray(), Y), tmp_path / "model")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("support_", lambda a: a[:-1], "_n_support does not add up"),
        ("support_", lambda a: a.astype(np.int64), "support_ is int64"),
        ("support_", put(-1, 0), "too small"),
        ("_n_support", put(1000, 0), "_n_support does not add up"),
        ("_n_support", put(-1, 0), "too small"),
        ("_n_support", lambda a: a[:-1], "_n_support has shape"),
        ("_n_support", lambda a: a.astype(np.int64), "_n_support is int64"),
        ("_n_support", lambda a: np.append(a, 0).astype(np.int32), "_n_support has shape"),
        ("support_vectors_", lambda a: a[:-1], "support_vectors_ has shape"),
        ("support_vectors_", lambda a: a[:, :-1], "support_vectors_ has shape"),
        ("support_vectors_", lambda a: a.astype(np.float32), "support_vectors_ is float32"),
        ("support_vectors_", np.asfortranarray, "is not stored row by row"),
        ("support_vectors_", put(np.nan, (0, 0)), "NaN"),
        ("_dual_coef_", lambda a: a[:1], "_dual_coef_ has shape"),
        ("_dual_coef_", lambda a: a[:, :1], "_dual_coef_ has shape"),
        ("_dual_coef_", np.asfortranarray, "is not stored row by row"),
        ("dual_coef_", lambda a: a.T.copy(), "dual_coef_ has shape"),
        ("_intercept_", lambda a: a[:1], "_intercept_ has shape"),
        ("intercept_", lambda a: a[:0], "intercept_ has shape"),
        ("class_weight_", lambda a: a[:1], "class_weight_ has shape"),
        ("n_iter_", lambda a: a[:1], "n_iter_ has shape"),
        ("_probA", lambda a: np.zeros(3), "_probA has shape"),
        ("_probB", lambda a: np.zeros(0, np.float32), "_probB is float32"),
        ("classes_", lambda a: a[:2], "has shape"),
    ],
)
def test_arrays(name, change, message, dense):
    dense.set_array(0, name, change(dense.array(0, name)))
    with pytest.raises(ModelFileError, match=message):
        dense.load()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("_sparse", "true", "is ndarray, expected a csr matrix"),
        ("_sparse", "0", "_sparse is 0"),
        ("kernel", '"precomputed"', r"expected \(0, 0\)"),
        ("kernel", '"magic"', "kernel"),
        ("degree", "3000000000", "degree is 3000000000"),
        ("C", "1" + "0" * 400, "too large"),
        ("nu", '"much"', "nu is 'much'"),
        ("_gamma", "NaN", "_gamma is nan"),
        ("break_ties", "1", "break_ties"),
        ("n_features_in_", "4", "has shape|shape_fit_"),
        ("fit_status_", "-1", "fit_status_"),
        ("shape_fit_", "5", "shape_fit_ is 5"),
    ],
)
def test_values(name, value, message, dense):
    dense.set_number(name, value)
    with pytest.raises(ModelFileError, match=message):
        dense.load()


def test_probabilities_that_were_never_estimated(dense):
    name = "_effective_probability" if "_effective_probability" in dense.step(0) else "probability"
    dense.set_number(name, "true")
    with pytest.raises(ModelFileError, match="_probA has shape"):
        dense.load()


def test_every_missing_attribute(dense):
    """libsvm would be given whatever is left; nothing may go unnoticed."""
    known = {"feature_names_in_"}
    names = [name for name in dense.step(0) if name.endswith("_") or name.startswith("_")]
    assert len(names) > 15
    for name in set(names) - known - {"_sklearn_version"}:
        state = dense.schema["content"]
        kept = dict(state["content"])
        members = dict(dense.members)
        dense.members.pop(state["content"].pop(name).get("file"), None)
        for member in [m for m in dense.members if m.endswith(".npy")]:
            if f'"{member}"' not in str(state["content"]).replace("'", '"'):
                del dense.members[member]
        with pytest.raises(ModelFileError, match="is invalid"):
            dense.load()
        state["content"] = kept
        dense.members = members


def test_an_index_outside_a_precomputed_kernel(tmp_path):
    K = (COUNTS @ COUNTS.T).toarray()
    file = Holder(SVC(kernel="precomputed").fit(K, Y), tmp_path / "model")
    file.set_array(0, "support_", put(5, -1)(file.array(0, "support_")))
    with pytest.raises(ModelFileError, match="outside the precomputed kernel"):
        file.load()


def test_a_kernel_that_is_a_function(tmp_path):
    file = Holder(SVC().fit(COUNTS.toarray(), Y), tmp_path / "model")
    where = "sklearn.feature_selection._univariate_selection"
    file.step(0)["kernel"] = node("FunctionNode", where, "chi2", content="chi2")
    with pytest.raises(ModelFileError, match="kernel"):
        file.load()


# --- refusals: sparse -----------------------------------------------------------------------------


def changed_matrix(file, name, change):
    """Change one sparse matrix of the SVC."""
    place = file.step(0)[name]["file"]
    matrix = change(sparse.load_npz(BytesIO(file.members[place])))
    arrays = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    members = {f"{key}.npy": npy(value) for key, value in arrays.items()}
    members |= {"shape.npy": npy(np.array(matrix.shape)), "format.npy": npy(b"csr")}
    file.members[place] = packed(members)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("support_vectors_", lambda m: m[:-1], "support_vectors_ has shape"),
        ("support_vectors_", lambda m: m[:, :-1], "support_vectors_ has shape"),
        ("_dual_coef_", lambda m: m[:1], "_dual_coef_ has shape"),
        ("_dual_coef_", lambda m: m[:, :-1], "_dual_coef_ has shape"),
        ("_dual_coef_", lambda m: sparse.csr_matrix(m.shape), "does not contain all coefficients"),
        ("dual_coef_", lambda m: sparse.csr_matrix(m.shape), "does not contain all coefficients"),
        ("_dual_coef_", lambda m: m.astype(np.float32), "float32"),
        ("_dual_coef_", lambda m: m * np.nan, "NaN"),
    ],
)
def test_sparse_matrices(name, change, message, tmp_path):
    file = Holder(SVC(kernel="linear").fit(COUNTS, Y), tmp_path / "model")
    changed_matrix(file, name, change)
    with pytest.raises(ModelFileError, match=message):
        file.load()


# --- refusals: what holds an SVC ------------------------------------------------------------------


def test_pairs_that_are_missing(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = model.estimators_[:-1]
    with pytest.raises(ModelFileError, match="one estimator per pair of 3 classes"):
        save_model(model, tmp_path / "model")


def test_pairs_of_other_features(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = OneVsOneClassifier(SVC()).fit(COUNTS[:, 1:], Y).estimators_
    with pytest.raises(ModelFileError, match="expects a different number of features"):
        save_model(model, tmp_path / "model")


def test_pairs_of_other_classes(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = (SVC().fit(COUNTS, Y),) * 3
    with pytest.raises(ModelFileError, match="does not have the classes 0 and 1"):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"estimators_": []}, "one estimator per class of 3"),
        ({"estimators_": None}, "one estimator per class of 3"),
        ({"estimators_": [SVC().fit(COUNTS, Y)] * 3}, "does not have the classes 0 and 1"),
        ({"estimators_": [SVC().fit(COUNTS[:, 1:], Y > 1)] * 3}, "a different number of features"),
        ({"classes_": np.unique(Y) + 1}, "the classes of label_binarizer_ are different"),
        ({"label_binarizer_": None}, "must be a fitted LabelBinarizer"),
        ({"label_binarizer_": LabelBinarizer()}, "must be a fitted LabelBinarizer"),
        ({"n_jobs": 2}, "must not start processes"),
    ],
    ids=str,
)
def test_classes_against_the_rest(changes, message, tmp_path):
    model = OneVsRestClassifier(SVC()).fit(COUNTS, Y)
    vars(model).update(changes)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"neg_label": -1}, "neg_label and pos_label must be 0 and 1"),
        ({"pos_label": 2}, "neg_label and pos_label must be 0 and 1"),
        ({"y_type_": "binary"}, "y_type_ must be 'multiclass'"),
        ({"y_type_": "multilabel-indicator"}, "y_type_ must be 'multiclass'"),
        ({"sparse_input_": True}, "sparse_input_ must be False"),
        ({"classes_": np.array([3, 1, 7])}, "not sorted"),
        ({"classes_": None}, "not an array of labels"),
        ({"inverse_transform": 1}, "would hide a method"),
    ],
    ids=str,
)
def test_labels_of_the_classes_against_the_rest(changes, message, tmp_path):
    model = OneVsRestClassifier(SVC()).fit(COUNTS, Y)
    vars(model.label_binarizer_).update(changes)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (COUNTS, Y + 1, "classes_ and the classes of model_ are different"),
        (COUNTS[:, 1:], Y, "expects a different number of features"),
    ],
    ids=["classes", "features"],
)
def test_a_model_within_that_does_not_fit(X, y, message, tmp_path):
    model = TunedSVC().fit(COUNTS, Y)
    model.model_ = SVC().fit(X, y)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")


def test_a_step_of_text_before_it(tmp_path):
    model = make_pipeline(CountVectorizer(), SVC()).fit(TEXTS, LABELS)
    assert_same(there_and_back(model, tmp_path), model, [*TEXTS, "", "never seen"])
