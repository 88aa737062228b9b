"""Labeled documents: readers of files, and the corpora of the papers by name."""

from honeybayes.data._corpus import Corpus
from honeybayes.data._folder import find_data_file
from honeybayes.data._readers import read_json_lines, read_npz
from honeybayes.data._registry import list_corpora, load_corpus

__all__ = [
    "Corpus",
    "find_data_file",
    "list_corpora",
    "load_corpus",
    "read_json_lines",
    "read_npz",
]
