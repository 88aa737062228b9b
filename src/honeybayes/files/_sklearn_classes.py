"""The classes of scikit-learn that a model file may contain, and how to check them.

This is the only table of its kind: classes of honeybayes declare their state themselves (see
`honeybayes.utils.state`). Compiled code uses the indices in an array without checking them, so
every class in the table has a check.

Left out on purpose:

- trees, forests, gradient boosting, KDTree and BallTree: their nodes point to each other by raw
  numbers;
- SVR, NuSVC and OneClassSVM: nobody has needed them;
- functions except term scores: we do not know what they do when they are called.
"""

import re
from collections.abc import Callable, Collection
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.validation import check_is_fitted

from honeybayes.exceptions import ModelFileError
from honeybayes.files._libsvm import LIBSVM, check_libsvm
from honeybayes.utils.state import (
    EVERY_ESTIMATOR,
    FLOATS,
    Array,
    Fitted,
    Labels,
    Number,
    Sizes,
    State,
    check_attributes,
)

# Regular expressions that need time in proportion to the text.
_WORDS = (r"\w\w+", r"\w+", r"[a-z]+", r"[a-zA-Z]+", r"[^\W\d]+", r"[^\W\d_]+")
KNOWN_PATTERNS = {
    flag + pattern
    for flag in ("", "(?u)")
    for pattern in (r"\S+", r"[^\s]+", *_WORDS, *(rf"\b{word}\b" for word in _WORDS))
}


class Check(NamedTuple):
    """How to check an object of a class."""

    declared: State = State()  # what fit leaves, where the numbers matter
    further: Callable[[Any], None] | None = None  # raises ValueError if anything else is wrong


def check_sklearn_object(estimator: Any, check: Check) -> None:
    """Raise ValueError if an estimator of scikit-learn does not pass its `check`."""
    names = {*check.declared, *EVERY_ESTIMATOR}
    for name in vars(estimator):
        hides = name not in names and hasattr(type(estimator), name)
        if hides and name not in estimator.get_params(deep=False):
            raise ValueError(f"{name} is not a declared attribute: it would hide a method")
    if hasattr(estimator, "_parameter_constraints"):
        estimator._validate_params()
    if check.declared and names & vars(estimator).keys():
        check_attributes(vars(estimator), check.declared)
    if check.further is not None:
        check.further(estimator)


def check_pattern(estimator: Any, trusted: Collection[str]) -> None:
    """Raise ModelFileError if an estimator has a regular expression that is not known.

    A regular expression can be slow enough to hang the process, even when it is compiled.
    """
    pattern = vars(estimator).get("token_pattern")
    if pattern is None or pattern in KNOWN_PATTERNS or pattern in trusted:
        return
    raise ModelFileError(
        f"its token_pattern {pattern!r} is not one of the usual ones, and a regular expression can "
        "take forever. If you know and trust it, pass it as trusted."
    )


def check_steps(steps: list[Any]) -> None:
    """Raise ValueError if a step is not fitted, or gets the wrong number of columns."""
    steps = [step for step in steps if step is not None and step != "passthrough"]
    width = None
    for number, step in enumerate(steps, start=1):
        if type(step).__module__.partition(".")[0] in ("honeybayes", "sklearn"):
            check_is_fitted(step)
        expected = getattr(step, "n_features_in_", width)
        if width is not None and expected != width:
            raise ValueError(f"step {number} expects {expected} columns, but gets {width}")
        width = _width_of_output(step)


def _width_of_output(step: Any) -> int | None:
    """Return the number of columns that a transformer makes, or None if it is not known.

    It is taken from attributes that are checked. Names of columns could need much memory.
    """
    if hasattr(step, "transformer_list"):
        widths = [_width_of_output(part) for _, part in step.transformer_list if part != "drop"]
        return None if None in widths else sum(width or 0 for width in widths)
    if hasattr(step, "steps"):
        return _width_of_output(step.steps[-1][1])
    if isinstance(step, str):
        return None
    if (terms := vars(step).get("terms_", vars(step).get("vocabulary_"))) is not None:
        return len(terms)
    if hasattr(step, "get_support"):
        return int(np.count_nonzero(step.get_support()))
    if isinstance(step, OneToOneFeatureMixin):
        return step.n_features_in_
    return getattr(step, "_n_features_out", None)


def _check_pipeline(pipeline: Any) -> None:
    if pipeline.memory is not None:
        raise ValueError("memory is set, but a loaded model must not write files: use memory=None")
    pipeline._validate_steps()
    if pipeline.__sklearn_is_fitted__():
        check_steps([step for _, step in pipeline.steps])


def _check_union(union: Any) -> None:
    union._validate_transformers()
    union._validate_transformer_weights()
    if union.n_jobs is not None:
        raise ValueError(f"n_jobs is {union.n_jobs!r}: a loaded model must not start processes")
    for weight in (union.transformer_weights or {}).values():
        Number().check(weight, Sizes())
    if union.__sklearn_is_fitted__():
        for _, part in union.transformer_list:
            if part not in ("drop", "passthrough"):
                Fitted("transform").check(part, Sizes())


def _check_one_vs_one(classifier: Any) -> None:
    attributes = vars(classifier)
    if "estimators_" not in attributes:
        return
    Labels().check(attributes.get("classes_"), Sizes())
    n_classes = len(classifier.classes_)
    n_pairs = n_classes * (n_classes - 1) // 2
    _check_number_of(classifier.estimators_, n_pairs, f"pair of {n_classes} classes")
    if attributes.get("pairwise_indices_", ()) is not None:
        raise ValueError("pairwise_indices_ is set: precomputed kernels cannot be saved")
    _check_binary_classifiers(classifier)


def _check_one_vs_rest(classifier: Any) -> None:
    if classifier.n_jobs is not None:
        raise ValueError(
            f"n_jobs is {classifier.n_jobs!r}: a loaded model must not start processes"
        )
    if not {"estimators_", "label_binarizer_"} & vars(classifier).keys():
        return
    binarizer = vars(classifier).get("label_binarizer_")
    if type(binarizer) is not LabelBinarizer or "classes_" not in vars(binarizer):
        raise ValueError("label_binarizer_ must be a fitted LabelBinarizer")
    if not np.array_equal(vars(classifier).get("classes_", ()), binarizer.classes_):
        raise ValueError("classes_ and the classes of label_binarizer_ are different")
    n_classes = len(binarizer.classes_)  # two classes have one estimator
    n_estimators = n_classes if n_classes > 2 else 1
    _check_number_of(vars(classifier).get("estimators_"), n_estimators, f"class of {n_classes}")
    _check_binary_classifiers(classifier)


def _check_number_of(estimators: Any, n_expected: int, each: str) -> None:
    if type(estimators) not in (list, tuple) or len(estimators) != n_expected:
        raise ValueError(f"estimators_ must contain one estimator per {each}")


def _check_binary_classifiers(classifier: Any) -> None:
    for estimator in classifier.estimators_:
        Fitted("predict").check(estimator, Sizes())
        Fitted("decision_function").check(estimator, Sizes())
        if not np.array_equal(estimator.classes_, [0, 1]):
            raise ValueError("an estimator in estimators_ does not have the classes 0 and 1")
        if estimator.n_features_in_ != vars(classifier).get("n_features_in_"):
            raise ValueError("an estimator in estimators_ expects a different number of features")


def _check_label_binarizer(binarizer: Any) -> None:
    """Allow what OneVsRestClassifier makes."""
    if (binarizer.neg_label, binarizer.pos_label) != (0, 1):
        raise ValueError("neg_label and pos_label must be 0 and 1")
    attributes = vars(binarizer)
    if not {"classes_", "y_type_", "sparse_input_"} & attributes.keys():
        return
    Labels().check(attributes.get("classes_"), Sizes())
    kind = "binary" if len(binarizer.classes_) == 2 else "multiclass"
    if len(binarizer.classes_) < 2 or attributes.get("y_type_") != kind:
        raise ValueError(f"y_type_ must be {kind!r}, and there must be two classes or more")
    if attributes.get("sparse_input_") is not False:
        raise ValueError("sparse_input_ must be False")


def _check_vectorizer(vectorizer: Any) -> None:
    if vectorizer.input != "content":
        raise ValueError(f"input is {vectorizer.input!r}: a loaded model must not open files")
    shortest, longest = vectorizer.ngram_range
    if not all(type(n) is int for n in (shortest, longest)) or not 1 <= shortest <= longest:
        raise ValueError(
            "ngram_range must be two integers with 1 <= min_n <= max_n; "
            f"got {vectorizer.ngram_range!r}"
        )
    if np.dtype(vectorizer.dtype).kind not in "iuf" or np.dtype(vectorizer.dtype).itemsize < 4:
        raise ValueError(
            f"dtype must be a number type of at least 4 bytes; got {vectorizer.dtype!r}"
        )
    stop_words = vectorizer.stop_words if isinstance(vectorizer.stop_words, list) else []
    if not all(isinstance(word, str) for word in stop_words):
        raise ValueError("stop_words contains a value that is not a string")
    if vectorizer.token_pattern is not None:
        try:
            groups = re.compile(vectorizer.token_pattern).groups
        except re.error as error:
            raise ValueError(f"token_pattern is not a regular expression: {error}") from error
        if groups > 1:
            raise ValueError("token_pattern has more than one group")
    if "vocabulary_" in vars(vectorizer):
        _check_vocabulary(vectorizer.vocabulary_)


def _check_vocabulary(vocabulary: Any) -> None:
    if type(vocabulary) is not dict or not all(isinstance(term, str) for term in vocabulary):
        raise ValueError("vocabulary_ is not a dict from terms to columns")
    columns = vocabulary.values()
    if not all(isinstance(column, Integral) for column in columns):
        raise ValueError("vocabulary_ contains a column that is not an integer")
    if not vocabulary or sorted(columns) != list(range(len(vocabulary))):
        raise ValueError("vocabulary_ does not number its terms 0, 1, 2, ...")


def _check_tfidf_vectorizer(vectorizer: Any) -> None:
    _check_vectorizer(vectorizer)
    if "vocabulary_" in vars(vectorizer):
        Fitted("transform").check(vectorizer._tfidf, Sizes())
        if vectorizer._tfidf.n_features_in_ != len(vectorizer.vocabulary_):
            raise ValueError("_tfidf and vocabulary_ have different lengths")


def _check_tfidf(transformer: Any) -> None:
    fitted = hasattr(transformer, "n_features_in_")
    if fitted and transformer.use_idf and not hasattr(transformer, "idf_"):
        raise ValueError("idf_ is missing")


def _check_bernoulli(classifier: Any) -> None:
    # log(1 - p) is a number only if log p is below 0
    if not (vars(classifier).get("feature_log_prob_", np.zeros(0)) < 0).all():
        raise ValueError("feature_log_prob_ contains a number that is not below 0")


BY_CLASS, BY_TERM = ("classes",), ("features",)
BAYES = Check(
    State(
        class_log_prior_=Array(BY_CLASS, allow="-inf"),
        class_count_=Array(BY_CLASS),
        feature_count_=Array(("classes", "features")),
        feature_log_prob_=Array(("classes", "features"), allow="-inf"),
    )
)
LINEAR = Check(
    State(
        coef_=Array(("margins", "features"), FLOATS),
        intercept_=Array(("margins",), FLOATS, or_number=True),
    )
)

# By name, so that a module of scikit-learn is only imported if a file needs it.
SKLEARN_CLASSES = {
    "sklearn.decomposition._truncated_svd.TruncatedSVD": Check(
        State(components_=Array(("components", "features"), FLOATS))
    ),
    "sklearn.feature_extraction.text.CountVectorizer": Check(further=_check_vectorizer),
    "sklearn.feature_extraction.text.TfidfTransformer": Check(
        State(idf_=Array(BY_TERM, FLOATS, optional=True)), _check_tfidf
    ),
    "sklearn.feature_extraction.text.TfidfVectorizer": Check(further=_check_tfidf_vectorizer),
    "sklearn.feature_selection._univariate_selection.SelectKBest": Check(
        State(
            scores_=Array(BY_TERM, allow="nan"),  # of a term that never varies
            pvalues_=Array(BY_TERM, allow="nan", optional=True),
        )
    ),
    "sklearn.linear_model._logistic.LogisticRegression": LINEAR,
    "sklearn.multiclass.OneVsOneClassifier": Check(further=_check_one_vs_one),
    "sklearn.multiclass.OneVsRestClassifier": Check(further=_check_one_vs_rest),
    "sklearn.naive_bayes.BernoulliNB": Check(BAYES.declared, _check_bernoulli),
    "sklearn.naive_bayes.ComplementNB": BAYES,
    "sklearn.naive_bayes.MultinomialNB": BAYES,
    "sklearn.pipeline.FeatureUnion": Check(further=_check_union),
    "sklearn.pipeline.Pipeline": Check(further=_check_pipeline),
    "sklearn.preprocessing._data.Normalizer": Check(),
    "sklearn.preprocessing._label.LabelBinarizer": Check(further=_check_label_binarizer),
    "sklearn.svm._classes.LinearSVC": LINEAR,
    "sklearn.svm._classes.SVC": Check(LIBSVM, check_libsvm),
}
SKLEARN_FUNCTIONS = {
    f"sklearn.feature_selection._univariate_selection.{name}" for name in ("chi2", "f_classif")
}
