"""The column that says who gave the labels of a table: a person or a model."""

from collections.abc import Collection

PERSON, MODEL = "person", "model"
PREFIX = "honeybayes_"  # of new columns, if the table has one with the same name


def source_column(label: str, columns: Collection[str]) -> str:
    """Return the name of the column that says who gave the labels of another column.

    Parameters
    ----------
    label : str
        The column with the labels.
    columns : collection of str
        All columns of the table.

    Returns
    -------
    str
        "source". If the table has a column "label" which is not the one that is meant, "source"
        belongs to that, and the name starts with the name of the other column: "queue_source".

    Examples
    --------
    >>> from honeybayes.data.sources import source_column
    >>> source_column("queue", ["text", "queue"]), source_column("queue", ["label", "queue"])
    ('source', 'queue_source')
    """
    if label.startswith(PREFIX) and label.endswith("label"):
        return f"{label.removesuffix('label')}source"
    return f"{label}_source" if label != "label" and "label" in columns else "source"
