"""Parameters of estimators: each is declared once, and described once.

An estimator lists its parameters as fields, with type and default; `estimator` writes the
constructor. A docstring describes only what is special. `estimator` and `documented` complete it:
a parameter or attribute without a description gets that of the class or of a base class, and so
do the references, and what a method returns, or else its type. ``help`` shows the whole text.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Self, TypeVar, dataclass_transform

TITLE = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
FIRST, LAST = ("Parameters", "Attributes", "Returns"), ("References", "Examples")
OF_COLUMNS = ("n_features_in_", "feature_names_in_")  # attributes that come last
EMPTY = inspect.Parameter.empty
Class = TypeVar("Class", bound=type)
Function = TypeVar("Function", bound=Callable)


PER_CLASS = "ndarray of shape (n_samples, n_classes)\n    Columns in the order of ``classes_``"
RETURNED = {  # by the methods that all classifiers have in common
    "predict": "ndarray of shape (n_samples,)\n    Values of ``classes_``.",
    "predict_proba": f"{PER_CLASS}; each row sums to one.",
    "predict_log_proba": f"{PER_CLASS}.",
    "decision_function": (
        "ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes\n"
        "    Columns in the order of ``classes_``. For two classes, a positive value means the\n"
        "    second class."
    ),
    "score": "float",
    "decompose_scores": "ScoreParts",
    "get_feature_names_out": "ndarray of str",
}


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def estimator(cls: Class) -> Class:
    """Write the constructor of an estimator from its fields, and complete its docstrings."""
    made: Any = dataclass(kw_only=True, eq=False, repr=False)(cls)
    made.__dask_tokenize__ = _token
    return documented(made)


def _token(self: Any) -> tuple[str, dict[str, Any]]:
    """Return what tells two estimators apart for Dask, which looks at the fields only otherwise."""
    return f"{type(self).__module__}.{type(self).__qualname__}", self.__getstate__()


def documented(cls: Class) -> Class:
    """Complete the docstrings of a class and its methods with those of its base classes."""
    bases = [base for base in cls.__mro__[1:] if base.__module__.startswith("honeybayes")]
    for name, function in vars(cls).items():
        for inside in ("fn", "__func__"):  # of available_if, and of a class method
            function = getattr(function, inside, function)
        if inspect.isfunction(function) and not name.startswith("_"):
            parents = [vars(base)[name] for base in bases if name in vars(base)]
            _complete(function, [*parents, cls, *bases])
    if "__dataclass_fields__" in vars(cls) and cls.__doc__:
        sections, sources = _sections(cls), [cls, *bases]
        attributes = _known("Attributes", sources)
        if not hasattr(cls, "predict"):
            attributes.pop("classes_", None)
        names = [each.name for each in fields(cls)]
        sections["Parameters"] = _blocks(_known("Parameters", sources), names)
        names = sorted(attributes, key=OF_COLUMNS.__contains__)
        sections["Attributes"] = _blocks(attributes, names)
        cited = (_sections(each).get("References", "") for each in sources)
        sections["References"] = next(filter(None, cited), "")
        cls.__doc__ = _joined(sections)
    return cls


def described_like(other: Callable) -> Callable[[Function], Function]:
    """Complete the docstring of a function with that of another function."""
    return partial(_complete, sources=[other])


def describe_parameters(estimator: Any) -> dict[str, str]:
    """Return the first paragraph about each parameter in the docstring of an estimator."""
    blocks = _known("Parameters", [estimator]).items()
    paragraphs = ((name, block.partition("\n")[2].split("\n\n")[0]) for name, block in blocks)
    return {name: " ".join(text.replace("``", "").split()) for name, text in paragraphs}


def _complete(function: Function, sources: list[Any]) -> Function:
    """Describe arguments and result as the first source does that describes them."""
    if not function.__doc__:  # python -OO
        return function
    sections, known = _sections(function), _known("Parameters", [function, *sources])
    arguments = inspect.signature(function).parameters.values()
    names = [str(each.replace(annotation=EMPTY, default=EMPTY)) for each in arguments]
    sections["Parameters"] = _blocks(known, names)
    if "Returns" not in sections and "Yields" not in sections:
        kind = function.__annotations__.get("return")
        own = kind.__name__ if isinstance(kind, type) else str(kind or "")
        found = {"Returns": RETURNED.get(function.__name__, own)}
        for told in map(_sections, reversed(sources)):
            found = {each: told[each] for each in ("Returns", "Yields") if each in told} or found
        sections |= {"Returns": "self : object\n"} if kind is Self else found
    function.__doc__ = _joined(sections)
    return function


def _sections(described: Any) -> dict[str, str]:
    """Return the sections of a docstring by their titles; the summary has none."""
    summary, *rest = TITLE.split(inspect.cleandoc(described.__doc__ or ""))
    return {"": summary} | dict(zip(rest[::2], rest[1::2], strict=True))


def _known(title: str, sources: list[Any]) -> dict[str, str]:
    """Return the descriptions in a section by name, each from the first source that has one."""
    known: dict[str, str] = {}
    for source in reversed(sources):
        for block in ENTRY.split(_sections(source).get(title, "")):
            if block.strip():
                names = block.splitlines()[0].partition(" : ")[0]
                known |= dict.fromkeys(names.split(", "), f"{block.rstrip()}\n")
    return known


def _blocks(known: dict[str, str], names: list[str]) -> str:
    """Join descriptions; one of several names, such as "low, high", occurs once."""
    return "".join(dict.fromkeys(known[name] for name in names if name in known))


def _joined(sections: dict[str, str]) -> str:
    others = [title for title in sections if title not in LAST]
    titles = dict.fromkeys(("", *FIRST, *others, *LAST))
    bodies = {title: sections.get(title, "").strip() for title in titles}
    return "\n\n".join(
        f"{title}\n{'-' * len(title)}\n{body}".strip() for title, body in bodies.items() if body
    )
