"""Model files: save and load models without pickle."""

from honeybayes.exceptions import ModelFileError
from honeybayes.files._archive import is_model_file as is_model_file
from honeybayes.files._models import check_model_path as check_model_path
from honeybayes.files._models import load_model, save_model

__all__ = ["ModelFileError", "load_model", "save_model"]
