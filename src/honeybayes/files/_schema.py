"""The inside of a model file: the tree of objects that skops keeps as JSON.

Skops trusts all estimators of scikit-learn and more. Here one allow-list says what may be in a
file, and only the few kinds of node below are read. Each node stands for itself: references from
one node to another, by which a small file could describe a huge object, are not used.
"""

import json
from collections.abc import Collection, Iterator
from typing import Any

from honeybayes.files._allowed import ALLOWED
from honeybayes.files._error import ModelFileError

MAX_DEPTH = 64
NAMED_BY_USER = {
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
    """Go through the nodes of a schema, from the root down, each with its place in the model."""
    stack = [("model", schema, 0)]
    while stack:
        place, node, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise ModelFileError(f"{place} is nested too deeply.")
        for key in ("__class__", "__module__", "__loader__"):
            if not isinstance(node, dict) or not isinstance(node.get(key), str):
                raise ModelFileError(f"{place} has no {key}.")
        yield place, node
        stack += [(inner, child, depth + 1) for inner, child in _children(place, node)]


def type_name(node: Node) -> str:
    """Full name of the type, or of the function, that a node stands for."""
    return f"{node['__module__']}.{node['__class__']}"


def array_form(node: Node) -> str | None:
    """Say how a node keeps an array in a member of its own: array, scalar or sparse; or not."""
    if node["__loader__"] == "SparseMatrixNode":
        return "sparse"
    if node["__loader__"] != "NdArrayNode" or node.get("type") == "json":
        return None
    return "array" if type_name(node) == "numpy.ndarray" else "scalar"


def audit(schema: Node, trusted: Collection[str]) -> tuple[set[str], dict[str, str]]:
    """Refuse types that are neither allowed nor trusted; list the others, and the arrays.

    Parameters
    ----------
    schema : dict
        As it stands in the file.
    trusted : collection of str
        Further names that the user vouches for.

    Returns
    -------
    set of str
        Names of types.
    dict of str to str
        Name and form of the members that hold arrays.
    """
    types, arrays = set(), {}
    refused: dict[str, str] = {}
    for place, node in walk(schema):
        loader, name = node["__loader__"], type_name(node)
        if "__id__" in node:
            raise ModelFileError(f"{place} refers to another object.")
        vouched_for = name in trusted and loader in NAMED_BY_USER
        if name not in ALLOWED.get(loader, ()) and not vouched_for:
            refused.setdefault(name, place)
        types.add(name)
        form = array_form(node)
        if form:
            member = node.get("file")
            if not isinstance(member, str) or member in arrays:
                raise ModelFileError(f"{place} has no array of its own.")
            arrays[member] = form
    if refused:
        names = ", ".join(f"{name} (at {place})" for name, place in sorted(refused.items()))
        raise ModelFileError(
            f"it holds what is not on the allow-list: {names}. If you know these types and trust "
            "them, pass their names as trusted."
        )
    return types, arrays


def _children(place: str, node: Node) -> Iterator[tuple[str, Any]]:
    content = node.get("content")
    match node["__loader__"]:
        case "DictNode":
            yield f"{place} (keys)", node.get("key_types")
            for key, value in _expect(dict, content, place).items():
                yield f"{place}.{key[:40]}", value
        case "ListNode" | "TupleNode" | "SetNode":
            for position, value in enumerate(_expect(list, content, place)):
                yield f"{place}[{position}]", value
        case "NdArrayNode" if array_form(node) is None:
            yield f"{place}.shape", node.get("shape")
            for position, value in enumerate(_expect(list, content, place)):
                yield f"{place}[{position}]", value
        case "ConstructorFromReduceNode":
            yield place, content
        case "ObjectNode" if content is not None:
            yield place, content
        case "JsonNode":
            if isinstance(json.loads(_expect(str, content, place)), dict | list):
                raise ModelFileError(f"{place} should be one value.")


def _expect(kind: type, content: Any, place: str) -> Any:
    if not isinstance(content, kind):
        raise ModelFileError(f"{place} has no content of type {kind.__name__}.")
    return content
