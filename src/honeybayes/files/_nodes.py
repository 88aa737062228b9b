"""The nodes of the schema: how a model becomes a tree of nodes, and is built from one.

A node is a JSON object that names a type and has a content, in the form of skops. Arrays are
members of the archive. Some attributes have many strings, which would be one node each: in a file,
an array that its class declares as `Strings`, and the vocabulary of a vectorizer of scikit-learn,
is one string with a JSON list.

`build` gets nodes that are audited. It calls no function that a file names, and of the classes only
``__new__`` and ``__setstate__``.
"""

import copyreg
import json
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from honeybayes.exceptions import ModelFileError
from honeybayes.files._archive import to_npy, to_npz
from honeybayes.files._schema import MAX_DEPTH, Node, is_allowed, type_name
from honeybayes.utils.state import Sizes, Strings, declares_state, string_attributes

METADATA_REQUEST = "_metadata_request"  # left by set_fit_request and the like
OF_THE_MACHINE = ("n_jobs",)  # parameters that say nothing about the model
VOCABULARIES = ("vocabulary_", "vocabulary")
HAVE_A_VOCABULARY = {
    f"sklearn.feature_extraction.text.{name}" for name in ("CountVectorizer", "TfidfVectorizer")
}
CONTAINERS = {"DictNode": dict, "ListNode": list, "TupleNode": tuple, "SetNode": set}
KEYS: dict[Any, Callable[[str], Any]] = {
    kind: kind for kind in (str, int, float, np.str_, np.int64, np.int32, np.float64)
}
KEYS |= {bool: "true".__eq__}  # keys of JSON are strings


def full_name(kind: Any) -> str:
    """Return module and name of a class or function."""
    return f"{kind.__module__}.{kind.__name__}"


# --- from a model to nodes ------------------------------------------------------------------------


class Writer:
    """Describe a model as nodes. ``arrays`` has the members, ``foreign`` the names to be trusted.

    Parts that only ``fit`` uses are left out, such as metadata requests. Of an encoder, only the
    name is described.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, bytes] = {}
        self.foreign: set[str] = set()

    def describe(self, value: Any, path: str = "model", depth: int = 0) -> Node:
        """Return the node of an object; raise ModelFileError if it cannot be in a file."""
        if depth > MAX_DEPTH:
            raise ModelFileError(f"{path} is nested too deeply.")
        if isinstance(value, np.ndarray | np.generic) or sparse.issparse(value):
            node = self._describe_array(value, path, depth)
        elif value is None or isinstance(value, bool | int | float | str):
            return _node("JsonNode", str, content=json.dumps(value))
        elif isinstance(value, dict | list | tuple | set | frozenset):
            node = self._describe_container(value, path, depth)
        elif isinstance(value, type):
            node = _node("TypeNode", value)
        elif callable(value) and hasattr(value, "__name__"):
            node = _node("FunctionNode", value)
        else:
            node = self._describe_object(value, path, depth)
        self._check_importable(node, value, path)
        return node

    def _describe_array(self, value: Any, path: str, depth: int) -> Node:
        is_sparse = sparse.issparse(value)
        node = _node("SparseMatrixNode" if is_sparse else "NdArrayNode", type(value))
        if value.dtype == object and not is_sparse:
            parts = self.describe(value.tolist(), path, depth)
            shape = self.describe(value.shape, path, depth)
            return node | {"type": "json", "content": parts.get("content"), "shape": shape}
        member = f"{len(self.arrays)}.{'npz' if is_sparse else 'npy'}"
        self.arrays[member] = b""  # the check below may refuse the type
        if is_allowed(node):
            self.arrays[member] = to_npz(value) if is_sparse else to_npy(value)
        return node | {"type": "scipy" if is_sparse else "numpy", "file": member}

    def _describe_container(self, value: Any, path: str, depth: int) -> Node:
        if isinstance(value, dict):
            keys = [_node("TypeNode", type(key)) for key in value]
            content = {}
            for key, part in value.items():
                if type(key) not in KEYS:
                    raise ModelFileError(f"{path} has a key of type {type(key).__name__}.")
                plain = key.item() if isinstance(key, np.generic) else key
                name = plain if isinstance(plain, str) else json.dumps(plain)
                content[name] = self.describe(part, f"{path}.{key}", depth + 1)
            node = _node("DictNode", type(value), content=content)
            if set(map(type, value)) <= {str}:
                return node
            return node | {"key_types": _node("ListNode", list, content=keys)}
        parts = [self.describe(part, f"{path}[{n}]", depth + 1) for n, part in enumerate(value)]
        if isinstance(value, set | frozenset):
            parts.sort(key=json.dumps)  # the order of a set differs between processes
        if isinstance(value, frozenset):
            inner = _node("TupleNode", tuple, content=[_node("ListNode", list, content=parts)])
            return _node("ConstructorFromReduceNode", type(value), content=inner)
        [loader] = [name for name, kind in CONTAINERS.items() if isinstance(value, kind)]
        return _node(loader, type(value), content=parts)

    def _describe_object(self, value: Any, path: str, depth: int) -> Node:
        cls = type(value)
        own_way = cls.__reduce__ is not object.__reduce__ or cls in copyreg.dispatch_table
        if own_way or cls.__reduce_ex__ is not object.__reduce_ex__:
            raise ModelFileError(f"{path} is a {full_name(cls)}, which a model file cannot hold.")
        state = value.__getstate__()
        if isinstance(value, BaseEstimator):
            state = _to_save(value, state)
        return _node("ObjectNode", cls, content=self.describe(state, path, depth + 1))

    def _check_importable(self, node: Node, value: Any, path: str) -> None:
        if is_allowed(node):
            return
        name, loader = type_name(node), node["__loader__"]
        if loader not in {*CONTAINERS, "FunctionNode", "TypeNode", "ObjectNode"} or name.startswith(
            "builtins."
        ):
            raise ModelFileError(f"{path} is a {name}, which a model file cannot hold.")
        found = getattr(sys.modules.get(node["__module__"]), node["__class__"], None)
        if found is not (value if loader in ("FunctionNode", "TypeNode") else type(value)):
            raise ModelFileError(
                f"{path} is {name}, which cannot be imported. Define the function or class at the "
                "top level of a module."
            )
        self.foreign.add(name)


def _node(loader: str, kind: Any, **more: Any) -> Node:
    module = getattr(kind, "__module__", None) or "numpy"  # functions of numpy have none
    return {"__class__": kind.__name__, "__module__": module, "__loader__": loader, **more}


def _to_save(estimator: Any, state: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of an estimator in the form that is saved."""
    if hasattr(type(estimator), "attributes_to_save"):
        state = estimator.attributes_to_save()
    state = {name: part for name, part in state.items() if name != METADATA_REQUEST}
    _forget_the_machine(type(estimator), state)
    for name in string_attributes(type(estimator)):
        if state.get(name) is not None:
            try:
                Strings().check(state[name], Sizes())
            except ValueError as error:
                raise ModelFileError(f"{name} {error}.") from error
            state[name] = json.dumps(state[name].tolist(), ensure_ascii=False)
    if full_name(type(estimator)) in HAVE_A_VOCABULARY:
        for name in VOCABULARIES:
            if _is_vocabulary(state.get(name)):
                terms = sorted(state[name], key=state[name].__getitem__)
                state[name] = json.dumps(terms, ensure_ascii=False)
    return state


def _forget_the_machine(cls: type, state: dict[str, Any]) -> None:
    if declares_state(cls):
        for name in OF_THE_MACHINE:
            state.pop(name, None)


def _is_vocabulary(value: Any) -> bool:
    return (
        type(value) is dict
        and set(map(type, value)) == {str}
        and all(isinstance(column, int | np.integer) for column in value.values())
        and sorted(value.values()) == list(range(len(value)))
    )


# --- from nodes to a model ------------------------------------------------------------------------


def build(node: Node, arrays: dict[str, Any]) -> Any:
    """Build the object of an audited node; ``arrays`` are the members of the archive."""
    content: Any = node.get("content")
    match node["__loader__"]:
        case "JsonNode":
            return json.loads(content)
        case "DictNode":
            keys = node["key_types"]["content"] if "key_types" in node else ()
            kinds = [build(each, arrays) for each in keys] or [str] * len(content)
            if not KEYS.keys() >= set(kinds):
                raise ModelFileError("it contains a dict with keys of a type that is not allowed.")
            parts = _find_class(node, dict)()
            for kind, (key, part) in zip(kinds, content.items(), strict=True):
                parts[KEYS[kind](key)] = build(part, arrays)
            return parts
        case "ListNode" | "TupleNode" | "SetNode" as loader:
            cls = _find_class(node, CONTAINERS[loader])
            items = [build(part, arrays) for part in content]
            return cls(*items) if hasattr(cls, "_fields") else cls(items)
        case "ConstructorFromReduceNode":
            [items] = build(content, arrays)
            return frozenset(items)
        case "NdArrayNode" if node.get("type") == "json":
            return _object_array(
                [build(part, arrays) for part in content], build(node["shape"], {})
            )
        case "NdArrayNode":
            array = arrays[node["file"]]
            return array if type_name(node) == "numpy.ndarray" else _find_class(node)(array[()])
        case "SparseMatrixNode":
            return _as_declared(arrays[node["file"]], node)
        case "FunctionNode":
            function = _find(node)
            if isinstance(function, type) or not callable(function):
                raise ModelFileError(f"{type_name(node)} is not a function.")
            return function
        case "TypeNode":
            return _find_class(node)
        case _:
            return _build_object(node, arrays)


def _as_declared(matrix: Any, node: Node) -> Any:
    """Return a sparse matrix with its class; SciPy 1.11 reads arrays as matrices."""
    found, declared = full_name(type(matrix)), type_name(node)
    if found == declared:
        return matrix
    if found.removesuffix("_matrix") != declared.removesuffix("_array"):
        raise ModelFileError(f"{node['file']} is a {type(matrix).__name__}.")
    return _find_class(node)(matrix)


def _build_object(node: Node, arrays: dict[str, Any]) -> Any:
    cls = _find_class(node)
    instance = cls.__new__(cls)
    state = build(node["content"], arrays) if node.get("content") is not None else None
    if hasattr(instance, "__setstate__") and state is not None:
        instance.__setstate__(state)
    elif state is not None:
        vars(instance).update(state)
    if declares_state(cls):
        _forget_the_machine(cls, vars(instance))
        for name, parameter in signature(cls).parameters.items():  # an older file lacks newer ones
            if parameter.default is not parameter.empty:
                vars(instance).setdefault(name, parameter.default)
    for name in string_attributes(cls):
        if isinstance(vars(instance).get(name), str):
            vars(instance)[name] = _object_array(_decode(name, vars(instance)[name]))
    if full_name(cls) in HAVE_A_VOCABULARY:
        for name in VOCABULARIES:
            if isinstance(vars(instance).get(name), str):
                terms = _decode(name, vars(instance)[name])
                vars(instance)[name] = {term: column for column, term in enumerate(terms)}
                if len(vars(instance)[name]) != len(terms):
                    raise ModelFileError(f"{name} contains a term twice.")
    return instance


def _find(node: Node) -> Any:
    return getattr(import_module(node["__module__"]), node["__class__"])


def _find_class(node: Node, base: type = object) -> Any:
    cls = _find(node)
    if not isinstance(cls, type) or not issubclass(cls, base):
        expected = "a class" if base is object else f"a subclass of {base.__name__}"
        raise ModelFileError(f"{type_name(node)} is not {expected}.")
    return cls


def _decode(name: str, text: str) -> list[str]:
    try:
        strings = json.loads(text)
    except ValueError as error:
        raise ModelFileError(f"{name} is invalid: {error}.") from error
    if type(strings) is not list or not set(map(type, strings)) <= {str}:
        raise ModelFileError(f"{name} is not a list of strings.")
    return strings


def _object_array(parts: list[Any], shape: Any = None) -> np.ndarray:
    array = np.empty(len(parts), dtype=object)
    if shape is None:  # strings
        array[:] = parts
    elif type(shape) is tuple and len(shape) == 1:
        for position, part in enumerate(parts):
            array[position] = part
    else:
        array = np.array(parts, dtype=object)
    if shape is not None and array.shape != shape:
        raise ModelFileError(f"an array of objects has shape {array.shape}, not {shape!r}.")
    return array
