"""Which example a page of the reference shows: its own, or one that calls or returns the name."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import make_api

import honeybayes

GUIDE = sorted(Path(__file__).parents[1].glob("*.md"))


def public_names() -> dict[str, Any]:
    """Return classes and functions by full name; an object with two names has the first."""
    top = [name for name in honeybayes.__all__ if name not in honeybayes._ROOMS]
    places = [(honeybayes, top)]
    for room in make_api.MODULES:
        module = import_module(f"honeybayes.{room}")
        places.append((module, sorted(make_api.public_names(module))))
    found: dict[str, Any] = {}
    for module, names in places:
        for name in names:
            value = getattr(module, name)
            is_shown = inspect.isclass(value) or inspect.isroutine(value)
            if is_shown and not any(value is each for each in found.values()):
                found[f"{module.__name__}.{name}"] = value
    return found


def borrow_examples() -> dict[str, tuple[str, str] | None]:
    """Return, for each public name without an example, where one is found, and its text.

    It is that of a public name that calls or returns it, or a part of a page of the guide.
    """
    public = public_names()
    own = {name: text for name, value in public.items() if (text := _own_example(value))}
    blocks = [(f":py:obj:`{name}`", text) for name, text in own.items()]
    for page in GUIDE:
        parts = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        blocks += [(f":doc:`/docs/{page.stem}`", text) for text in parts]
    returned = {name: _words_returned(value) for name, value in public.items()}

    def find(name: str, seen: tuple[str, ...] = ()) -> tuple[str, str] | None:
        if name in own:
            return f":py:obj:`{name}`", own[name]
        short = name.rpartition(".")[2]
        # not only imported
        called = re.compile(rf"^\s*(>>>|\.\.\.) (?!from |import ).*\b{short}\b", re.MULTILINE)
        direct = (block for block in blocks if called.search(block[1]))
        givers = [each for each, words in returned.items() if short in words and each not in seen]
        through = (find(each, (*seen, name)) for each in givers if each != name)
        return next(direct, None) or next(filter(None, through), None)

    return {name: find(name) for name in public if name not in own}


def _own_example(value: Any) -> str:
    """Return the example of a docstring, or of a method."""
    methods = list(vars(value).values()) if inspect.isclass(value) else []
    for each in (value, *filter(callable, methods)):
        text = inspect.getdoc(each) or ""
        if ">>>" in text:
            return dedent(text.rpartition("Examples\n--------\n")[2])
    return ""


def _words_returned(value: Any) -> set[str]:
    """Return the names in the types that a function returns, or fields and methods of a class."""
    members: list[Any] = [value]
    fields: list[Any] = []
    if inspect.isclass(value):
        members = [getattr(each, "fget", each) for each in vars(value).values()]
        fields = list(inspect.get_annotations(value).values())
    types = [getattr(each, "__annotations__", {}).get("return") for each in members]
    return set(re.findall(r"\w+", " ".join(map(str, types + fields))))
