"""The application: all commands under the name ``honeybayes``."""

import sys
from typing import Annotated

import typer

from honeybayes import __version__
from honeybayes.cli import data
from honeybayes.cli._options import Command, CommandGroup, described
from honeybayes.cli.check import check
from honeybayes.cli.compare import compare
from honeybayes.cli.demo import demo
from honeybayes.cli.doctor import doctor
from honeybayes.cli.evaluate import evaluate
from honeybayes.cli.explain import explain
from honeybayes.cli.fit import fit
from honeybayes.cli.label import label, open_page
from honeybayes.cli.models import models
from honeybayes.cli.predict import predict
from honeybayes.cli.simulate import simulate
from honeybayes.cli.sources import sources

app = typer.Typer(
    cls=CommandGroup,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def honeybayes(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Classify text from few labels.

    Without a command, the page opens: drop a table on it. Start with: honeybayes demo
    """
    if version:
        print(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        if not sys.stdout.isatty():  # a script that forgot the command must not wait forever
            print(context.get_help())
            raise typer.Exit
        open_page()


COMMANDS = (
    *(demo, label, sources, fit, predict, evaluate, check, compare, simulate, explain),
    *(models, doctor),
)
for command in COMMANDS:
    app.command(cls=Command)(described(command))
app.add_typer(data.app, name="data", cls=CommandGroup)
