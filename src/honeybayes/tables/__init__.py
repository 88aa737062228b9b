"""Tables and labeled documents: one reader and one writer for all formats; corpora by name."""

from honeybayes.tables._attributes import Attributes, read_attributes
from honeybayes.tables._corpus import Corpus
from honeybayes.tables._corpus import fold_labels as fold_labels
from honeybayes.tables._corpus import spell_numbers as spell_numbers
from honeybayes.tables._corpus import without_blank as without_blank
from honeybayes.tables._delimited import delimiter_of as delimiter_of
from honeybayes.tables._files import FORMAT_OF_ENDING as FORMAT_OF_ENDING
from honeybayes.tables._files import detect_format as detect_format
from honeybayes.tables._files import file_ending as file_ending
from honeybayes.tables._files import find_class_folders as find_class_folders
from honeybayes.tables._files import find_files as find_files
from honeybayes.tables._files import is_many as is_many
from honeybayes.tables._files import is_stream as is_stream
from honeybayes.tables._frames import MODEL as MODEL
from honeybayes.tables._frames import N_GUESSED as N_GUESSED
from honeybayes.tables._frames import PERSON as PERSON
from honeybayes.tables._frames import PREFIX as PREFIX
from honeybayes.tables._frames import Table
from honeybayes.tables._frames import are_ids as are_ids
from honeybayes.tables._frames import by_column as by_column
from honeybayes.tables._frames import check_columns as check_columns
from honeybayes.tables._frames import find_label_column as find_label_column
from honeybayes.tables._frames import find_text_column as find_text_column
from honeybayes.tables._frames import frame_rows as frame_rows
from honeybayes.tables._frames import has_words as has_words
from honeybayes.tables._frames import is_frame as is_frame
from honeybayes.tables._frames import join_frames as join_frames
from honeybayes.tables._frames import make_frame as make_frame
from honeybayes.tables._frames import read_texts as read_texts
from honeybayes.tables._frames import source_column as source_column
from honeybayes.tables._read import OF_OBJECTS as OF_OBJECTS
from honeybayes.tables._read import has_label_column as has_label_column
from honeybayes.tables._read import open_table, read_corpus, read_table, write_corpus
from honeybayes.tables._read import read_columns as read_columns
from honeybayes.tables._registry import (
    CorpusDescription,
    describe_corpus,
    find_data_file,
    list_corpora,
    load_corpus,
)
from honeybayes.tables._write import ENDINGS as ENDINGS
from honeybayes.tables._write import check_new_columns as check_new_columns
from honeybayes.tables._write import open_text_output as open_text_output
from honeybayes.tables._write import open_writer as open_writer
from honeybayes.tables._write import write_table
from honeybayes.utils.labels import find_missing

__all__ = [
    "Attributes",
    "Corpus",
    "CorpusDescription",
    "Table",
    "describe_corpus",
    "find_data_file",
    "find_missing",
    "list_corpora",
    "load_corpus",
    "open_table",
    "read_attributes",
    "read_corpus",
    "read_table",
    "write_corpus",
    "write_table",
]
