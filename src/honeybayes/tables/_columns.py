"""Names of columns: how to find them, and who gave the labels of one."""

from collections.abc import Collection, Mapping, Sequence

from honeybayes.utils.suggestions import did_you_mean

Columns = str | Sequence[str]  # the name of a column, or names of several
PERSON, MODEL = "person", "model"
PREFIX = "honeybayes_"  # of new columns, if the table has one with the same name


def split_columns(name: Columns, columns: Sequence[str]) -> list[str]:
    """Return the names of one column or several; "a,b" is two columns if there is no such one."""
    if not isinstance(name, str):
        return list(name)
    parts = [part.strip() for part in name.split(",")]
    return parts if name not in columns and set(parts) <= set(columns) else [name]


def check_columns(where: str, columns: Sequence[str], required: Mapping[str, Columns]) -> None:
    """Raise ValueError if a required column is missing or ambiguous; see `open_table`."""
    for argument, name in required.items():
        advice = f"Name the column with {argument}= (--{argument} on the command line)."
        if argument == "pool":
            advice = "The texts of the pool must be in a column of this name, as in the table."
        for each in split_columns(name, columns):
            if each not in columns:
                there = ", ".join(map(repr, columns)) or "none"
                raise ValueError(
                    f"{where}: there is no column {each!r}. The columns are: {there}."
                    f"{did_you_mean(each, columns)} {advice}"
                )
            if list(columns).count(each) > 1:
                raise ValueError(f"{where}: two columns are called {each!r}. Rename one of them.")


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
    >>> from honeybayes.tables import source_column
    >>> source_column("queue", ["text", "queue"]), source_column("queue", ["label", "queue"])
    ('source', 'queue_source')
    """
    if label.startswith(PREFIX) and label.endswith("label"):
        return f"{label.removesuffix('label')}source"
    return f"{label}_source" if label != "label" and "label" in columns else "source"
