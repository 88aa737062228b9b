"""Records of nominal attributes, written as documents whose terms are pairs of name and value.

A record is a set of items such as "odor=none", so every model of terms can learn from it.
"""

import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from honeybayes.tables._corpus import Corpus, corpus_of
from honeybayes.tables._files import detect_format
from honeybayes.tables._frames import check_columns, exact_integer, frame_rows, source_column
from honeybayes.tables._read import OF_OBJECTS, read_table
from honeybayes.utils.labels import is_missing

if TYPE_CHECKING:
    from pandas import DataFrame

ALL = "all"
DOCUMENT = "attributes of the row"  # a column that no table has
NO_VALUE = {"", "?", "NaN", "nan", "NA", "N/A", "<NA>", "null"}  # not "None": it may be a value
MANY_VALUES = 20  # a column of numbers with more values is a measurement, not a name
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Attributes:
    """The attributes of a table, and how their values become terms.

    Parameters
    ----------
    edges : dict of str to tuple of float
        For each attribute, in the order of the columns, the edges between the ranges of its
        numbers. It is empty for a nominal attribute, whose values are taken as they are.

    See Also
    --------
    read_attributes : Read a table as documents of such terms.

    Notes
    -----
    Empty cells, None, NaN, "?", "NA", "N/A" and "null" are missing values and give no term. A value
    that a model has not seen gives a term that the model does not know, which has no effect.

    Examples
    --------
    >>> from honeybayes import TextVectorizer
    >>> from honeybayes.tables import Attributes
    >>> records = [{"odor": "none", "cap": "red"}, {"odor": "foul", "cap": "red"}]
    >>> attributes = Attributes.learn(records)
    >>> attributes.write({"odor": "none", "cap": None})
    'odor=none'
    >>> texts = [attributes.write(record) for record in records]
    >>> vectorizer = TextVectorizer(language="attributes")
    >>> vectorizer.fit_transform(texts).toarray()
    array([[1, 0, 1],
           [1, 1, 0]])
    >>> vectorizer.terms_.tolist()
    ['cap=red', 'odor=foul', 'odor=none']
    """

    edges: dict[str, tuple[float, ...]]

    @classmethod
    def learn(
        cls,
        records: Iterable[Record],
        names: Sequence[str] | None = None,
        n_bins: int | None = None,
    ) -> Self:
        """Find the attributes of records, and the ranges of numbers.

        Parameters
        ----------
        records : iterable of mapping
            For each record, the values by name. Of a data frame: ``frame.to_dict("records")``.
        names : sequence of str, optional
            The attributes to use. By default, all.
        n_bins : int, optional
            Number of ranges for columns that hold more than 20 different numbers. The ranges hold
            about the same number of records: their edges are quantiles. By default, such columns
            raise an error.
        """
        if n_bins is not None and (not isinstance(n_bins, int) or n_bins < 2):
            raise ValueError(f"n_bins must be an integer, 2 or more; got {n_bins!r}.")
        records = list(records)
        if names is None:
            names = list(dict.fromkeys(name for record in records for name in record))
        if not names:
            raise ValueError("There are no attributes: the table has no column but the label.")
        edges: dict[str, tuple[float, ...]] = dict.fromkeys(names, ())
        measured = []
        for name in names:
            found = (_value(record.get(name)) for record in records)
            values = [value for value in found if value is not None]
            many = len(set(values)) > max(MANY_VALUES, n_bins or 0)
            if many and all(NUMBER.fullmatch(each) and isfinite(float(each)) for each in values):
                measured.append(name)
                edges[name] = _edges([*map(float, values)], n_bins) if n_bins is not None else ()
            elif len(values) > MANY_VALUES and len(set(values)) > len(values) / 2:
                warnings.warn(
                    f"{len(set(values))} of {len(values)} values of {name!r} are different, so it "
                    "says little about the class. Leave it out: name the other columns with "
                    "`attributes`.",
                    UserWarning,
                    stacklevel=3,
                )
        if measured and n_bins is None:
            raise ValueError(
                f"These attributes have more than {MANY_VALUES} different numbers: "
                f"{', '.join(map(repr, measured))}. Divide each into ranges with n_bins=5, or name "
                "the other columns with `attributes`."
            )
        return cls(edges)

    def write(self, record: Record) -> str:
        """Return a record as a document: one line ``name=value`` for each value that is there.

        Parameters
        ----------
        record : mapping
            The values by name. Names that are not attributes are ignored.
        """
        return "\n".join(
            f"{' '.join(name.split())}={_range(value, edges) if edges else value}"
            for name, edges in self.edges.items()
            if (value := _value(record.get(name))) is not None
        )

    def to_dict(self) -> dict[str, str]:
        """Return the edges as strings, which a model file can hold."""
        return {name: " ".join(map(repr, edges)) for name, edges in self.edges.items()}

    @classmethod
    def from_dict(cls, edges: Mapping[str, str]) -> Self:
        """Return the attributes that ``to_dict`` described.

        Parameters
        ----------
        edges : mapping of str to str
            The edges of each attribute.
        """
        return cls({name: tuple(map(float, each.split())) for name, each in edges.items()})

    def write_frame(self, frame: "DataFrame") -> list[str]:
        """Return each row of a frame as a document.

        Parameters
        ----------
        frame : DataFrame
            The values by column. Columns that are not there give no term.
        """
        return [self.write(record) for record in frame_rows(frame)]


def read_attributes(
    path: str | PathLike[str],
    label: str = "label",
    attributes: str | Sequence[str] | Attributes = ALL,
    *,
    n_bins: int | None = None,
    id: str | None = None,
    format: str | None = None,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
    **options: Any,
) -> tuple[Corpus, Attributes]:
    r"""Read a table of nominal columns as documents whose terms are pairs of name and value.

    Parameters
    ----------
    path : str or path-like
        A table as in `read_table`, or ARFF.
    label : str, default="label"
        The column with the label.
    attributes : "all", list of str, str or Attributes, default="all"
        The columns to use: all but the label, or those with these names; a string separates them
        by commas. Or the attributes of another table.
    n_bins : int, optional
        Number of ranges for columns of numbers; see `Attributes.learn`.
    id : str, optional
        The column that names the rows, for ``ids`` of the corpus. "all" leaves it out.
    format : str, optional
        By default, the format of the file's ending.
    keep_unlabeled, keep_model_labels : bool
        As in `read_corpus`.
    **options : dict
        More arguments of :func:`read_table`, such as ``delimiter=";"``.

    Returns
    -------
    corpus : Corpus
        Its documents have one line ``name=value`` for each value. Use them with
        ``TextClassifier(language="attributes")``, or count them with
        ``TextVectorizer(language="attributes")``.
    attributes : Attributes
        The attributes, to write other records in the same way.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import read_attributes
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mushrooms.csv")
    ...     _ = path.write_text("odor,cap,class\nnone,red,edible\nfoul,?,poisonous\n")
    ...     corpus, attributes = read_attributes(path, label="class")
    >>> corpus.documents
    ['odor=none\ncap=red', 'odor=foul']
    """
    required = {"label": label} | ({} if id is None else {"id": id})
    format = format or detect_format(path)
    frame = read_table(path, required=required, format=format, **options)
    columns = list(frame.columns)
    source = source_column(label, columns)
    if not isinstance(attributes, Attributes):
        names = attributes
        if attributes == ALL:
            names = [name for name in columns if name not in {source, *required.values()}]
        elif isinstance(attributes, str):
            names = [name.strip() for name in attributes.split(",")]
        names = list(dict.fromkeys(names))
        check_columns(str(path), columns, {"attributes": names})
        if label in names:
            raise ValueError(
                f"{path}: the column {label!r} cannot be both an attribute and the label. "
                "Leave it out of `attributes`."
            )
        attributes = Attributes.learn(frame_rows(frame), names, n_bins)
    elif format not in OF_OBJECTS:  # an object of JSON may lack fields
        check_columns(str(path), columns, {"attributes": list(attributes.edges)})
    documents = frame[[name for name in columns if name in (label, id, source)]].copy()
    documents[DOCUMENT] = attributes.write_frame(frame)
    keep = {"keep_unlabeled": keep_unlabeled, "keep_model_labels": keep_model_labels}
    return corpus_of(documents, path, DOCUMENT, label, id, **keep), attributes


def _value(cell: Any) -> str | None:
    """Return a value as a string without line breaks, or None if it is missing."""
    if is_missing(cell) or (isinstance(cell, float) and not isfinite(cell)):
        return None
    cell = exact_integer(cell)
    if isinstance(cell, list | tuple | dict):
        raise ValueError(
            f"{cell!r} is not one value. Leave this column out: name the others with `attributes`."
        )
    value = " ".join(str(cell).split())
    return None if value in NO_VALUE else value


def _edges(values: list[float], n_bins: int) -> tuple[float, ...]:
    shares = np.linspace(0, 100, n_bins + 1)
    edges = np.unique(np.percentile(values, shares, method="averaged_inverted_cdf"))
    # if most values are the smallest one, all others are the second range
    return tuple(edges[1:-1].tolist()) or (sorted({*values})[1],)


def _range(value: str, edges: tuple[float, ...]) -> str:
    if not NUMBER.fullmatch(value):
        return value  # unknown to the model
    at = bisect_right(edges, float(value))
    if at == 0:
        return f"below {edges[0]:.12g}"
    if at == len(edges):
        return f"{edges[-1]:.12g} or more"
    return f"{edges[at - 1]:.12g} to {edges[at]:.12g}"
