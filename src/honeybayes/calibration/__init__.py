"""Calibrated confidence: a temperature and a doubt, measured on held-out documents."""

from honeybayes.calibration.coverage import (
    CoveragePoint,
    Interval,
    TargetThreshold,
    coverage_curve,
    expected_calibration_error,
    find_threshold,
    prediction_sets,
    wilson_interval,
)
from honeybayes.calibration.temperature_scaled import TemperatureScaledClassifier

__all__ = [
    "CoveragePoint",
    "Interval",
    "TargetThreshold",
    "TemperatureScaledClassifier",
    "coverage_curve",
    "expected_calibration_error",
    "find_threshold",
    "prediction_sets",
    "wilson_interval",
]

# model files name the class by this module
TemperatureScaledClassifier.__module__ = __name__
