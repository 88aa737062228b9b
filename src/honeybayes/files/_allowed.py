"""What a model file may contain without being trusted: one table, with a check for each class.

Classes of honeybayes are not in the table, because they declare their state themselves (see
`honeybayes.utils.state`). Compiled code uses the indices in an array without checking them, so
every class of scikit-learn in the table has a check.

Left out on purpose:

- trees, forests, gradient boosting, KDTree and BallTree: their nodes point to each other by raw
  numbers;
- SVR, NuSVC and OneClassSVM: nobody has needed them;
- functions except term scores: we do not know what they do when they are called.
"""

from collections.abc import Callable, Collection
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.text import term_scores
from honeybayes.utils.state import FLOATS, Array, Bool, Integer, Number, Sizes, SparseCounts, State
from honeybayes.utils.tags import storable_class


class Check(NamedTuple):
    """How to check an object of a class."""

    declared: State = State()  # what fit leaves, where the numbers matter
    further: Callable[[Any], None] | None = None  # raises ValueError if anything else is wrong


def _check_steps(model: Any) -> None:
    attributes = vars(model)  # of a pipeline, or of a union
    names = [each for each in ("steps", "transformer_list") if each in attributes]
    steps = [step for name in names for step in attributes[name]]
    if not names or not all(isinstance(each, tuple) and len(each) == 2 for each in steps):
        raise ValueError("a step is not a pair of a name and an estimator")
    if attributes.get("memory") is not None:
        raise ValueError("memory is set, but a loaded model must not write files: use memory=None")
    for weight in (attributes.get("transformer_weights") or {}).values():
        Number().check("transformer_weights", weight, Sizes())


def _check_vectorizer(vectorizer: Any) -> None:
    if vectorizer.input != "content":
        raise ValueError(f"input is {vectorizer.input!r}: a loaded model must not open files")
    if np.dtype(vectorizer.dtype).kind not in "iuf" or np.dtype(vectorizer.dtype).itemsize < 4:
        raise ValueError(
            f"dtype must be a number type of at least 4 bytes; got {vectorizer.dtype!r}"
        )
    vocabulary = vars(vectorizer).get("vocabulary_", {"a": 0})
    if type(vocabulary) is not dict or not all(isinstance(term, str) for term in vocabulary):
        raise ValueError("vocabulary_ is not a dict from terms to columns")
    columns = vocabulary.values()
    if not all(isinstance(column, Integral) for column in columns):
        raise ValueError("vocabulary_ contains a column that is not an integer")
    if not vocabulary or sorted(columns) != list(range(len(vocabulary))):
        raise ValueError("vocabulary_ does not number its terms 0, 1, 2, ...")


def _check_bernoulli(classifier: Any) -> None:
    # log(1 - p) is a number only if log p is below 0
    if not (vars(classifier).get("feature_log_prob_", np.zeros(0)) < 0).all():
        raise ValueError("feature_log_prob_ contains a number that is not below 0")


# libsvm gets the memory addresses of arrays, and uses the length of one array to read
# another. So all lengths, types and indices must be correct before.
LARGEST_PRODUCT, MOST_DIGITS = 10**6, 300  # of two documents, and of a kernel that is a number
KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
LIBSVM = State(
    support_=Array(("vectors",), ("int32",), low=0),
    _n_support=Array(("classes",), ("int32",), low=0),
    class_weight_=Array(("classes",)),
    intercept_=Array(("pairs",)),
    _intercept_=Array(("pairs",)),
    _num_iter=Array(("pairs",), ("int32",)),
    n_iter_=Array(("pairs",), ("int32",)),
    fit_status_=Integer(),
    _sparse=Bool(),
    _gamma=Number(low=0),
)


def _check_libsvm(svc: Any) -> None:
    """Raise ValueError if the arrays of an SVC disagree in length, type or order."""
    if not isinstance(svc.kernel, str) or svc.kernel not in KERNELS:
        raise ValueError("kernel is a function, which a model file cannot hold")
    for name in ("C", "coef0", "tol", "cache_size", "nu", "epsilon"):
        Number().check(name, vars(svc).get(name), Sizes())
    if "support_" not in vars(svc):
        return
    base = 1 + abs(svc.coef0) + svc._gamma * LARGEST_PRODUCT
    if svc.kernel == "poly" and svc.degree * np.log10(base) > MOST_DIGITS:
        raise ValueError(f"degree is {svc.degree}, with which the kernel is infinite")
    n_vectors, n_features = len(svc.support_), svc.n_features_in_
    if svc._n_support.sum(dtype=np.int64) != n_vectors:
        raise ValueError(f"_n_support does not add up to the {n_vectors} vectors of support_")
    shape, is_kernel = svc.shape_fit_, svc.kernel == "precomputed"
    pair = type(shape) is tuple and len(shape) == 2 and all(type(size) is int for size in shape)
    if not pair or shape[1] != n_features or (is_kernel and shape[0] != n_features):
        raise ValueError(f"shape_fit_ is {shape!r}")
    if is_kernel and (svc._sparse or svc.support_.max(initial=0) >= n_features):
        raise ValueError("support_ points outside the precomputed kernel")
    sizes = Sizes(vectors=n_vectors, features=n_features, others=len(svc.classes_) - 1)
    for name in ("dual_coef_", "_dual_coef_"):
        _check_rows(svc, name, ("others", "vectors"), sizes)
        # libsvm reads a sparse matrix of coefficients as a full table
        if svc._sparse and getattr(svc, name).nnz != sizes["others"] * n_vectors:
            raise ValueError(f"{name} does not contain all coefficients")
    _check_rows(svc, "support_vectors_", (0, 0) if is_kernel else ("vectors", "features"), sizes)
    if svc._sparse:
        indices, starts = svc.support_vectors_.indices, svc.support_vectors_.indptr
        if not indices.dtype == starts.dtype == np.int32:
            raise ValueError(f"support_vectors_ has indices of {indices.dtype}, expected int32")
    # before scikit-learn 1.9, the parameter itself
    probability = vars(svc).get("_effective_probability", svc.probability)
    if type(probability) is not bool:
        raise ValueError(f"probability is {probability!r}")
    n_pairs = len(svc.intercept_) if probability else 0
    for name in ("_probA", "_probB"):
        _check_rows(svc, name, (n_pairs,), sizes)


def _check_rows(svc: Any, name: str, shape: Any, sizes: Sizes) -> None:
    """Raise ValueError if an array or a sparse matrix is not as libsvm needs it."""
    value = getattr(svc, name)
    if svc._sparse and len(shape) > 1:
        SparseCounts(shape, "csr", above=-np.inf).check(name, value, sizes)
    else:
        Array(shape).check(name, value, sizes)
        if not value.flags.c_contiguous:
            raise ValueError(f"{name} is not stored row by row")


BY_CLASS, BY_TERM, BY_BOTH = ("classes",), ("features",), ("classes", "features")
BAYES = State(
    class_log_prior_=Array(BY_CLASS, allow="-inf"),
    class_count_=Array(BY_CLASS),
    feature_count_=Array(BY_BOTH),
    feature_log_prob_=Array(BY_BOTH, allow="-inf"),
)
LINEAR = State(
    coef_=Array(("margins", "features"), FLOATS),
    intercept_=Array(("margins",), FLOATS, or_number=True),
)
COMPONENTS = State(components_=Array(("components", "features"), FLOATS))
IDF = State(idf_=Array(BY_TERM, FLOATS, optional=True))
SCORES = State(
    scores_=Array(BY_TERM, allow="nan"),  # of a term that never varies
    pvalues_=Array(BY_TERM, allow="nan", optional=True),
)
# By name, so that a module of scikit-learn is only imported if a file needs it.
SKLEARN_CLASSES = {
    "sklearn.decomposition._truncated_svd.TruncatedSVD": Check(COMPONENTS),
    "sklearn.feature_extraction.text.CountVectorizer": Check(further=_check_vectorizer),
    "sklearn.feature_extraction.text.TfidfTransformer": Check(IDF),
    "sklearn.feature_extraction.text.TfidfVectorizer": Check(further=_check_vectorizer),
    "sklearn.feature_selection._univariate_selection.SelectKBest": Check(SCORES),
    "sklearn.linear_model._logistic.LogisticRegression": Check(LINEAR),
    "sklearn.multiclass.OneVsOneClassifier": Check(),
    "sklearn.multiclass.OneVsRestClassifier": Check(),
    "sklearn.naive_bayes.BernoulliNB": Check(BAYES, _check_bernoulli),
    "sklearn.naive_bayes.ComplementNB": Check(BAYES),
    "sklearn.naive_bayes.MultinomialNB": Check(BAYES),
    "sklearn.pipeline.FeatureUnion": Check(further=_check_steps),
    "sklearn.pipeline.Pipeline": Check(further=_check_steps),
    "sklearn.preprocessing._data.Normalizer": Check(),
    "sklearn.preprocessing._label.LabelBinarizer": Check(),
    "sklearn.svm._classes.LinearSVC": Check(LINEAR),
    "sklearn.svm._classes.SVC": Check(LIBSVM, _check_libsvm),
}
FUNCTIONS = {
    *(f"sklearn.feature_selection._univariate_selection.{name}" for name in ("chi2", "f_classif")),
    *(f"honeybayes.text.term_scores.{name}" for name in term_scores.__all__),
}
OF_NUMPY = (np.bool_, np.float32, np.float64, np.int32, np.int64, np.str_, np.uint8)
OF_SCIPY = (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix)
SCALARS: dict[str, Any] = {np.dtype(cls).name: cls for cls in OF_NUMPY}
SPARSE = {cls.__name__: cls for cls in OF_SCIPY}
NAMES: dict[str, Collection[str]] = {
    "function": FUNCTIONS,
    "scalar": SCALARS,
    "sparse": SPARSE,
    "type": {
        *(f"builtins.{name}" for name in ("bool", "float", "int", "str")),
        *(f"numpy.{cls.__name__}" for cls in OF_NUMPY),
    },
}


def full_name(kind: Any) -> str:
    """Return module and name of a class or function. Functions of numpy have no module."""
    return f"{getattr(kind, '__module__', None) or 'numpy'}.{kind.__name__}"


def is_allowed(kind: str, name: str) -> bool:
    """Return True if a file may contain a node of this kind and name without being trusted."""
    if kind == "object":
        return name in SKLEARN_CLASSES or storable_class(name) is not None
    return name in NAMES.get(kind, ())
