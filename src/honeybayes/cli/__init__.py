"""The ``honeybayes`` command: one module per command, each a thin layer over the library."""

import os
import sys


def main() -> None:
    """Run the command in ``sys.argv``, and exit."""
    # Sparse matrices gain nothing from more threads, which only wait for each other.
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    from honeybayes.cli._app import app, command_line

    with command_line() as arguments:
        sys.exit(app(args=arguments, prog_name="honeybayes", standalone_mode=False))
