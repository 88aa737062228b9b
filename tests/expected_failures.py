"""Checks of scikit-learn that an estimator is expected to fail: class -> check -> reason."""

EXPECTED_FAILURES: dict[str, dict[str, str]] = {}
