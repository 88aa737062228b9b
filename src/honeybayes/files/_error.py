"""The one error of model files."""


class ModelFileError(ValueError):
    """A model file is damaged, hostile, too new or not one; or a model cannot be kept in one."""
