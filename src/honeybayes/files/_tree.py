"""The tree of a model file: how a model becomes JSON, and is built from it.

None, booleans, numbers, strings and lists are themselves in JSON. Every other value is a node, a
JSON object with a ``kind``; docs/model-files.md lists the kinds. A node never refers to another
node, because with references a small file could describe a huge object.

`build` gets a tree that is audited. It calls no function that a file names, and of the classes only
``__new__``, ``__setstate__``, and the constructors of containers.
"""

import copyreg
import json
import math
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from importlib import import_module
from operator import index, itemgetter
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from honeybayes.exceptions import ModelFileError
from honeybayes.files._allowed import SCALARS, SPARSE, full_name, is_allowed
from honeybayes.utils.state import check_sparse_format

MAX_DEPTH = 64
LONGEST_KEY, LONGEST_PATH = 40, 300  # in a message
# What set_fit_request and the like leave, and an address in the memory of a process.
LEFT_OUT = ("_metadata_request", "_stop_words_id")
CONTAINERS: dict[str, type] = {each.__name__: each for each in (list, tuple, set, frozenset, dict)}
CONTENTS: dict[str, Any] = {
    **dict.fromkeys([*CONTAINERS, "pairs", "objects", "sparse"], list),
    "dict": dict,
    "array": str,
    "scalar": bool | int | float | str,
    **dict.fromkeys(["type", "function"], type(None)),
    "object": object,
}
NAMED = ("scalar", "sparse", "type", "function", "object")
Place = tuple[Any, str | int]  # the place of the parent, and a key or position


def path_of(place: Place | None) -> str:
    """Return a place in the model as text. It is only written for messages: keys may be long."""
    keys = []
    while place is not None:
        place, key = place
        keys.append(f"[{key}]" if isinstance(key, int) else f".{key[:LONGEST_KEY]}")
    path = "model" + "".join(reversed(keys))
    return path if len(path) <= LONGEST_PATH else f"{path[:LONGEST_PATH]}..."


# --- from a model to a tree -----------------------------------------------------------------------


@dataclass
class Writer:
    """Describe a model as a tree.

    ``arrays`` are its members, ``to_trust`` are the names that a reader has to trust.
    """

    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    to_trust: set[str] = field(default_factory=set)

    def describe(self, value: Any, place: Place | None = None) -> Any:
        """Return the JSON value of an object; raise ModelFileError if it cannot be in a file."""
        if isinstance(value, np.generic) and np.dtype(type(value)).name in SCALARS:
            return {"kind": "scalar", "name": np.dtype(type(value)).name, "content": value.item()}
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if type(value) is np.ndarray and value.dtype == object:
            content = self.describe([list(value.shape), [*value.flat]], place)
            return {"kind": "objects", "content": content}
        if type(value) is np.ndarray:
            member = f"{len(self.arrays)}.npy"
            self.arrays[member] = value
            return {"kind": "array", "content": member}
        if sparse.issparse(value) and type(value).__name__ in SPARSE:
            parts = [list(value.shape), value.data, value.indices, value.indptr]
            content = self.describe(parts, place)
            return {"kind": "sparse", "name": type(value).__name__, "content": content}
        if isinstance(value, dict | list | tuple | set | frozenset):
            [kind] = [kind for kind, cls in CONTAINERS.items() if isinstance(value, cls)]
            if not isinstance(value, dict):
                content = [self.describe(part, (place, n)) for n, part in enumerate(value)]
            elif set(map(type, value)) <= {str}:
                content = {key: self.describe(part, (place, key)) for key, part in value.items()}
            else:
                kind, content = "pairs", self.describe([*map(list, value.items())], place)
            if isinstance(value, set | frozenset):
                content.sort(key=json.dumps)  # the order of a set differs between processes
            if type(value) is list:
                return content
            if type(value) in CONTAINERS.values():
                return {"kind": kind, "content": content}
            return self._named(kind, type(value), place) | {"content": content}
        if isinstance(value, type):
            return self._named("type", value, place)
        if callable(value) and hasattr(value, "__name__"):
            return self._named("function", value, place)
        cls = type(value)
        own_way = cls.__reduce__ is not object.__reduce__ or cls in copyreg.dispatch_table
        is_data = isinstance(value, np.generic | np.ndarray) or sparse.issparse(value)
        if own_way or is_data or cls.__reduce_ex__ is not object.__reduce_ex__:
            raise ModelFileError(
                f"{path_of(place)} is a {full_name(cls)}, which a model file cannot hold."
            )
        state = value.__getstate__()
        if isinstance(value, BaseEstimator):
            if hasattr(cls, "attributes_to_save"):
                state = value.attributes_to_save()
            state = {name: part for name, part in state.items() if name not in LEFT_OUT}
            if "n_jobs" in state:  # belongs to the machine, not to the model
                state["n_jobs"] = None
            if type(terms := state.get("vocabulary_")) is dict:  # in the order of the texts
                columns = sorted(terms.items(), key=itemgetter(1))
                state["vocabulary_"] = {term: index(column) for term, column in columns}
            if isinstance(pattern := state.get("token_pattern"), str):
                self.to_trust.add(pattern)
        node = self._named("object", cls, place)
        return node | {"content": self.describe(state, place)}

    def _named(self, kind: str, named: Any, place: Place | None) -> dict[str, Any]:
        """Return a node for a class or function, which must be allowed or importable."""
        name = full_name(named)
        if not is_allowed(kind, name):
            module, _, attribute = name.rpartition(".")
            found = getattr(sys.modules.get(module), attribute, None)
            if found is not named or name.startswith("builtins."):
                raise ModelFileError(
                    f"{path_of(place)} is {name}, which cannot be imported. Define the function or "
                    "class at the top level of a module."
                )
            self.to_trust.add(name)
        return {"kind": kind, "name": name}


# --- from a tree to a model -----------------------------------------------------------------------


def audit(tree: Any, trusted: Collection[str]) -> tuple[list[str], bool]:
    """Return the members that a tree needs, and whether any name in it is only trusted.

    Raise ModelFileError if a node is not as it should be, or a name is neither allowed nor trusted.
    """
    members: dict[str, None] = {}
    foreign: dict[str, str] = {}  # names with the first place of each

    def visit(value: Any, place: Place | None, depth: int) -> None:
        """Check a node before the nodes in it."""
        wrong, parts, kind = "", value, None
        if isinstance(value, dict):
            kind, name, parts = value.get("kind"), value.get("name"), value.get("content")
            if not isinstance(kind, str) or kind not in CONTENTS:
                wrong = f"has the unknown kind {kind!r}"
            elif not isinstance(parts, CONTENTS[kind]):
                wrong = f"has a wrong content for the kind {kind}"
            elif kind == "array" and parts in members:
                wrong = "has no array of its own"  # a small file could ask for a large array often
            elif not isinstance(name, str) and (name is not None or kind in NAMED):
                wrong = "has no name"
            elif name is not None and name not in foreign and not is_allowed(kind, name):
                foreign[name] = path_of(place)
        if depth > MAX_DEPTH:
            wrong = "is nested too deeply"
        if wrong:
            raise ModelFileError(f"{path_of(place)} {wrong}.")
        if kind == "array":
            members[parts] = None
        elif isinstance(parts, dict | list) and parts is not value and kind != "dict":
            visit(parts, place, depth + 1)
        elif isinstance(parts, dict | list):
            for key, part in parts.items() if isinstance(parts, dict) else enumerate(parts):
                if isinstance(part, dict | list):
                    visit(part, (place, key), depth + 1)

    visit(tree, None, 0)
    refused = [
        f"{name} (at {path})" for name, path in sorted(foreign.items()) if name not in trusted
    ]
    if refused:
        raise ModelFileError(
            f"it contains types that are not allowed: {', '.join(refused)}. If you know and trust "
            "them, pass their names as trusted."
        )
    return list(members), bool(foreign)


def build(node: Any, arrays: dict[str, np.ndarray]) -> Any:
    """Build the value of an audited node; ``arrays`` are the members of the archive."""
    if isinstance(node, list):
        return [build(part, arrays) for part in node]
    if not isinstance(node, dict):
        return node
    name: Any = node.get("name")
    content: Any = node.get("content")
    match node["kind"]:
        case "array":
            return arrays[content]
        case "scalar":
            return SCALARS[name](content)
        case "type" | "function" as kind:
            return _find(name, object if kind == "type" else None)
        case "object":
            cls, state = _find(name, object), build(content, arrays)
            instance = cls.__new__(cls)
            if state is not None and hasattr(instance, "__setstate__"):
                instance.__setstate__(state)
            elif state is not None:
                vars(instance).update(state)
            return instance
        case "objects":
            shape, items = build(content, arrays)
            if math.prod(max(side, 1) for side in shape) > max(len(items), 1):
                raise ModelFileError(f"an array of {len(items)} objects has the shape {shape}.")
            array = np.empty(len(items), dtype=object)
            for position, item in enumerate(items):
                array[position] = item
            return array.reshape(shape)
        case "sparse":
            shape, *parts = build(content, arrays)
            kinds = [part.dtype.kind for part in parts]
            if kinds[0] not in "biuf" or kinds[1:] != ["i", "i"]:
                raise ModelFileError(
                    "a sparse matrix has an array of a type that is not allowed there."
                )
            matrix = SPARSE[name](tuple(parts), shape=tuple(shape))
            check_sparse_format(matrix)
            return matrix
        case "dict" | "pairs" as kind:
            whole = _find(name, dict)()
            if kind == "dict":
                whole.update({key: build(part, arrays) for key, part in content.items()})
            else:
                pairs = build(content, arrays)
                _check_keys([key for key, _ in pairs])
                whole.update(dict(pairs))  # a Counter would count the pairs
            return whole
        case kind:
            parts, cls = build(content, arrays), _find(name, CONTAINERS[kind])
            if kind in ("set", "frozenset"):
                _check_keys(parts)
            return cls(*parts) if hasattr(cls, "_fields") else cls(parts)


def _find(name: str | None, base: type | None = None) -> Any:
    """Return what a name stands for: ``base`` or a subclass, or a function if there is no base."""
    if name is None:
        return base
    module, _, attribute = name.rpartition(".")
    found = getattr(import_module(module), attribute)
    is_expected = callable(found) and not isinstance(found, type)
    if base is not None:
        is_expected = isinstance(found, type) and issubclass(found, base)
    if not is_expected:
        expected = "function" if base is None else f"subclass of {base.__name__}"
        raise ModelFileError(f"{name} is not a {expected}.")
    return found


def _check_keys(keys: list[Any]) -> None:
    """Raise ModelFileError for keys that could have equal hashes: a million would take hours."""
    for key in keys:
        is_long = isinstance(key, int) and not -(2**63) <= key < 2**63
        if is_long or not isinstance(key, bool | int | float | str | np.generic | None):
            raise ModelFileError(
                "a key of a dict or a member of a set is neither a string nor a number of 64 bits, "
                f"but a {type(key).__name__}."
            )
