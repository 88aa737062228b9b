"""Read the files of other tools for labeling; every error names the file and the task."""

import json
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from honeybayes.data.tables import open_table
from honeybayes.utils.suggestions import check_file_exists, did_you_mean

TEXT, LABEL = "text", "label"  # the usual names of fields, and of the tags of Label Studio


class Task(NamedTuple):
    """A text of another tool."""

    text: str
    labels: set[str]  # more than one if the task does not have exactly one class
    cells: dict[str, Any]
    where: str


def label_studio_tasks(
    path: str | PathLike[str], text: str | None, label: str | None
) -> list[Task]:
    """Read tasks that Label Studio has exported; see `read_label_studio`."""
    tasks = _read_json(path)
    tasks = [tasks] if isinstance(tasks, dict) else tasks
    if not isinstance(tasks, list) or not tasks:
        raise ValueError(f"{path}: a list of tasks was expected. Export as JSON from Label Studio.")
    named = [(task, _name_of(path, number, task)) for number, task in enumerate(tasks, start=1)]
    data = [_field(task, "data", dict, where) for task, where in named]
    text = text or _text_field(data[0], named[0][1])
    annotations = [_annotations(task, where) for task, where in named]
    label = _choose_control(path, annotations, label)
    return [
        Task(
            _check_text(fields, text, where),
            _labels_of_annotations(results, label),
            fields,
            where,
        )
        for fields, results, (_, where) in zip(data, annotations, named, strict=True)
    ]


class _Result(NamedTuple):
    """One result of an annotation: a choice, or something else of which only the type matters."""

    kind: str
    control: str
    choices: tuple[str, ...]


def _annotations(task: dict[str, Any], where: str) -> list[_Result]:
    """Return the results of the annotations that count."""
    old = "completions"  # the name before version 1.0 of Label Studio
    name = old if old in task and "annotations" not in task else "annotations"
    found = []
    for each in _field(task, name, list, where, default=[]):
        if not isinstance(each, dict):
            raise ValueError(f"{where}: an annotation must be an object; got {_type_of(each)}.")
        if not each.get("was_cancelled"):
            found.append(each)
    found = [each for each in found if each.get("ground_truth")] or found
    return [
        _check_result(result, where)
        for each in found
        for result in _field(each, "result", list, where, default=[])
    ]


def _check_result(result: Any, where: str) -> _Result:
    if not isinstance(result, dict):
        raise ValueError(f"{where}: a result must be an object; got {_type_of(result)}.")
    kind, control = str(result.get("type", "")), str(result.get("from_name", ""))
    if kind != "choices":
        return _Result(kind, control, ())
    value = _field(result, "value", dict, where)
    if "start" in value:  # about a part of the text
        return _Result("choices for a part of the text", control, ())
    choices = _field(value, "choices", list, where)
    return _Result(kind, control, tuple(_check_label(each, where) for each in choices))


def _choose_control(
    path: str | PathLike[str], annotations: list[list[_Result]], label: str | None
) -> str | None:
    """Return the name of the choices that are the labels; None if nothing is labeled."""
    results = [result for each in annotations for result in each]
    controls = sorted({each.control for each in results if each.kind == "choices"})
    if results and not controls:
        kinds = ", ".join(sorted({each.kind or "no type" for each in results}))
        raise ValueError(
            f"{path}: the annotations have no choices for whole texts, only: {kinds}. Labels must "
            "be choices."
        )
    if label is not None and controls and label not in controls:
        raise ValueError(
            f"{path}: there are no choices named {label!r}. Their names are: "
            f"{', '.join(controls)}.{did_you_mean(label, controls)}"
        )
    if label is None and len(controls) > 1:
        raise ValueError(
            f"{path}: the tasks have several kinds of choices: {', '.join(controls)}. Choose one "
            "with label=."
        )
    return label if label is not None or not controls else controls[0]


def _labels_of_annotations(results: list[_Result], control: str | None) -> set[str]:
    return {
        choice
        for each in results
        if each.kind == "choices" and each.control == control
        for choice in each.choices
        if choice
    }


def doccano_tasks(path: str | PathLike[str], text: str | None, label: str | None) -> list[Task]:
    """Read lines that doccano has exported; see `read_doccano`."""
    tasks = []
    for row in open_table(path, {}, format="json-lines").rows:
        assert isinstance(row.cells, dict)  # as in all JSON lines
        fields, where = dict(row.cells), f"{path}, line {row.line}"
        name = text or next((each for each in (TEXT, "data") if each in fields), TEXT)
        label_name = label or next((each for each in (LABEL, "labels") if each in fields), LABEL)
        if label_name not in fields and "annotations" in fields:
            raise ValueError(
                f"{where}: the labels are numbers without names. Export from doccano as JSONL, "
                "with the names of the labels."
            )
        words = _check_text(fields, name, where)
        labels = fields.pop(label_name, None)
        several = labels if isinstance(labels, list) else [] if labels is None else [labels]
        found = {_check_label(each, where) for each in several} - {""}
        tasks.append(Task(words, found, fields, where))
    if not tasks:
        raise ValueError(f"{path} contains no texts.")
    return tasks


def _read_json(path: str | PathLike[str]) -> Any:
    check_file_exists(Path(path))
    try:
        return json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not JSON: it is not text in UTF-8.") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path}, line {error.lineno}, character {error.colno}: not valid JSON ({error.msg}). "
            "Export as JSON from Label Studio."
        ) from error
    except RecursionError as error:
        raise ValueError(f"{path}: the brackets are nested too deeply.") from error
    except ValueError as error:  # a number with thousands of digits
        raise ValueError(f"{path}: {error}.") from error


def _name_of(path: str | PathLike[str], number: int, task: Any) -> str:
    if not isinstance(task, dict):
        raise ValueError(f"{path}, task {number}: an object was expected; got {_type_of(task)}.")
    id = f" (id {task['id']})" if "id" in task else ""
    where = f"{path}, task {number}{id}"
    if "data" not in task:
        raise ValueError(
            f'{where}: there is no "data". Export from Label Studio as JSON, not as JSON-MIN or '
            "CSV."
        )
    return where


def _field(fields: dict[str, Any], name: str, kind: type, where: str, default: Any = None) -> Any:
    """Return a field of the right type; a missing field is an error unless it has a default."""
    value = fields.get(name)
    value = default if value is None else value
    if not isinstance(value, kind):
        what = "an object" if kind is dict else "a list"
        raise ValueError(f'{where}: "{name}" must be {what}; got {_type_of(value)}.')
    return value


def _text_field(data: dict[str, Any], where: str) -> str:
    names = [name for name, value in data.items() if isinstance(value, str)]
    if TEXT in data or not names:
        return TEXT
    if len(names) > 1:
        raise ValueError(
            f"{where}: several fields are texts: {', '.join(names)}. Choose one with text=."
        )
    return names[0]


def _check_text(fields: dict[str, Any], name: str, where: str) -> str:
    if name not in fields:
        known = f"The fields are: {', '.join(fields)}." if fields else "There are no fields."
        raise ValueError(
            f"{where}: there is no field {name!r}. {known} Choose the text with text=."
        )
    return _check_string(fields[name], f"{where}, field {name!r}", "text")


def _check_label(label: Any, where: str) -> str:
    if isinstance(label, int) and not isinstance(label, bool):
        return str(label)
    if isinstance(label, list | dict):
        raise ValueError(
            f"{where}: {label!r:.60} is not the name of a class. Labels of parts of a text cannot "
            "be read; export a project for text classification."
        )
    return " ".join(_check_string(label, where, "label").split())


def _check_string(value: Any, where: str, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where}: the {what} must be a string; got {_type_of(value)}.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{where}: the {what} contains a character that is not valid Unicode (at "
            f"{error.start}). Remove it."
        ) from error
    return value


def _type_of(value: Any) -> str:
    """Return the name of a type in JSON."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value"}
    return names.get(type(value), "null" if value is None else "a number")
