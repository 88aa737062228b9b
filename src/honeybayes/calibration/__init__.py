"""Calibrated confidence: a temperature and a doubt, measured on held-out documents."""

from honeybayes.calibration._reliability import (
    N_BINS,
    expected_calibration_error,
    reliability_bins,
)
from honeybayes.calibration._scores import class_scores
from honeybayes.calibration._temperature import (
    Calibration,
    calibrate_on,
    calibrated_proba,
    find_temperature,
    fit_temperature,
)
from honeybayes.calibration.coverage import (
    CoveragePoint,
    Interval,
    TargetThreshold,
    coverage_curve,
    find_threshold,
    prediction_sets,
    wilson_interval,
)
from honeybayes.calibration.temperature_scaled import (
    TemperatureScaledClassifier,
    held_out_of,
    scale_fitted,
)

__all__ = [
    "N_BINS",
    "Calibration",
    "CoveragePoint",
    "Interval",
    "TargetThreshold",
    "TemperatureScaledClassifier",
    "calibrate_on",
    "calibrated_proba",
    "class_scores",
    "coverage_curve",
    "expected_calibration_error",
    "find_temperature",
    "find_threshold",
    "fit_temperature",
    "held_out_of",
    "prediction_sets",
    "reliability_bins",
    "scale_fitted",
    "wilson_interval",
]

# model files name the class by this module
TemperatureScaledClassifier.__module__ = __name__
