"""Exchange with other tools for labeling: JSON of Label Studio, and JSON lines of doccano."""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, TextIO
from xml.sax.saxutils import quoteattr

from honeybayes import __version__
from honeybayes.labeling._tasks import LABEL, TEXT, Task, doccano_tasks, label_studio_tasks
from honeybayes.labeling.answers import answer_rows, import_labels
from honeybayes.labeling.engine import Answers
from honeybayes.labeling.project import Project
from honeybayes.utils.suggestions import did_you_mean

RENAMED = "table_"  # before the name of a column that has one of these names
MODEL_VERSION = f"honeybayes {__version__}"


# Writing


def write_label_studio(project: Project, answers: Answers | None, file: TextIO) -> None:
    """Write tasks in the JSON format of Label Studio.

    Labels are annotations. Answers of the model are predictions, never annotations, with the
    confidence as score. An undecided text has a cancelled annotation.

    Parameters
    ----------
    project : Project
        The texts and the labels.
    answers : Answers or None
        The answers of the model; None writes no predictions.
    file : text file
        Where to write.

    See Also
    --------
    label_studio_config : The labeling configuration that fits the tasks.
    """
    undecided = project.ledger.state.undecided
    rows = project.representative.tolist()
    given, separator = answer_rows(project, answers), "[\n"
    for number, (cells, row, answer) in enumerate(
        zip(_data(project, (TEXT,)), rows, given, strict=True), start=1
    ):
        result = [] if answer.label is None else [_choice(number, answer.source, answer.label)]
        task: dict[str, Any] = {"id": number, "data": cells, "annotations": [], "predictions": []}
        if answer.source == "person":
            task["annotations"] = [{"result": result, "was_cancelled": False}]
        elif row in undecided:
            task["annotations"] = [{"result": [], "was_cancelled": True}]
        if answer.source == "model":
            task["predictions"] = [
                {"model_version": MODEL_VERSION, "score": answer.confidence, "result": result}
            ]
        file.write(separator + json.dumps(task, ensure_ascii=False))
        separator = ",\n"
    file.write("\n]\n")


def label_studio_config(project: Project) -> str:
    """Return the labeling configuration of Label Studio for the classes of a project.

    Parameters
    ----------
    project : Project
        The classes.

    Returns
    -------
    str
        XML, to paste under Settings, Labeling Interface, Code.
    """
    choices = [f"    <Choice value={quoteattr(each.name)}/>" for each in project.classes]
    lines = [
        "<View>",
        f'  <Text name="{TEXT}" value="${TEXT}"/>',
        f'  <Choices name="{LABEL}" toName="{TEXT}" choice="single">',
        *choices,
        "  </Choices>",
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def write_doccano(project: Project, file: TextIO) -> None:
    """Write JSON lines for text classification in doccano.

    Each line has a text and a list with its label, which is empty if there is none. Answers of the
    model are not written: doccano cannot tell them from labels.

    Parameters
    ----------
    project : Project
        The texts and the labels.
    file : text file
        Where to write.
    """
    cells = _data(project, (TEXT, LABEL))
    for fields, answer in zip(cells, answer_rows(project, None), strict=True):
        labels = [] if answer.label is None else [answer.label]
        file.write(json.dumps({**fields, LABEL: labels}, ensure_ascii=False) + "\n")


def _choice(number: int, source: str, label: str) -> dict[str, Any]:
    return {
        "id": f"{source}-{number}",
        "from_name": LABEL,
        "to_name": TEXT,
        "type": "choices",
        "value": {"choices": [label]},
    }


def _data(project: Project, taken: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the text and the other cells of each row; columns with a taken name are renamed."""
    columns = project.settings.get("columns") or []
    rows = [_by_name(cells, columns) for cells in project.cells()]
    names = dict.fromkeys(name for row in rows for name in row)
    is_text = {  # the column that the texts come from is not written twice
        name
        for name in names
        if all(row.get(name) == text for row, text in zip(rows, project.texts, strict=True))
    }
    new = {name: RENAMED + name if name in taken else name for name in names if name not in is_text}
    for row, text in zip(rows, project.texts, strict=True):
        yield {TEXT: text} | {new[name]: cell for name, cell in row.items() if name in new}


def _by_name(cells: Any, columns: Sequence[str]) -> dict[str, Any]:
    if isinstance(cells, Mapping):
        return dict(cells)
    return {} if cells is None else dict(zip(columns, cells, strict=False))


# Reading


def read_label_studio(
    path: str | PathLike[str], *, text: str | None = None, label: str | None = None
) -> tuple[list[str], list[str | None]]:
    """Read the texts and labels of a JSON file that Label Studio has exported.

    A label is the choice of a person for the whole text. Predictions, drafts, cancelled annotations
    and choices for a part of the text do not count; of several annotations, those marked as ground
    truth count alone. Texts with several choices, or with annotations that disagree, are kept
    without a label, and a warning says how many.

    Parameters
    ----------
    path : str or path-like
        The file: a list of tasks with "data" and "annotations".
    text : str, optional
        The field of "data" with the text; by default "text", or the only field that is a text.
    label : str, optional
        The name of the choices, if the tasks have several ("from_name").

    Returns
    -------
    texts : list of str
        The texts.
    labels : list of str or None
        Their labels; None if there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.labeling import read_label_studio
    >>> result = '{"type": "choices", "from_name": "topic", "value": {"choices": ["mail"]}}'
    >>> task = '{"data": {"text": "Late again"}, "annotations": [{"result": [%s]}]}' % result
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tasks.json")
    ...     _ = path.write_text(f"[{task}]")
    ...     read_label_studio(path)
    (['Late again'], ['mail'])
    """
    return _texts_and_labels(label_studio_tasks(path, text, label))


def read_doccano(
    path: str | PathLike[str], *, text: str | None = None, label: str | None = None
) -> tuple[list[str], list[str | None]]:
    r"""Read the texts and labels of JSON lines that doccano has exported.

    Texts with several labels are kept without a label, and a warning says how many.

    Parameters
    ----------
    path : str or path-like
        The file; each line is an object such as ``{"text": "Late again", "label": ["mail"]}``.
    text : str, optional
        The field with the text; by default "text", or "data" as in some versions of doccano.
    label : str, optional
        The field with the label or a list of labels; by default "label" or "labels".

    Returns
    -------
    texts : list of str
        The texts.
    labels : list of str or None
        Their labels; None if there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.labeling import read_doccano
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.jsonl")
    ...     _ = path.write_text('{"text": "Late again", "label": ["mail"]}\n{"text": "Hello"}\n')
    ...     read_doccano(path)
    (['Late again', 'Hello'], ['mail', None])
    """
    return _texts_and_labels(doccano_tasks(path, text, label))


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
    """Make a project from a file of another tool, with its labels and its other fields.

    Parameters
    ----------
    path : str or path-like
        The file to read.
    target : str, path-like or None
        The project file to write, which must not exist; None keeps the project in memory.
    format : {"label-studio", "doccano"}
        The format; see `read_label_studio` and `read_doccano`.
    text, label : str, optional
        As in the function that reads the format.
    settings : mapping, optional
        As in `Project.create`.
    who : str, optional
        Who labels; by default, the name of the user.

    Returns
    -------
    Project
    """
    if format not in READERS:
        known = ", ".join(READERS)
        raise ValueError(
            f"Unknown format {format!r}. The formats are: {known}.{did_you_mean(format, READERS)}"
        )
    tasks = READERS[format](path, text, label)
    texts, labels = _texts_and_labels(tasks)
    project = Project.create(
        None,
        texts,
        cells=[each.cells for each in tasks],
        settings=dict(settings or {}),
        who=who,
    )
    try:
        import_labels(project, labels)
    except ValueError as error:
        raise ValueError(f"{path}, names of classes: {error}") from error
    return project if target is None else project.write(target)


def _texts_and_labels(tasks: list[Task]) -> tuple[list[str], list[str | None]]:
    unclear = [each for each in tasks if len(each.labels) > 1]
    if unclear:
        first = unclear[0]
        names = ", ".join(sorted(first.labels))
        warnings.warn(
            f"{first.where}: the text has several labels ({names}). Number of such texts: "
            f"{len(unclear)}. They are kept without a label, because a text has one class here.",
            UserWarning,
            stacklevel=3,
        )
    labels = [next(iter(each.labels)) if len(each.labels) == 1 else None for each in tasks]
    return [each.text for each in tasks], labels


READERS = {"label-studio": label_studio_tasks, "doccano": doccano_tasks}
