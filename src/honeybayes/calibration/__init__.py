"""Calibrated confidence: a temperature and a doubt, measured on held-out documents."""

from honeybayes.calibration.coverage import CoveragePoint as CoveragePoint
from honeybayes.calibration.coverage import Interval as Interval
from honeybayes.calibration.coverage import TargetThreshold as TargetThreshold
from honeybayes.calibration.coverage import coverage_curve as coverage_curve
from honeybayes.calibration.coverage import expected_calibration_error as expected_calibration_error
from honeybayes.calibration.coverage import find_threshold as find_threshold
from honeybayes.calibration.coverage import prediction_sets as prediction_sets
from honeybayes.calibration.coverage import wilson_interval as wilson_interval
from honeybayes.calibration.temperature_scaled import (
    TemperatureScaledClassifier as TemperatureScaledClassifier,
)

# model files name the class by this module
TemperatureScaledClassifier.__module__ = __name__
