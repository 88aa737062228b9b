"""Packages that only an extra installs."""

from importlib import import_module
from typing import Any


def import_optional(module: str, extra: str) -> Any:
    """Import a module, or raise ImportError with the command that installs it.

    Parameters
    ----------
    module : str
        Full name of the module.
    extra : str
        The extra of honeybayes that installs it.

    Returns
    -------
    module
    """
    package = module.partition(".")[0]
    try:
        import_module(package)
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"This needs {package}, which could not be imported ({error}). "
            f"Install it with: pip install 'honeybayes[{extra}]'"
        ) from error
