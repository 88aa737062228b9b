"""Labeled documents: readers of files, and corpora by name."""

from honeybayes.data._arff import read_arff
from honeybayes.data._corpus import Corpus
from honeybayes.data._folders import find_data_file
from honeybayes.data._frames import is_frame as is_frame
from honeybayes.data._frames import read_frame
from honeybayes.data._read import detect_format, read_corpus
from honeybayes.data._registry import (
    CorpusDescription,
    describe_corpus,
    list_corpora,
    load_corpus,
)
from honeybayes.data._svmlight import read_svmlight
from honeybayes.data._text_folders import read_text_folders
from honeybayes.data._text_tables import read_csv, read_excel, read_json_lines, read_parquet
from honeybayes.data._write import write_corpus

__all__ = [
    "Corpus",
    "CorpusDescription",
    "describe_corpus",
    "detect_format",
    "find_data_file",
    "list_corpora",
    "load_corpus",
    "read_arff",
    "read_corpus",
    "read_csv",
    "read_excel",
    "read_frame",
    "read_json_lines",
    "read_parquet",
    "read_svmlight",
    "read_text_folders",
    "write_corpus",
]
