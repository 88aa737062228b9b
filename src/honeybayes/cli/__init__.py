"""The command line: one file a command, each a thin layer over the library."""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``honeybayes`` with the arguments of the process, or with others.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the name of the program.
    """
    try:
        import typer  # noqa: F401
    except ImportError as error:
        sys.exit(
            f"honeybayes: error: the command line needs a package that is not installed ({error}). "
            "Install it with: pip install 'honeybayes[cli]'"
        )
    # Sparse work gains nothing from more, and on busy cores they wait for each other.
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from honeybayes.cli._app import app
    from honeybayes.cli._errors import run

    run(app, sys.argv[1:] if arguments is None else arguments)
