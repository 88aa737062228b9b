"""The one table of scikit-learn's estimator checks that are expected to fail, with reasons."""

from typing import Any

NO_WEIGHTS_ABOVE_ORDER_2 = "Paths of order 3 and above do not accept weights."
# class name, or repr of an estimator -> check name -> reason
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
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
}


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return the checks that an estimator is expected to fail, for `parametrize_with_checks`."""
    by_class = EXPECTED_FAILURES.get(type(estimator).__name__, {})
    return EXPECTED_FAILURES.get(repr(estimator), by_class)
