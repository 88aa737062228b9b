"""Commands whose help is drawn in colors, without the gate: it holds no text of others."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from honeybayes.cli._streams import without_gate


class _Help:
    def format_help(self, *arguments: Any) -> None:
        with without_gate():
            super().format_help(*arguments)  # type: ignore[misc]


class Command(_Help, TyperCommand):
    """A command. In its help, a switch has no type."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for each in self.params:
            if getattr(each, "is_flag", False) and each.metavar is None:
                each.metavar = ""


class Group(_Help, TyperGroup):
    """A group of commands."""
