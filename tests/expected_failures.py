"""Checks of scikit-learn that an estimator is expected to fail: class -> check -> reason."""

from typing import Any

DEPENDS_ON_ORDER = (
    "Which documents are held out together depends on their number and order, so repeating a "
    "document is not the same as doubling its weight."
)
COUNTS_EVERY_TEXT = (
    "Only the model uses weights. The words of a text with weight 0 are terms too, and the "
    "temperature counts every text once."
)
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
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
    names = [cls.__name__ for cls in type(estimator).__mro__]
    return {
        check: reason for name in names for check, reason in EXPECTED_FAILURES.get(name, {}).items()
    }
