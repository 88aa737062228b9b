"""Labeled texts in Parquet, read with pyarrow."""

from os import PathLike

from honeybayes.data._collector import DocumentCollector, column_position
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_format, existing_file, require

MAGIC = b"PAR1"


def read_parquet(
    path: str | PathLike[str],
    text: str = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
) -> Corpus:
    """Read labeled texts from a Parquet file.

    Requires pyarrow: ``pip install 'honeybayes[parquet]'``.

    Parameters
    ----------
    path : str or path-like
        The file.
    text, label : str
        The columns with the text and the label of a document. Other columns are not read.
    keep_unlabeled : bool, default=False
        Whether to keep documents with an empty label; their label is then an empty string. By
        default, an empty label raises an error.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the row and the column.
    """
    path = existing_file(path)
    with path.open("rb") as file:
        head = file.read(64)
    if not head.startswith(MAGIC):
        check_format(path, head, "Parquet")
        raise ValueError(f"{path} is not Parquet.")
    parquet = require("pyarrow.parquet", "parquet", "Parquet")
    documents = DocumentCollector(path, text, label, "row", keep_unlabeled)
    try:
        with parquet.ParquetFile(path) as table:
            for name, argument in ((text, "text"), (label, "label")):
                column_position(str(path), name, table.schema_arrow.names, argument)
            for batch in table.iter_batches(columns=[text, label]):
                for row in batch.to_pylist():
                    documents.add(len(documents.texts) + 1, row[text], row[label])
    except (require("pyarrow", "parquet", "Parquet").ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error
    return documents.corpus()
