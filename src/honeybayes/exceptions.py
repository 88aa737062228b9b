"""Warnings of honeybayes."""


class NoPathWarning(UserWarning):
    """A class has no path of the wanted order, so a shorter one was used for all classes."""


class FewDocumentsWarning(UserWarning):
    """A class has a single document to learn from."""
