"""Whether a loaded estimator holds together: what it learned, and what only it can know."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from honeybayes.files._fitted import Fitted, Part, Sizes, Whole, check_labels

EVERY_FIT = {"n_features_in_", "feature_names_in_", "classes_"}


def nothing_more(estimator: Any) -> None:
    """Of an estimator that its arrays describe in full."""


@dataclass(frozen=True)
class Estimator:
    """Check of an estimator, by what ``fit`` leaves.

    Parameters
    ----------
    fitted : mapping
        The arrays, and other values, by name of the attribute.
    also : callable
        What else must hold; raises ValueError or TypeError.
    """

    fitted: Mapping[str, Fitted] = field(default_factory=dict)
    also: Callable[[Any], None] = nothing_more

    def __call__(self, estimator: Any) -> None:
        """Raise an error if the estimator could fail where a freshly fitted one would not."""
        self._check_attributes(estimator)
        _check_parameters(estimator)
        if self.fitted and self._was_fitted(estimator):
            self._check_fitted(estimator)
        self.also(estimator)

    def _check_attributes(self, estimator: Any) -> None:
        ours = type(estimator).__module__.startswith("honeybayes.")
        known = {*estimator.get_params(deep=False), *self.fitted, *EVERY_FIT}
        for name in vars(estimator):
            # it would hide a method; and of our own classes we know every attribute
            if name not in known and (ours or hasattr(type(estimator), name)):
                raise ValueError(f"{name} is no attribute of {type(estimator).__name__}")

    def _was_fitted(self, estimator: Any) -> bool:
        # a part of a model may be a template that is never fitted itself
        return any(name in self.fitted or name in EVERY_FIT for name in vars(estimator))

    def _check_fitted(self, estimator: Any) -> None:
        attributes, sizes = vars(estimator), Sizes()
        used = {size for kind in self.fitted.values() for size in getattr(kind, "shape", ())}
        used |= {getattr(kind, "below", None) for kind in self.fitted.values()}
        if "features" in used:
            _explain("n_features_in_", Whole().check, attributes.get("n_features_in_"), sizes)
            sizes["features"] = attributes["n_features_in_"]
        if "classes_" in attributes or used & {"classes", "margins", "pairs"}:
            check_labels(attributes.get("classes_"))
            sizes["classes"] = len(attributes["classes_"])
            sizes["margins"] = 1 if sizes["classes"] == 2 else sizes["classes"]
            sizes["pairs"] = sizes["classes"] * (sizes["classes"] - 1) // 2
        names = attributes.get("feature_names_in_")
        if names is not None:
            sizes.match(np.shape(names), ("features",))
            if not all(isinstance(name, str) for name in names):
                raise ValueError("feature_names_in_ holds what is no name")
        for name, kind in self.fitted.items():
            if attributes.get(name) is not None or not kind.optional:
                _explain(name, kind.check, attributes.get(name), sizes)


def _explain(name: str, check: Callable[[Any, Sizes], None], value: Any, sizes: Sizes) -> None:
    try:
        check(value, sizes)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from error


def _check_parameters(estimator: Any) -> None:
    """Let the estimator itself refuse parameters that make no sense."""
    if hasattr(estimator, "_parameter_constraints"):
        estimator._validate_params()
    elif hasattr(estimator, "_check_parameters"):
        estimator._check_parameters()


def check_count_rule(estimator: Any) -> None:
    """Refuse a model without the tables that its decision rule reads."""
    if not hasattr(estimator, "classes_"):
        return
    _check_tables(estimator, "feature_log_prob_", "complement_feature_log_prob_")


def check_weighted_terms(estimator: Any) -> None:
    """Refuse a model of weighted terms without the tables that its decision rule reads."""
    check_count_rule(estimator)
    if hasattr(estimator, "classes_"):
        _check_tables(estimator, "_class_table", "_complement_table")


def _check_tables(estimator: Any, of_class: str, of_complement: str) -> None:
    needed = {
        of_class: estimator._rule != "complement",
        of_complement: estimator._rule != "multinomial",
    }
    for name, is_needed in needed.items():
        if is_needed and getattr(estimator, name, None) is None:
            raise ValueError(f"{name} is missing, which rule={estimator._rule!r} reads")


def check_neighbors(estimator: Any) -> None:
    """Refuse a number of neighbors that there are not, or documents that have no direction."""
    if not hasattr(estimator, "classes_"):
        return
    if not 1 <= estimator._n_neighbors <= len(estimator._label):
        raise ValueError(f"_n_neighbors is {estimator._n_neighbors}")
    if not (estimator._norm[estimator._training.indices] > 0).all():
        raise ValueError("_norm is zero for a document that has words")


def check_tree(tree: Any) -> None:
    """Refuse nodes that do not make a tree in which parents come first."""
    if not hasattr(tree, "classes_"):
        return
    n_nodes, is_leaf = len(tree.split_term_), tree.split_term_ < 0
    children = np.concatenate([tree.child_with_[~is_leaf], tree.child_without_[~is_leaf]])
    if not np.array_equal(np.sort(children), np.arange(1, n_nodes)):
        raise ValueError("child_with_ and child_without_ do not lead to each node once")
    for child in (tree.child_with_, tree.child_without_):
        if not np.where(is_leaf, child == -1, child > np.arange(n_nodes)).all():
            raise ValueError("a leaf has a child, or a child comes before its parent")
    if not (np.diff(tree._leaf_term) > 0).all():
        raise ValueError("_leaf_term is not in ascending order")


def check_word_clusters(estimator: Any) -> None:
    """Refuse tables of other clusters than those of the words."""
    check_count_rule(estimator)
    if hasattr(estimator, "classes_"):
        n_clusters = estimator.feature_count_.shape[1]
        if estimator.cluster_labels_.max(initial=-1) + 1 != n_clusters:
            raise ValueError(f"cluster_labels_ does not name {n_clusters} clusters")


def check_by_building(value: Any) -> None:
    """Refuse a dataclass that its own constructor would refuse."""
    if vars(value).keys() != {each.name for each in fields(value)}:
        raise ValueError(f"the attributes of {type(value).__name__} are {sorted(vars(value))}")
    type(value)(**vars(value))


def check_vectorizer(vectorizer: Any) -> None:
    """Refuse a vocabulary that does not number its words, or a vectorizer that cannot work."""
    if vectorizer.input != "content":
        raise ValueError(f"input is {vectorizer.input!r}: a loaded model must not open files")
    shortest, longest = vectorizer.ngram_range
    if not all(type(n) is int for n in (shortest, longest)) or not 1 <= shortest <= longest:
        raise ValueError(f"ngram_range is {vectorizer.ngram_range!r}")
    if np.dtype(vectorizer.dtype).kind not in "iuf" or np.dtype(vectorizer.dtype).itemsize < 4:
        raise ValueError(f"dtype is {vectorizer.dtype!r}")
    words_to_stop = vectorizer.stop_words if isinstance(vectorizer.stop_words, list) else []
    if not all(isinstance(word, str) for word in words_to_stop):
        raise ValueError("stop_words holds what is no word")
    try:
        vectorizer.build_analyzer()
    except re.error as error:
        raise ValueError(f"token_pattern is no regular expression: {error}") from error
    vocabulary = vars(vectorizer).get("vocabulary_")
    if vocabulary is None:
        return
    if type(vocabulary) is not dict or not all(isinstance(word, str) for word in vocabulary):
        raise ValueError("vocabulary_ does not map words")
    columns = vocabulary.values()
    if not all(isinstance(column, Integral) for column in columns):
        raise ValueError("vocabulary_ does not map words to numbers")
    if not vocabulary or sorted(columns) != list(range(len(vocabulary))):
        raise ValueError("vocabulary_ does not number its words from 0 on")


def check_tfidf_vectorizer(vectorizer: Any) -> None:
    """Refuse word weights that are not those of the vocabulary."""
    check_vectorizer(vectorizer)
    if hasattr(vectorizer, "vocabulary_"):
        weights = vectorizer._tfidf
        if getattr(weights, "n_features_in_", None) != len(vectorizer.vocabulary_):
            raise ValueError("_tfidf and vocabulary_ differ in length")
        if not hasattr(weights, "transform"):
            raise ValueError("_tfidf is no transformer")


def check_tfidf(transformer: Any) -> None:
    """Refuse a transformer that has not learned the weights that it is to use."""
    fitted = hasattr(transformer, "n_features_in_")
    if fitted and transformer.use_idf and not hasattr(transformer, "idf_"):
        raise ValueError("idf_ is missing")


def check_pipeline(pipeline: Any) -> None:
    """Refuse steps that do not fit into each other."""
    pipeline._validate_steps()
    if _is_fitted(pipeline):
        _check_chain([step for _, step in pipeline.steps])


def check_one_vs_one(classifier: Any) -> None:
    """Refuse pairs of classes that are missing, or that do not decide between 0 and 1."""
    attributes = vars(classifier)
    if "estimators_" not in attributes:
        return
    check_labels(attributes.get("classes_"))
    n_classes, pairs = len(classifier.classes_), classifier.estimators_
    if type(pairs) not in (list, tuple) or len(pairs) != n_classes * (n_classes - 1) // 2:
        raise ValueError(f"estimators_ are not the pairs of {n_classes} classes")
    if attributes.get("pairwise_indices_", ()) is not None:
        raise ValueError("pairwise_indices_ is there: pairs of precomputed kernels cannot be kept")
    for pair in pairs:
        Part("predict").check(pair, Sizes())
        Part("decision_function").check(pair, Sizes())
        if not np.array_equal(pair.classes_, [0, 1]):
            raise ValueError("estimators_ has one that does not decide between 0 and 1")
        if pair.n_features_in_ != attributes.get("n_features_in_"):
            raise ValueError("estimators_ has one that wants other features")


def check_inner_model(classifier: Any) -> None:
    """Refuse a model within that knows other classes or other features."""
    if hasattr(classifier, "model_"):
        if not np.array_equal(classifier.classes_, classifier.model_.classes_):
            raise ValueError("classes_ are not those of model_")
        if classifier.n_features_in_ != classifier.model_.n_features_in_:
            raise ValueError("model_ wants other features")


def check_semantic_kernel(kernel: Any) -> None:
    """Refuse a kernel with neither or both of the ways to its features."""
    if hasattr(kernel, "document_similarity_"):
        attributes = vars(kernel)
        if (attributes.get("_projection") is None) == (attributes.get("_lacking") is None):
            raise ValueError("one of _projection and _lacking must be there, the other None")


def check_semantic_svc(classifier: Any) -> None:
    """Refuse a kernel and a machine that do not fit into each other."""
    if hasattr(classifier, "model_"):
        _check_chain([classifier.kernel_, classifier.model_])
        if classifier.n_features_in_ != classifier.kernel_.n_features_in_:
            raise ValueError("kernel_ wants other features")
        if len(classifier._center) != classifier.model_.n_features_in_:
            raise ValueError("_center is not that of the features of model_")
        if not np.array_equal(classifier.classes_, classifier.model_.classes_):
            raise ValueError("classes_ are not those of model_")


def _check_chain(steps: list[Any]) -> None:
    """Refuse a step that was not fitted, or wants another number of columns than it gets."""
    steps = [step for step in steps if step is not None and step != "passthrough"]
    width = None
    for position, step in enumerate(steps, start=1):
        if type(step).__module__.partition(".")[0] in ("honeybayes", "sklearn"):
            check_is_fitted(step)
        wanted = getattr(step, "n_features_in_", width)
        if width is not None and wanted != width:
            raise ValueError(f"step {position} wants {wanted} columns, but gets {width}")
        if position < len(steps) and hasattr(step, "get_feature_names_out"):
            names = step.get_feature_names_out()
            width = None if names is None else len(names)


def _is_fitted(estimator: Any) -> bool:
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True
