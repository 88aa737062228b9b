"""Parquet tables of text, read with pyarrow."""

from os import PathLike

from honeybayes.data._collector import DocumentCollector, column_position
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import existing_file, refuse_other_form, require

MAGIC = b"PAR1"


def read_parquet(
    path: str | PathLike[str],
    text: str = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
) -> Corpus:
    """Read texts from a Parquet file. Needs pyarrow: ``pip install 'honeybayes[parquet]'``.

    Parameters
    ----------
    path : str or path-like
        The file.
    text, label : str
        The columns that hold the text and the class of a document. Only these are read.
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
        Names the file, the row and the column.
    """
    path = existing_file(path)
    with path.open("rb") as file:
        head = file.read(64)
    if not head.startswith(MAGIC):
        refuse_other_form(path, head, "Parquet")
        raise ValueError(f"{path} is not Parquet.")
    parquet = require("pyarrow.parquet", "parquet", "Parquet")
    documents = DocumentCollector(path, text, label, "row", keep_unlabeled)
    try:
        with parquet.ParquetFile(path) as table:
            for name, argument in ((text, "text"), (label, "label")):
                column_position(str(path), name, table.schema_arrow.names, argument)
            for batch in table.iter_batches(columns=[text, label]):
                texts, labels = batch.column(text).to_pylist(), batch.column(label).to_pylist()
                for number, document in enumerate(
                    zip(texts, labels, strict=True), start=len(documents.texts) + 1
                ):
                    documents.add(number, *document)
    except (require("pyarrow", "parquet", "Parquet").ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error
    return documents.corpus()
