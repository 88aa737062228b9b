"""Errors and warnings of honeybayes."""


class ModelFileError(ValueError):
    """A model file cannot be loaded, or a model cannot be saved to one; the message says why."""


class NoPathWarning(UserWarning):
    """A class has no path of the requested order, so a shorter one was used for all classes."""


class FewDocumentsWarning(UserWarning):
    """A class has only one document to learn from."""
