"""Errors and warnings of honeybayes."""


class ModelFileError(ValueError):
    """A model file cannot be loaded, or a model cannot be saved. The message says why."""


class MissingColumnError(ValueError):
    """A table has no column with a name that it must have."""

    column = ""


class NoPathWarning(UserWarning):
    """A class has no path of the requested order, so a lower order was used for all classes."""


class FewDocumentsWarning(UserWarning):
    """A class has only one document to learn from.

    Examples
    --------
    >>> import warnings
    >>> from honeybayes import FewDocumentsWarning, NoPathWarning, TextClassifier
    >>> with warnings.catch_warnings():
    ...     for kind in (FewDocumentsWarning, NoPathWarning):
    ...         warnings.simplefilter("ignore", kind)
    ...     classifier = TextClassifier("HONB").fit(["late parcel", "bill"], ["a", "b"])
    """
