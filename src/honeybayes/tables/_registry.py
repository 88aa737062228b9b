"""Corpora by name: the bundled corpora, 20 Newsgroups (scikit-learn), and the user's files."""

from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from honeybayes.tables._corpus import Corpus
from honeybayes.tables._files import FORMAT_OF_ENDING, OF_COUNTS
from honeybayes.tables._read import has_label_column, read_corpus
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.writing import DATA_VARIABLE, data_folders


@dataclass(frozen=True)
class CorpusDescription:
    """Description of a corpus. Use ``print`` to read it.

    Parameters
    ----------
    name : str
        Name for :func:`load_corpus`.
    summary : str
        Short description.
    documents, classes : int or None
        Number of documents and of classes. None for a file, because the file is not read.
    published, citation : str
        Where the original is published, and what to cite; empty for a file.
    file : str
        The path of a file; empty for the other corpora.

    See Also
    --------
    describe_corpus : Returns the description of a corpus.
    """

    name: str
    summary: str
    documents: int | None = None
    classes: int | None = None
    published: str = ""
    citation: str = ""
    file: str = ""

    def __str__(self) -> str:
        sizes = f"{self.documents:,} documents in {self.classes} classes" if self.documents else ""
        facts = {"": sizes, "published: ": self.published, "cite: ": self.citation}
        lines = [f"  {title}{fact}" for title, fact in facts.items() if fact]
        return "\n".join([f"{self.name}: {self.summary}", *lines])


OURS = 8, "with honeybayes, under CC0", "the honeybayes project"  # classes, and where it is from
BUNDLED = (
    CorpusDescription("messages", "short customer messages, written for honeybayes", 600, *OURS),
    CorpusDescription(
        "mailbox", "the mailbox of a housing office, synthetic, made for honeybayes", 703, *OURS
    ),
)
FETCHED = CorpusDescription(
    "20news-bydate",
    "20 Newsgroups sorted by date, with all headers, fetched by scikit-learn",
    18_846,
    20,
    "the 20 Newsgroups page of Jason Rennie, http://qwone.com/~jason/20Newsgroups/",
    "Lang, K. (1995). NewsWeeder: Learning to filter netnews. Proceedings of the 12th "
    "International Conference on Machine Learning, 331-339.",
)


def list_corpora() -> list[str]:
    """Return the names that :func:`load_corpus` knows, sorted.

    Returns
    -------
    list of str
        The bundled corpora, the corpus that scikit-learn downloads, and the names of the data
        files in the folder that HONEYBAYES_DATA names and in the cache folder.

    Examples
    --------
    >>> from honeybayes.tables import list_corpora
    >>> "messages" in list_corpora()
    True
    """
    return sorted(_known())


def describe_corpus(name: str) -> CorpusDescription:
    """Return what a corpus is, where it is published and what to cite.

    Parameters
    ----------
    name : str
        One of :func:`list_corpora`. Upper and lower case are the same.

    Returns
    -------
    CorpusDescription
        The description. No file is read, and nothing is downloaded.

    Examples
    --------
    >>> from honeybayes.tables import describe_corpus
    >>> print(describe_corpus("messages"))
    messages: short customer messages, written for honeybayes
      600 documents in 8 classes
      published: with honeybayes, under CC0
      cite: the honeybayes project
    """
    known = _known()
    by_lower_case = {each.lower(): each for each in known}
    if name.lower() not in by_lower_case:
        folders = " or ".join(map(str, data_folders()))
        hint = did_you_mean(name, known, n=3) or (
            f" See list_corpora() or `honeybayes data list`. To use a file by name, put "
            f"{name}.csv or {name}.jsonl in {folders}, or set {DATA_VARIABLE} to its folder."
        )
        raise ValueError(f"There is no corpus {name!r}.{hint}")
    return known[by_lower_case[name.lower()]]


def load_corpus(name: str, download_if_missing: bool = True) -> Corpus:
    """Load a corpus by name.

    ``"messages"`` and ``"mailbox"`` are bundled. ``"20news-bydate"`` is downloaded by scikit-learn.
    Any other name is the name of a file, such as ``mail.csv`` for ``"mail"``, in the folder that
    the environment variable HONEYBAYES_DATA names, or in the folder ``honeybayes`` of the
    platform's cache.

    Parameters
    ----------
    name : str
        One of :func:`list_corpora`. Upper and lower case are the same.
    download_if_missing : bool, default=True
        Whether scikit-learn may download a corpus that is not on this machine.

    Returns
    -------
    Corpus
        The documents and labels. A file needs the columns ``text`` and ``label``; for other names
        use :func:`read_corpus`.

    Examples
    --------
    >>> from honeybayes.tables import load_corpus
    >>> load_corpus("messages")
    Corpus('messages', 600 texts, 8 classes)
    """
    found = describe_corpus(name)
    if found.file:
        return replace(read_corpus(found.file), name=found.name)
    if found is not FETCHED:
        with as_file(files("honeybayes.tables") / f"{found.name}.jsonl") as path:
            return read_corpus(path, keep_unlabeled=True, keep_blank=True)
    from sklearn.datasets import fetch_20newsgroups  # a slow import

    try:
        bunch = fetch_20newsgroups(
            subset="all", shuffle=False, download_if_missing=download_if_missing, n_retries=1
        )
    except (OSError, ValueError) as error:
        raise FileNotFoundError(
            f"The corpus {found.name!r} is not on this machine and could not be downloaded "
            f"({error}). Try again with a network connection."
        ) from error
    return Corpus(found.name, list(bunch.data), np.array(bunch.target_names)[bunch.target])


def find_data_file(*names: str) -> Path:
    """Find the first of some files or folders in the folder of HONEYBAYES_DATA or the cache folder.

    The cache folder is the one that HONEYBAYES_CACHE names, or else ``honeybayes`` in the
    platform's folder for caches, for example ``~/.cache/honeybayes``.

    Parameters
    ----------
    *names : str
        Accepted names, such as ``"20news-18828.jsonl.gz"``, in the order of preference.

    Examples
    --------
    >>> from honeybayes.tables import find_data_file
    >>> find_data_file("no-such.csv")
    Traceback (most recent call last):
    FileNotFoundError: no-such.csv was not found in ...
    """
    paths = (folder / name for folder in data_folders() for name in names)
    found = next((path for path in paths if path.exists()), None)
    if found is None:
        raise FileNotFoundError(
            f"{' or '.join(names)} was not found in {' or '.join(map(str, data_folders()))}. Put "
            f"the file there, or set {DATA_VARIABLE} to the folder with the file, for example with "
            f"`export {DATA_VARIABLE}=~/corpora`."
        )
    return found


def _known() -> dict[str, CorpusDescription]:
    """Return all corpora by name. If two files have the same name, the first is used."""
    known = {each.name: each for each in (*BUNDLED, FETCHED)}
    for folder in data_folders():
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
            ending = unpacked.suffix.lower()
            is_corpus = has_label_column(FORMAT_OF_ENDING.get(ending)) or ending in OF_COUNTS
            if is_corpus and path.is_file():
                described = CorpusDescription(unpacked.stem, f"the file {path}", file=str(path))
                known.setdefault(unpacked.stem, described)
    return known
