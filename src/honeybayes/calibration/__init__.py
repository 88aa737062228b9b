"""Calibrated confidence: a temperature and a doubt, measured on held-out documents."""

from honeybayes.calibration._temperature import Calibration as Calibration
from honeybayes.calibration._temperature import below_best as below_best
from honeybayes.calibration._temperature import calibrate_on as calibrate_on
from honeybayes.calibration._temperature import calibrated_proba as calibrated_proba
from honeybayes.calibration._temperature import class_scores as class_scores
from honeybayes.calibration._temperature import count_alone as count_alone
from honeybayes.calibration._temperature import doubt_of as doubt_of
from honeybayes.calibration._temperature import find_temperature as find_temperature
from honeybayes.calibration._temperature import soften as soften
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
from honeybayes.calibration.coverage import reliability_bins as reliability_bins
from honeybayes.calibration.temperature_scaled import TemperatureScaledClassifier
from honeybayes.calibration.temperature_scaled import held_out_of as held_out_of
from honeybayes.calibration.temperature_scaled import scale_fitted as scale_fitted

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
