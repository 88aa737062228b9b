"""The one table of scikit-learn's estimator checks that are expected to fail, with reasons."""

from typing import Any

NO_WEIGHTS_ABOVE_ORDER_2 = "Paths of order 3 and above do not accept weights."
DEPENDS_ON_ORDER = (
    "Which documents are held out together depends on their number and order, so repeating a "
    "document is not the same as doubling its weight."
)
COUNTS_EVERY_TEXT = (
    "Only the model uses weights. The words of a text with weight 0 are terms too, and the "
    "temperature counts every text once."
)
COUNTS_COPIES_ONCE = (
    "Identical documents are merged and count once, so repeating a document is not the same as "
    "doubling its weight; a document with weight 0 still belongs to the pool."
)
# class name, or repr of an estimator -> check name -> reason
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "FewLabelsClassifier": {
        "check_sample_weight_equivalence_on_dense_data": COUNTS_COPIES_ONCE,
        "check_sample_weight_equivalence_on_sparse_data": COUNTS_COPIES_ONCE,
    },
    "HigherOrderNB(order=3)": dict.fromkeys(
        (
            "check_classifiers_one_label_sample_weights",
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
            "check_sample_weights_list",
            "check_sample_weights_not_an_array",
            "check_sample_weights_not_overwritten",
            "check_sample_weights_pandas_series",
            "check_sample_weights_shape",
        ),
        NO_WEIGHTS_ABOVE_ORDER_2,
    ),
    "TemperatureScaledClassifier": {
        "check_sample_weight_equivalence_on_dense_data": DEPENDS_ON_ORDER,
        "check_sample_weight_equivalence_on_sparse_data": DEPENDS_ON_ORDER,
    },
    "TextClassifier": {
        "check_sample_weight_equivalence_on_dense_data": COUNTS_EVERY_TEXT,
        "check_sample_weight_equivalence_on_sparse_data": COUNTS_EVERY_TEXT,
    },
}


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return the checks that an estimator is expected to fail, for `parametrize_with_checks`."""
    names = [repr(estimator), *(cls.__name__ for cls in type(estimator).__mro__)]
    return {
        check: reason for name in names for check, reason in EXPECTED_FAILURES.get(name, {}).items()
    }
