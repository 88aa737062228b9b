"""The allow-list: everything that a model file may hold unless the user vouches for more.

An object of a class is allowed together with the check of what it holds, because compiled code
follows the indices of an array without looking where they lead. To allow one more estimator, add
its class to `OBJECTS` with the arrays that its ``fit`` leaves.

Left out on purpose, among what scikit-learn offers for text:

- trees and forests, gradient boosting, KDTree and BallTree: nodes that point to each other by raw
  numbers;
- SVR, NuSVC and OneClassSVM: nobody has needed them; SVC is allowed, see `_libsvm`;
- functions, but for scores of terms: what they do when called is not known here.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from honeybayes import term_scores
from honeybayes.files._estimators import (
    Estimator,
    check_by_building,
    check_count_rule,
    check_inner_model,
    check_neighbors,
    check_one_vs_one,
    check_pipeline,
    check_semantic_kernel,
    check_semantic_svc,
    check_tfidf,
    check_tfidf_vectorizer,
    check_tree,
    check_vectorizer,
    check_weighted_terms,
    check_word_clusters,
)
from honeybayes.files._fitted import (
    Fitted,
    Numbers,
    OneOf,
    Part,
    Positions,
    Positive,
    SparseColumns,
    Whole,
)
from honeybayes.files._libsvm import check_libsvm
from honeybayes.utils.state import check_state

BY_CLASS, BY_TERM, BY_BOTH = ("classes",), ("features",), ("classes", "features")
EITHER_FLOAT = ("float64", "float32")
INTEGER_OR_FLOAT = ("int64", "float64")
ZERO_OR_MORE = np.nextafter(0, -1)  # as a bound below, for numbers that must be above it

# log 0 is the prior of a class that was announced, but has had no document
LOG_PRIOR = Numbers(BY_CLASS, above=None)

BINARY_EVENTS: dict[str, Fitted] = {
    "class_log_prior_": LOG_PRIOR,
    "feature_log_prob_": Numbers(BY_BOTH),
    "feature_log_absence_prob_": Numbers(BY_BOTH),
    "_log_odds": Numbers(("features", "classes")),
    "_empty_score": LOG_PRIOR,
}
COUNTS: dict[str, Fitted] = {
    "_rule": OneOf(("multinomial", "complement", "one-vs-rest")),
    "_alpha": Positive(),
    "class_count_": Numbers(BY_CLASS, INTEGER_OR_FLOAT),
    "class_log_prior_": Numbers(BY_CLASS),
    "complement_log_prior_": Numbers(BY_CLASS),
}
LINEAR_COUNTS: dict[str, Fitted] = {
    **COUNTS,
    "feature_count_": Numbers(BY_BOTH, INTEGER_OR_FLOAT),
    "feature_log_prob_": Numbers(BY_BOTH, optional=True),
    "complement_feature_log_prob_": Numbers(BY_BOTH, optional=True),
}
WEIGHTED_TERMS: dict[str, Fitted] = {
    **LINEAR_COUNTS,
    "_class_table": Numbers(("features", "classes"), optional=True),
    "_complement_table": Numbers(("features", "classes"), optional=True),
}
PAIRS: dict[str, Fitted] = {
    **COUNTS,
    "parent_weights_": Numbers(BY_TERM, above=ZERO_OR_MORE),
    "_training": SparseColumns(("documents", "features")),
    "_label": Positions(("documents",), below="classes"),
    "_total": Numbers((2, "features", "classes"), above=0),
    "_log_prob": Numbers((2, "features", "classes")),
}
SKLEARN_BAYES: dict[str, Fitted] = {
    "class_log_prior_": LOG_PRIOR,
    "class_count_": Numbers(BY_CLASS),
    "feature_count_": Numbers(BY_BOTH),
    "feature_log_prob_": Numbers(BY_BOTH, above=None),
}
LINEAR: dict[str, Fitted] = {
    "coef_": Numbers(("margins", "features"), EITHER_FLOAT),
    "intercept_": Numbers(("margins",), EITHER_FLOAT, or_number=True),
}
LIBSVM: dict[str, Fitted] = {
    "support_": Numbers(("vectors",), ("int32",), above=-1),
    "_n_support": Numbers(BY_CLASS, ("int32",), above=-1),
    "class_weight_": Numbers(BY_CLASS),
    "intercept_": Numbers(("pairs",)),
    "_intercept_": Numbers(("pairs",)),
    "_num_iter": Numbers(("pairs",), ("int32",)),
    "n_iter_": Numbers(("pairs",), ("int32",)),
    "fit_status_": Whole(),
}
THRESHOLD = Numbers((), optional=True, or_number=True)
PENALTIES = Numbers(("pairs",), above=0, or_number=True)

OBJECTS: dict[str, Callable[[Any], None]] = {
    "honeybayes.bayes.smoothed_bernoulli.SmoothedBernoulliNB": Estimator(
        {
            **BINARY_EVENTS,
            "feature_count_": Numbers(BY_BOTH, INTEGER_OR_FLOAT),
            "class_count_": Numbers(BY_CLASS, INTEGER_OR_FLOAT),
        }
    ),
    "honeybayes.bayes.higher_order.HigherOrderNB": Estimator(
        {
            **BINARY_EVENTS,
            "path_count_": Numbers(BY_BOTH, INTEGER_OR_FLOAT),
            "total_paths_": Numbers(BY_CLASS, INTEGER_OR_FLOAT),
            "order_": Whole(),
            "pure_": OneOf(("class", "corpus"), optional=True),
        }
    ),
    "honeybayes.bayes.higher_order_smoothing.HigherOrderSmoothingNB": Estimator(
        {**BINARY_EVENTS, "label_path_count_": Numbers(BY_BOTH, INTEGER_OR_FLOAT)}
    ),
    "honeybayes.bayes.count.CountNB": Estimator(LINEAR_COUNTS, check_count_rule),
    "honeybayes.bayes.association_weighted.AssociationWeightedNB": Estimator(
        WEIGHTED_TERMS, check_weighted_terms
    ),
    "honeybayes.bayes.feature_selected.FeatureSelectedNB": Estimator(
        {
            **WEIGHTED_TERMS,
            "scores_": Numbers(BY_TERM),
            "shares_": Numbers(("shares",)),
            "leave_one_out_accuracy_": Numbers(("shares",)),
            "share_": Numbers((), or_number=True),
            "support_": Numbers(BY_TERM, ("bool",)),
        },
        check_weighted_terms,
    ),
    "honeybayes.bayes.feature_weighted.FeatureWeightedNB": Estimator(
        {**WEIGHTED_TERMS, "feature_weights_": Numbers(BY_TERM, above=ZERO_OR_MORE)},
        check_weighted_terms,
    ),
    "honeybayes.bayes.instance_weighted.InstanceWeightedNB": Estimator(
        {
            **LINEAR_COUNTS,
            "n_iter_": Whole(),
            "loss_curve_": Numbers(("rounds",)),
            "validation_scores_": Numbers(("tried",), optional=True),
            "instance_weights_": Numbers(("documents",), above=ZERO_OR_MORE),
        },
        check_count_rule,
    ),
    "honeybayes.bayes.hidden.HiddenNB": Estimator(PAIRS),
    "honeybayes.bayes.structure_extended.StructureExtendedNB": Estimator(PAIRS),
    "honeybayes.vectors.higher_order_transformer.HigherOrderTransformer": Estimator(
        {
            "present_": Numbers(BY_TERM),
            "absent_": Numbers(BY_TERM),
            "order_": Whole(),
            "_absent": OneOf(("exact", "shifted")),
            "_binarize": THRESHOLD,
        }
    ),
    "honeybayes.vectors.higher_order_svc.HigherOrderSVC": Estimator(
        {"model_": Part("decision_function"), "C_": PENALTIES, "_binarize": THRESHOLD},
        check_inner_model,
    ),
    "honeybayes.vectors.tuned_svc.TunedSVC": Estimator(
        {"model_": Part("decision_function"), "C_": PENALTIES, "_binarize": THRESHOLD},
        check_inner_model,
    ),
    "honeybayes.vectors.iterative_kernel.IterativeHigherOrderKernel": Estimator(
        {
            "document_similarity_": Numbers(("documents", "documents")),
            "_weights": SparseColumns(("documents", "features")),
            "_projection": Numbers(("documents", "components"), optional=True),
            "_lacking": Numbers(BY_TERM, optional=True),
            "_normalize": OneOf(("length",), optional=True),
        },
        check_semantic_kernel,
    ),
    "honeybayes.vectors.semantic_svc.SemanticSVC": Estimator(
        {
            "kernel_": Part("similar_terms"),
            "_center": Numbers(("components",)),
            "model_": Part("decision_function"),
            "C_": Numbers((), above=0, or_number=True),
        },
        check_semantic_svc,
    ),
    "honeybayes.vectors.lsi_neighbors.LSIKNeighborsClassifier": Estimator(
        {
            "components_": Numbers(("components", "features")),
            "singular_values_": Numbers(("components",), above=ZERO_OR_MORE),
            "_documents": Numbers(("documents", "components")),
            "_label": Positions(("documents",), below="classes"),
            "_leak": Numbers(BY_CLASS, above=0),
            "_n_neighbors": Whole(),
        }
    ),
    "honeybayes.bayes.locally_weighted.LocallyWeightedNB": Estimator(
        {
            **COUNTS,
            "_training": SparseColumns(("documents", "features")),
            "_label": Positions(("documents",), below="classes"),
            "_length": Numbers(("documents",), above=ZERO_OR_MORE),
            "_norm": Numbers(("documents",), above=ZERO_OR_MORE),
            "_n_neighbors": Whole(),
            "_weights": OneOf(("similarity", "uniform")),
        },
        check_neighbors,
    ),
    "honeybayes.bayes.tree.TreeNB": Estimator(
        {
            **COUNTS,
            "split_term_": Positions(("nodes",), below="features", lowest=-1),
            "split_gain_": Numbers(("nodes",)),
            "child_with_": Positions(("nodes",), below="nodes", lowest=-1),
            "child_without_": Positions(("nodes",), below="nodes", lowest=-1),
            "node_class_count_": Numbers(("nodes", "classes"), above=ZERO_OR_MORE),
            "_leaf_length": Numbers(("nodes", "classes"), above=ZERO_OR_MORE),
            "_leaf_term": Numbers(("leaf terms",), ("int64",), above=-1),
            "_leaf_count": Numbers(("leaf terms", "classes"), above=ZERO_OR_MORE),
        },
        check_tree,
    ),
    "honeybayes.bayes.word_cluster.WordClusterNB": Estimator(
        {
            **COUNTS,
            "feature_count_": Numbers(("classes", "clusters")),
            "feature_log_prob_": Numbers(("classes", "clusters"), optional=True),
            "complement_feature_log_prob_": Numbers(("classes", "clusters"), optional=True),
            "cluster_labels_": Positions(BY_TERM, below="clusters", lowest=-1),
            "information_kept_": Numbers((), or_number=True),
        },
        check_word_clusters,
    ),
    "honeybayes.semisupervised.few_labels.FewLabelsClassifier": Estimator(
        {
            "idf_": Numbers(BY_TERM, above=0),
            "_weights": Numbers(("features", "classes")),
            "_offsets": Numbers(BY_CLASS),
            "second_opinion_share_": Numbers((), or_number=True),
            "sharpness_": Numbers((), above=0, or_number=True),
            "objective_": Numbers(("stages",)),
            "guess_change_": Numbers(("rounds",)),
        }
    ),
    "honeybayes.calibration.TemperatureScaledClassifier": check_state,
    "honeybayes.classifier.TextClassifier": check_state,
    "honeybayes.model_choice.AutoClassifier": check_state,
    "honeybayes.text.vectorizer.TextVectorizer": check_state,
    "honeybayes.text._analyzer.TextAnalyzer": check_by_building,
    "honeybayes.text._headers.HeaderFilter": check_state,
    "honeybayes.text._selection.TermSelector": check_state,
    "sklearn.pipeline.Pipeline": Estimator(also=check_pipeline),
    "sklearn.feature_extraction.text.CountVectorizer": Estimator(also=check_vectorizer),
    "sklearn.feature_extraction.text.TfidfVectorizer": Estimator(also=check_tfidf_vectorizer),
    "sklearn.feature_extraction.text.TfidfTransformer": Estimator(
        {"idf_": Numbers(BY_TERM, EITHER_FLOAT, optional=True)}, check_tfidf
    ),
    "sklearn.preprocessing._data.Normalizer": Estimator(),
    "sklearn.feature_selection._univariate_selection.SelectKBest": Estimator(
        {
            "scores_": Numbers(BY_TERM, or_nan=True),  # of a term that never varies
            "pvalues_": Numbers(BY_TERM, optional=True, or_nan=True),
        }
    ),
    "sklearn.decomposition._truncated_svd.TruncatedSVD": Estimator(
        {"components_": Numbers(("components", "features"), EITHER_FLOAT)}
    ),
    "sklearn.naive_bayes.BernoulliNB": Estimator(SKLEARN_BAYES),
    "sklearn.naive_bayes.ComplementNB": Estimator(SKLEARN_BAYES),
    "sklearn.naive_bayes.MultinomialNB": Estimator(SKLEARN_BAYES),
    "sklearn.linear_model._logistic.LogisticRegression": Estimator(LINEAR),
    "sklearn.svm._classes.LinearSVC": Estimator(LINEAR),
    "sklearn.svm._classes.SVC": Estimator(LIBSVM, check_libsvm),
    "sklearn.multiclass.OneVsOneClassifier": Estimator(also=check_one_vs_one),
}

NUMPY_SCALARS = {
    f"numpy.{name}"
    for name in ("bool", "bool_", "float32", "float64", "int32", "int64", "str_", "uint8")
}

# By the way in which skops keeps them; what is not here cannot be in a file at all.
ALLOWED: dict[str, Collection[str]] = {
    "JsonNode": {"builtins.str"},  # so are numbers, booleans and None kept
    "DictNode": {"builtins.dict"},
    "ListNode": {"builtins.list"},
    "TupleNode": {"builtins.tuple"},
    "SetNode": {"builtins.set"},
    "ConstructorFromReduceNode": {"builtins.frozenset"},
    "NdArrayNode": {"numpy.ndarray", *NUMPY_SCALARS},
    "SparseMatrixNode": {
        f"scipy.sparse._{form}.{form}_{kind}"
        for form in ("csr", "csc")
        for kind in ("array", "matrix")
    },
    "TypeNode": {f"builtins.{name}" for name in ("bool", "float", "int", "str")} | NUMPY_SCALARS,
    "FunctionNode": {
        f"sklearn.feature_selection._univariate_selection.{name}" for name in ("chi2", "f_classif")
    }
    | {f"honeybayes.term_scores.{name}" for name in term_scores.__all__},
    "ObjectNode": OBJECTS.keys(),
}
