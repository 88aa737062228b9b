"""Files for other tools: tables of answers, JSON of Label Studio, and JSON lines of doccano."""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from xml.sax.saxutils import quoteattr

from honeybayes import __version__, tables
from honeybayes.labeling.answers import answer_rows, import_labels, make_answers_frame
from honeybayes.labeling.ledger import check_encodable
from honeybayes.labeling.project import Project
from honeybayes.labeling.turn import Answers
from honeybayes.utils.messages import did_you_mean

TEXT, LABEL = "text", "label"  # the usual names of fields, and of the tags of Label Studio
ENDINGS = (".csv", ".tsv", ".jsonl", ".xlsx")
RENAMED = "table_"  # before the name of a column that has one of these names
AnyPath = str | PathLike[str]


# Writing


def export_project(
    project: Project,
    path: str | PathLike[str],
    format: str = "answers",
    answers: Answers | None = None,
    *,
    plain_cells: bool = False,
) -> str:
    """Write a file for another program; return what was written, such as "6 texts".

    After an error, the file is as it was.

    Parameters
    ----------
    project : Project
        The texts and the labels.
    path : str or path-like
        The file to write. A file ``.xml`` gets the labeling configuration of Label Studio.
    format : {"answers", "labels", "label-studio", "doccano"}, default="answers"
        The table with label, source, confidence, runner-up, who, when, note and status, ``.csv``,
        ``.tsv``, ``.jsonl`` or ``.xlsx``; the same for texts that a person labeled; or a file for
        one of these tools.
    answers : Answers, optional
        The answers of the model, for the table and for Label Studio.
    plain_cells : bool, default=False
        As in `honeybayes.tables.write_corpus`.
    """
    is_config = Path(path).suffix.lower() == ".xml"
    n_labeled = sum(int(project.copies[row]) for row in project.ledger.state.labels)
    if format == "labels" and not n_labeled:
        raise ValueError(f"{project.path} has no labels yet.")
    check_ending(path, format)
    if format in ("answers", "labels") and not is_config:
        frame = make_answers_frame(project, answers, format == "labels")
        settings, format_of_table = project.settings, project.settings.get("format", "csv")
        delimiter = settings.get("delimiter") or settings.get("found_delimiter")
        # a table of a spreadsheet, which will read the answers
        has_mark = delimiter == ";" or format_of_table in ("excel", "ods")
        table = Path(settings.get("table", path))
        like = tables.Table(table, format_of_table, [], iter(()), delimiter, has_mark)
        tables.write_table(frame, path, plain_cells=plain_cells, like=like, numbers=("confidence",))
    else:
        with tables.open_text_output(path) as text:
            if is_config:
                text.write(label_studio_config(project))
                return f"{len(project.classes)} classes"
            if format == "doccano":
                write_doccano(project, text)
            else:
                write_label_studio(project, answers, text)
    return f"{n_labeled} labels" if format == "labels" else f"{len(project.texts)} texts"


def check_ending(path: str | PathLike[str], format: str) -> None:
    """Raise ValueError unless the ending of a file fits the format."""
    is_table, endings = format in ("answers", "labels"), (*ENDINGS, ".xml")
    if is_table and Path(path).suffix.lower() not in endings:
        raise ValueError(f"{path}: the name of the file must end in {', '.join(ENDINGS)}.")


def write_label_studio(project: Project, answers: Answers | None, file: TextIO) -> None:
    """Write tasks in the JSON format of Label Studio.

    Labels are annotations. Answers of the model are predictions, never annotations, with the
    confidence as score. An undecided text has a cancelled annotation.
    """
    undecided = project.ledger.state.undecided
    rows, given = project.representative.tolist(), answer_rows(project, answers)
    tasks = []
    for number, (cells, row, (label, source, confidence, _)) in enumerate(
        zip(_data(project, (TEXT,)), rows, given, strict=True), start=1
    ):
        choice: dict[str, Any] = {"id": f"{source}-{number}", "from_name": LABEL, "to_name": TEXT}
        choice |= {"type": "choices", "value": {"choices": [label]}}
        task: dict[str, Any] = {"id": number, "data": cells, "annotations": [], "predictions": []}
        if source == tables.PERSON:
            task["annotations"] = [{"result": [choice], "was_cancelled": False}]
        elif row in undecided:
            task["annotations"] = [{"result": [], "was_cancelled": True}]
        if source == tables.MODEL:
            score = {"model_version": f"honeybayes {__version__}", "score": confidence}
            task["predictions"] = [{**score, "result": [choice]}]
        tasks.append(json.dumps(task, ensure_ascii=False))
    file.write("[\n" + ",\n".join(tasks) + "\n]\n")


def label_studio_config(project: Project) -> str:
    """Return XML to paste in Label Studio under Settings, Labeling Interface, Code."""
    choices = "".join(f"    <Choice value={quoteattr(each.name)}/>\n" for each in project.classes)
    return (
        f'<View>\n  <Text name="{TEXT}" value="${TEXT}"/>\n'
        f'  <Choices name="{LABEL}" toName="{TEXT}" choice="single">\n'
        f"{choices}  </Choices>\n</View>\n"
    )


def write_doccano(project: Project, file: TextIO) -> None:
    """Write JSON lines: a text, and a list with its label, which is empty if there is none.

    Answers of the model are not written: doccano cannot tell them from labels.
    """
    cells = _data(project, (TEXT, LABEL))
    for fields, answer in zip(cells, answer_rows(project, None), strict=True):
        labels = [] if answer.label is None else [answer.label]
        file.write(json.dumps({**fields, LABEL: labels}, ensure_ascii=False) + "\n")


def _data(project: Project, taken: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the text and the other cells of each row; columns with a taken name are renamed."""
    rows = project.records()
    new = {
        name: RENAMED + name if name in taken else name
        for name in dict.fromkeys(name for row in rows for name in row)
        # the column that the texts come from is not written twice
        if any(row.get(name) != text for row, text in zip(rows, project.texts, strict=True))
    }
    for row, text in zip(rows, project.texts, strict=True):
        yield {TEXT: text} | {new[name]: cell for name, cell in row.items() if name in new}


# Reading


def import_tasks(
    path: str | PathLike[str],
    target: str | PathLike[str] | None,
    format: str,
    *,
    text: str | None = None,
    label: str | None = None,
    settings: Mapping[str, Any] | None = None,
    who: str | None = None,
) -> Project:
    r"""Make a project from a file of Label Studio or doccano, with its labels and other fields.

    Texts with several labels, or with annotations that disagree, are kept without a label, and a
    warning says how many. In Label Studio, a label is the choice of a person for the whole text.
    Predictions, drafts, cancelled annotations and choices for a part of the text do not count; of
    several annotations, those marked as ground truth count alone.

    Parameters
    ----------
    path : str or path-like
        The file: a list of tasks with "data" and "annotations", or lines such as
        ``{"text": "Late again", "label": ["mail"]}``.
    target : str, path-like or None
        The project file to write, which must not exist; None keeps the project in memory.
    format : {"label-studio", "doccano"}
        The tool.
    text : str, optional
        The field with the text; by default "text", or the only field that is a text. In doccano,
        "text" or "data".
    label : str, optional
        The name of the choices, if the tasks have several ("from_name"). In doccano, the field with
        the label or a list of labels; by default "label" or "labels".
    settings : mapping, optional
        As in `Project.create`.
    who : str, optional
        Who labels; by default, the name of the user.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.labeling import import_tasks
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.jsonl")
    ...     _ = path.write_text('{"text": "Late again", "label": ["mail"]}\n{"text": "Hello"}\n')
    ...     project = import_tasks(path, None, "doccano")
    >>> project.texts, project.classes[0].name
    (['Late again', 'Hello'], 'mail')
    """
    tasks = _read(path, format, text, label)
    texts, cells = [each.text for each in tasks], [each.cells for each in tasks]
    project = Project.create(None, texts, cells=cells, settings=dict(settings or {}), who=who)
    try:
        import_labels(project, [each.label for each in tasks])
    except ValueError as error:
        raise ValueError(f"{path}, names of classes: {error}") from error
    return project if target is None else project.write(target)


class _Task(NamedTuple):
    """A text of another tool."""

    text: str
    labels: set[str]
    cells: dict[str, Any]
    where: str

    @property
    def label(self) -> str | None:
        return next(iter(self.labels)) if len(self.labels) == 1 else None


def _read(path: AnyPath, format: str, *fields: str | None) -> list[_Task]:
    """Read the tasks; the fields are those of the text and of the label, None by default."""
    readers = {"label-studio": _label_studio_tasks, "doccano": _doccano_tasks}
    if format not in readers:
        known, hint = ", ".join(readers), did_you_mean(format, readers)
        raise ValueError(f"Unknown format {format!r}. The formats are: {known}.{hint}")
    tasks = list(readers[format](path, *fields))
    if unclear := [each for each in tasks if len(each.labels) > 1]:
        names = ", ".join(sorted(unclear[0].labels))
        warnings.warn(
            f"{unclear[0].where}: the text has several labels ({names}). Number of such texts: "
            f"{len(unclear)}. They are kept without a label, because a text has one class here.",
            UserWarning,
            stacklevel=3,
        )
    return tasks


def _objects(path: AnyPath, format: str, advice: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their numbers."""
    n_objects = 0
    try:
        for frame in tables.open_table(path, format=format).frames:
            n_objects += len(frame)
            yield from zip(frame.index, tables.frame_rows(frame), strict=True)
    except ValueError as error:
        raise ValueError(f"{error} {advice}") from error
    if not n_objects:
        raise ValueError(f"{path} contains no texts. {advice}")


def _doccano_tasks(path: AnyPath, text: str | None, label: str | None) -> Iterator[_Task]:
    for line, fields in _objects(path, "json-lines", "Export as JSONL from doccano."):
        where = f"{path}, line {line}"
        name = text or next((each for each in (TEXT, "data") if each in fields), TEXT)
        label_name = label or next((each for each in (LABEL, "labels") if each in fields), LABEL)
        if label_name not in fields and "annotations" in fields:
            raise ValueError(
                f"{where}: the labels are numbers without names. Export from doccano as JSONL, "
                "with the names of the labels."
            )
        words, labels = _check_text(fields, name, where), fields.pop(label_name, None)
        several = labels if isinstance(labels, list) else [] if labels is None else [labels]
        found = {_check_label(each, where) for each in several} - {""}
        yield _Task(words, found, fields, where)


def _label_studio_tasks(path: AnyPath, text: str | None, label: str | None) -> Iterator[_Task]:
    read = []
    for number, task in _objects(path, "json", "Export as JSON from Label Studio."):
        where = f"{path}, task {number}" + (f" (id {task['id']})" if "id" in task else "")
        try:
            read.append((dict(task["data"].items()), list(_choices(task, where)), where))
        except (AttributeError, KeyError, TypeError) as error:
            why = {AttributeError: "a part is no object", KeyError: f"{error} is missing"}
            raise ValueError(
                f"{where}: {task!r:.100} is not a task: {why.get(type(error), error)}. Export from "
                "Label Studio as JSON, not as JSON-MIN or CSV."
            ) from error
    first, _, where = read[0]
    texts = [TEXT] if TEXT in first else [each for each in first if isinstance(first[each], str)]
    text = text or _only_one(texts, f"{where}: several fields are texts", "text") or TEXT
    control = _choose_control(path, [each for _, choices, _ in read for each in choices], label)
    for data, choices, where in read:
        found = {name for its_control, name in choices if its_control == control and name}
        yield _Task(_check_text(data, text, where), found, data, where)


def _choices(task: dict[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """Yield the name of a control and a choice for the whole text; "" and the type of others."""
    annotations = [each for each in _list(task, "annotations") if not each.get("was_cancelled")]
    annotations = [each for each in annotations if each.get("ground_truth")] or annotations
    for result in (each for one in annotations for each in _list(one, "result")):
        if result.get("type") != "choices":
            yield "", str(result.get("type", "no type"))
        elif "start" in (value := dict(result["value"].items())):
            yield "", "choices for a part of the text"
        elif value.get("choices") is None:
            raise KeyError("choices")  # labels would be lost
        else:
            for each in _list(value, "choices"):
                yield str(result.get("from_name", "no name")), _check_label(each, where)


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    """Return a list of JSON; raise TypeError if it has another type, such as a string."""
    if not isinstance(value := fields.get(name), list | None):
        raise TypeError(f"{name!r} is not a list")
    return value or []


def _choose_control(path: AnyPath, choices: list[tuple[str, str]], label: str | None) -> str | None:
    """Return the name of the choices that are the labels; None if nothing is labeled."""
    controls = sorted({control for control, _ in choices} - {""})
    if choices and not controls:
        others = ", ".join(sorted({kind for _, kind in choices}))
        raise ValueError(
            f"{path}: the annotations have no choices for whole texts, only: {others}. Labels must "
            "be choices."
        )
    if label is not None and controls and label not in controls:
        raise ValueError(
            f"{path}: there are no choices named {label!r}. Their names are: "
            f"{', '.join(controls)}.{did_you_mean(label, controls)}"
        )
    return label or _only_one(controls, f"{path}: the tasks have several kinds of choices", "label")


def _only_one(names: list[str], problem: str, option: str) -> str | None:
    """Return the only name, if there is one; raise ValueError if there are several."""
    if len(names) > 1:
        raise ValueError(
            f"{problem}: {', '.join(names)}. Choose one with {option}= (--{option} on the command "
            "line)."
        )
    return names[0] if names else None


def _check_text(fields: dict[str, Any], name: str, where: str) -> str:
    if not isinstance(fields.get(name), str):
        raise ValueError(
            f"{where}: there is no text in the field {name!r}. The fields are: "
            f"{', '.join(fields) or 'none'}. Choose it with text= (--text)."
        )
    check_encodable(fields[name], f"{where}, field {name!r}")
    return fields[name]


def _check_label(label: Any, where: str) -> str:
    if isinstance(label, bool) or not isinstance(label, str | int):
        raise ValueError(
            f"{where}: {label!r:.60} is not the name of a class. Labels of parts of a text cannot "
            "be read; export a project for text classification."
        )
    check_encodable(str(label), where)
    return " ".join(str(label).split())
