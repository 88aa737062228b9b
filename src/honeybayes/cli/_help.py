"""Commands whose help is drawn in colors, without the gate: it holds no text of others."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from honeybayes.cli._streams import without_gate


class _Help:
    def format_help(self, *arguments: Any) -> None:
        with without_gate():
            super().format_help(*arguments)  # type: ignore[misc]


class Command(_Help, TyperCommand):
    """A command."""


class Group(_Help, TyperGroup):
    """A group of commands."""
