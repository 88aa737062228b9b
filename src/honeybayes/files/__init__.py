"""Model files: save, check and load, without pickle."""

from honeybayes.files._error import ModelFileError
from honeybayes.files._loading import load_model
from honeybayes.files._saving import save_model

__all__ = ["ModelFileError", "load_model", "save_model"]
