"""The schema of a model file: the tree of objects as JSON, in the form of skops.

A file may contain plain Python and numpy values, the classes of `SKLEARN_CLASSES`, and every class
of honeybayes that declares its state. All other types must be named as trusted by the user.

A node never refers to another node, because with references a small file could describe a huge
object.
"""

import json
from collections.abc import Collection, Iterator
from typing import Any

from honeybayes.exceptions import ModelFileError
from honeybayes.files._sklearn_classes import SKLEARN_CLASSES, SKLEARN_FUNCTIONS
from honeybayes.text import term_scores
from honeybayes.utils.discovery import storable_class

MAX_DEPTH = 64
# The nodes that hold plain values. The nodes for estimators and other objects are
# ObjectNode; nodes of any other kind are refused.
NUMPY_SCALARS = {
    f"numpy.{name}"
    for name in ("bool", "bool_", "float32", "float64", "int32", "int64", "str_", "uint8")
}
PLAIN: dict[str, Collection[str]] = {
    "JsonNode": {"builtins.str"},  # also numbers, booleans and None
    "DictNode": {"builtins.dict"},
    "ListNode": {"builtins.list"},
    "TupleNode": {"builtins.tuple"},
    "SetNode": {"builtins.set"},
    "ConstructorFromReduceNode": {"builtins.frozenset"},
    "NdArrayNode": {"numpy.ndarray", *NUMPY_SCALARS},
    "SparseMatrixNode": {
        f"scipy.sparse._{form}.{form}_{kind}"
        for form in ("csr", "csc")
        for kind in ("array", "matrix")
    },
    "TypeNode": {f"builtins.{name}" for name in ("bool", "float", "int", "str")} | NUMPY_SCALARS,
    "FunctionNode": {*SKLEARN_FUNCTIONS}
    | {f"honeybayes.text.term_scores.{name}" for name in term_scores.__all__},
}
CAN_BE_TRUSTED = {
    "DictNode",
    "FunctionNode",
    "ListNode",
    "ObjectNode",
    "SetNode",
    "TupleNode",
    "TypeNode",
}

Node = dict[str, Any]


def walk(schema: Node) -> Iterator[tuple[str, Node]]:
    """Yield the nodes of a schema from the root down, each with its path in the model."""
    stack = [("model", schema, 0)]
    while stack:
        path, node, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise ModelFileError(f"{path} is nested too deeply.")
        for key in ("__class__", "__module__", "__loader__"):
            if not isinstance(node, dict) or not isinstance(node.get(key), str):
                raise ModelFileError(f"{path} has no {key}.")
        yield path, node
        stack += [(inner, child, depth + 1) for inner, child in _children(path, node)]


def type_name(node: Node) -> str:
    """Return the full name of the type or function that a node stands for."""
    return f"{node['__module__']}.{node['__class__']}"


def array_form(node: Node) -> str | None:
    """Return "array", "scalar" or "sparse" if a node is stored in a member, otherwise None."""
    if node["__loader__"] == "SparseMatrixNode":
        return "sparse"
    if node["__loader__"] != "NdArrayNode" or node.get("type") == "json":
        return None
    return "array" if type_name(node) == "numpy.ndarray" else "scalar"


def is_allowed(node: Node) -> bool:
    """Return True if a node is allowed in a model file without being named as trusted."""
    loader, name = node["__loader__"], type_name(node)
    if loader == "ObjectNode":
        return name in SKLEARN_CLASSES or storable_class(name) is not None
    return name in PLAIN.get(loader, ())


def audit(schema: Node, trusted: Collection[str]) -> tuple[bool, dict[str, str]]:
    """Return whether any type is only trusted, and the members with arrays; see `array_form`.

    Raise ModelFileError if a type in the schema is neither allowed nor trusted.
    """
    has_foreign, arrays = False, {}
    refused: dict[str, str] = {}
    for path, node in walk(schema):
        name = type_name(node)
        if "__id__" in node:
            raise ModelFileError(f"{path} refers to another object.")
        if not is_allowed(node):
            has_foreign = True
            if name not in trusted or node["__loader__"] not in CAN_BE_TRUSTED:
                refused.setdefault(name, path)
        form = array_form(node)
        if form:
            member = node.get("file")
            if not isinstance(member, str) or member in arrays:
                raise ModelFileError(f"{path} has no array of its own.")
            arrays[member] = form
    if refused:
        names = ", ".join(f"{name} (at {path})" for name, path in sorted(refused.items()))
        raise ModelFileError(
            f"it contains types that are not allowed: {names}. If you know and trust them, "
            "pass their names as trusted."
        )
    return has_foreign, arrays


def _children(path: str, node: Node) -> Iterator[tuple[str, Any]]:
    content = node.get("content")
    match node["__loader__"]:
        case "DictNode":
            if "key_types" in node:  # otherwise all keys are strings
                yield f"{path} (keys)", node["key_types"]
            for key, value in _expect(dict, content, path).items():
                yield f"{path}.{key[:40]}", value
        case "ListNode" | "TupleNode" | "SetNode":
            for position, value in enumerate(_expect(list, content, path)):
                yield f"{path}[{position}]", value
        case "NdArrayNode" if array_form(node) is None:
            yield f"{path}.shape", node.get("shape")
            for position, value in enumerate(_expect(list, content, path)):
                yield f"{path}[{position}]", value
        case "ConstructorFromReduceNode":
            yield path, content
        case "ObjectNode" if content is not None:
            yield path, content
        case "JsonNode":
            if isinstance(json.loads(_expect(str, content, path)), dict | list):
                raise ModelFileError(f"{path} must be a single value.")


def _expect(kind: type, content: Any, path: str) -> Any:
    if not isinstance(content, kind):
        raise ModelFileError(f"{path} has no content of type {kind.__name__}.")
    return content
