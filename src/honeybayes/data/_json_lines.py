"""One JSON object a line."""

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.data._collector import DocumentCollector, column_position
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import existing_file, text_lines


def read_json_lines(
    path: str | PathLike[str],
    text: str = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
) -> Corpus:
    """Read texts from a file with one JSON object a line, in UTF-8, plain or gzipped.

    Parameters
    ----------
    path : str or path-like
        A name that ends in ``.gz`` is taken as gzipped; ``-`` is the standard input.
    text, label : str
        The fields that hold the text and the class of a document. Other fields are ignored, and
        so are blank lines and white space around a label.
    keep_unlabeled : bool, default=False
        Keep documents whose label is empty, with an empty string as their label. By default they
        are refused.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        Names the file, the line and the field.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_json_lines
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.jsonl")
    ...     _ = path.write_text('{"text": "Where is my parcel?", "label": "delivery"}')
    ...     read_json_lines(path)
    Corpus('mail', 1 texts, 1 classes)
    """
    path = Path(path)
    documents = DocumentCollector(path, text, label, keep_empty=keep_unlabeled)
    for number, fields in json_objects(path):
        for name, argument in ((text, "text"), (label, "label")):
            column_position(f"{path}, line {number}", name, list(fields), argument)
        documents.add(number, fields[text], fields[label])
    return documents.corpus()


def json_objects(path: str | PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line that is not blank, with its object."""
    path = existing_file(path, or_standard_input=True)
    for number, line in enumerate(text_lines(path, "JSON lines"), start=1):
        if line.strip():
            yield number, _parse_object(line, f"{path}, line {number}")


def _parse_object(line: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(line, object_pairs_hook=_distinct_keys)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{where}, character {error.colno}: not JSON ({error.msg}). "
            f"Every line must hold one whole object."
        ) from error
    except ValueError as error:  # a key given twice, or a number of thousands of digits
        raise ValueError(f"{where}: {error}.") from error
    except RecursionError as error:
        raise ValueError(f"{where}: too many brackets inside each other.") from error
    if not isinstance(document, dict):
        raise ValueError(
            f'{where}: every line must hold one object, such as {{"text": "...", "label": "..."}}; '
            f"got {type(document).__name__}."
        )
    return document


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"the key {name!r} is given twice")
        fields[name] = value
    return fields
