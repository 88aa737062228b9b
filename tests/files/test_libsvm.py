"""SVC in model files: the same answers to the last bit; nothing that leads libsvm astray."""

from copy import deepcopy
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
from tests.files.test_refusals import ModelFile, node, npy, put
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
        return self.tree["content"]["content"]


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
        ("_sparse", True, "is ndarray, expected a csr matrix"),
        ("_sparse", 0, "_sparse is 0"),
        ("kernel", "precomputed", r"expected \(0, 0\)"),
        ("kernel", "magic", "kernel"),
        ("_gamma", -1.0, "_gamma"),
        ("C", 10**400, "too large"),
        ("nu", "much", "nu is 'much'"),
        ("_gamma", np.nan, "_gamma is nan"),
        ("break_ties", 1, "break_ties"),
        ("n_features_in_", 4, "has shape|shape_fit_"),
        ("fit_status_", -1, "fit_status_"),
        ("shape_fit_", 5, "shape_fit_ is 5"),
    ],
)
def test_values(name, value, message, dense):
    dense.set_value(0, name, value)
    with pytest.raises(ModelFileError, match=message):
        dense.load()


@pytest.mark.parametrize(("name", "value"), [("degree", 2**28), ("coef0", 1e100), ("_gamma", 1e9)])
def test_a_kernel_that_is_infinite(name, value, tmp_path):
    """Finding: such a model was loaded, and its scores were no numbers."""
    texts = ["late parcel", "late late", "double charge", "charge me"]
    svc = SVC(kernel="poly", degree=40, gamma=1.0, coef0=1.0)
    model = make_pipeline(CountVectorizer(), svc).fit(texts, ["a", "a", "b", "b"])
    save_model(model, tmp_path / "model.hb")
    setattr(svc, name, value)
    with pytest.raises(ModelFileError, match=r"degree is \d+, with which the kernel is infinite"):
        save_model(model, tmp_path / "model.hb")


def test_probabilities_that_were_never_estimated(dense):
    name = "_effective_probability" if "_effective_probability" in dense.step(0) else "probability"
    dense.set_value(0, name, True)
    with pytest.raises(ModelFileError, match="_probA has shape"):
        dense.load()


def test_every_missing_attribute(dense):
    """libsvm would be given whatever is left; nothing may go unnoticed."""
    known = {"feature_names_in_"}
    names = [name for name in dense.step(0) if name.endswith("_") or name.startswith("_")]
    assert len(names) > 15
    for name in set(names) - known - {"_sklearn_version"}:
        tree, members = deepcopy(dense.tree), dict(dense.members)
        dense.set_value(0, name, None)
        del dense.step(0)[name]
        with pytest.raises(ModelFileError, match="is invalid"):
            dense.load()
        dense.tree, dense.members = tree, members


def test_an_index_outside_a_precomputed_kernel(tmp_path):
    K = (COUNTS @ COUNTS.T).toarray()
    file = Holder(SVC(kernel="precomputed").fit(K, Y), tmp_path / "model")
    file.set_array(0, "support_", put(5, -1)(file.array(0, "support_")))
    with pytest.raises(ModelFileError, match="outside the precomputed kernel"):
        file.load()


def test_a_kernel_that_is_a_function(tmp_path):
    file = Holder(SVC().fit(COUNTS.toarray(), Y), tmp_path / "model")
    chi2 = "sklearn.feature_selection._univariate_selection.chi2"
    file.step(0)["kernel"] = node("function", chi2)
    with pytest.raises(ModelFileError, match="kernel"):
        file.load()


# --- refusals: sparse -----------------------------------------------------------------------------


def change_matrix(file, name, change):
    """Change one sparse matrix of the SVC."""
    shape, *nodes = file.step(0)[name]["content"]
    members = [part["content"] for part in nodes]
    arrays = [np.load(BytesIO(file.members[member])) for member in members]
    matrix = change(sparse.csr_matrix(tuple(arrays), shape=shape))
    shape[:] = matrix.shape
    for member, array in zip(members, (matrix.data, matrix.indices, matrix.indptr), strict=True):
        file.members[member] = npy(array)


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
    change_matrix(file, name, change)
    with pytest.raises(ModelFileError, match=message):
        file.load()


# --- refusals: what holds an SVC ------------------------------------------------------------------


def test_pairs_that_are_missing(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = model.estimators_[:-1]
    with pytest.raises(ModelFileError, match="cannot predict"):
        save_model(model, tmp_path / "model")


def test_pairs_of_other_features(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = OneVsOneClassifier(SVC()).fit(COUNTS[:, 1:], Y).estimators_
    with pytest.raises(ModelFileError, match=r"cannot predict.*expecting 4 features"):
        save_model(model, tmp_path / "model")


def test_pairs_of_other_classes(tmp_path):
    model = OneVsOneClassifier(SVC()).fit(COUNTS, Y)
    model.estimators_ = (SVC().fit(COUNTS, Y),) * 3
    with pytest.raises(ModelFileError, match="cannot predict"):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    "changes",
    [
        {"estimators_": None},
        {"estimators_": [SVC().fit(COUNTS, Y)] * 3},
        {"estimators_": [SVC().fit(COUNTS[:, 1:], Y > 1)] * 3},
        {"label_binarizer_": None},
        {"label_binarizer_": LabelBinarizer()},
    ],
    ids=str,
)
def test_classes_against_the_rest(changes, tmp_path):
    model = OneVsRestClassifier(SVC()).fit(COUNTS, Y)
    vars(model).update(changes)
    with pytest.raises(ModelFileError, match="cannot predict"):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_type_": "binary"}, "cannot predict"),
        ({"classes_": np.array([3, 1, 7])}, "not sorted"),
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
