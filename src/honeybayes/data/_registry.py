"""The corpora of the papers, and the bundled one, by name."""

import hashlib
import warnings
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import as_file, files
from pathlib import Path

from honeybayes.data._catalog import BUNDLED, ENTRIES, Entry
from honeybayes.data._corpus import Corpus
from honeybayes.data._places import VARIABLE, data_folders, locate
from honeybayes.data._read import read_corpus

SEED = 0  # of the corpora that are drawn from a larger one


@dataclass(frozen=True)
class CorpusDescription:
    """What is known about a corpus; ``print`` it to read it.

    Parameters
    ----------
    name : str
        For :func:`load_corpus`.
    summary : str
        What it is.
    documents, classes : int
        How many there must be.
    terms : int or None
        Columns of the matrix; None for texts.
    published : str
        Where the original is published.
    citation : str
        What to cite.
    files : tuple of str
        Names under which it is looked for: the form used here first, then the publisher's own,
        if the readers know it. Empty for a corpus that is fetched only, or bundled.
    sha256 : str or None
        Digest of the first file, the one that the published figures were measured on.
    fetched : bool
        Whether scikit-learn can fetch it.

    See Also
    --------
    describe_corpus : Makes it.
    """

    name: str
    summary: str
    documents: int
    classes: int
    terms: int | None
    published: str
    citation: str
    files: tuple[str, ...]
    sha256: str | None
    fetched: bool

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.summary}",
            f"  {_sizes(self.documents, self.classes, self.terms)}",
            f"  published: {self.published}",
            f"  cite: {self.citation}",
        ]
        if self.files:
            lines.append(f"  looked for as: {' or '.join(self.files)}")
        if self.fetched:
            lines.append("  fetched by scikit-learn if it is not there")
        return "\n".join(lines)


def list_corpora() -> list[str]:
    """Return the names that :func:`load_corpus` knows, sorted.

    Returns
    -------
    list of str
        One name for each corpus.

    Examples
    --------
    >>> from honeybayes.data import list_corpora
    >>> "20news-18828" in list_corpora()
    True
    """
    return sorted(ENTRIES)


def describe_corpus(name: str) -> CorpusDescription:
    """Tell what a corpus is, where it is published, and which file it is read from.

    Parameters
    ----------
    name : str
        One of :func:`list_corpora`, in any case.

    Returns
    -------
    CorpusDescription
        Nothing is read or fetched for it.

    Examples
    --------
    >>> from honeybayes.data import describe_corpus
    >>> print(describe_corpus("religion"))  # doctest: +ELLIPSIS
    religion: 20 Newsgroups without cross-posts, its 3 groups on religion
      2,424 documents in 3 classes, texts
      published: ...
      cite: Lang, K. (1995). NewsWeeder: ...
      looked for as: 20news-18828.jsonl.gz or 20news-18828
    """
    key, entry = _find_entry(name)
    source = entry.source
    return CorpusDescription(
        name=key,
        summary=", ".join(filter(None, [source.summary, entry.part])),
        documents=entry.documents,
        classes=entry.classes,
        terms=entry.terms,
        published=source.published,
        citation=source.citation,
        files=source.files if source is not BUNDLED else (),
        sha256=source.sha256,
        fetched=source.fetch is not None,
    )


def load_corpus(name: str, download_if_missing: bool = True) -> Corpus:
    """Load a corpus of the papers, or the bundled one, ``"messages"``.

    A file is looked for in the folder that the environment variable HONEYBAYES_DATA names, then in
    the folder ``honeybayes`` of the platform's cache. If it is in neither, scikit-learn fetches
    the corpora that it can.

    Parameters
    ----------
    name : str
        One of :func:`list_corpora`, in any case: the papers' ``"RELIGION"`` is ``"religion"``.
    download_if_missing : bool, default=True
        Whether to fetch what is not on this machine.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts where only that is published.

    Raises
    ------
    FileNotFoundError
        The corpus is not there and could not be fetched; says which file to put where.
    ValueError
        No such corpus, or the file does not hold the documents and classes that it should.

    Warns
    -----
    UserWarning
        The file holds what it should, but is not, byte by byte, the one that the figures of this
        project were measured on.

    Examples
    --------
    >>> from honeybayes.data import load_corpus
    >>> load_corpus("messages")
    Corpus('messages', 600 texts, 8 classes)
    """
    key, entry = _find_entry(name)
    corpus, place = _read_or_fetch(key, entry, download_if_missing)
    corpus = corpus.keep_classes(entry.only or corpus.classes, name=key)
    if entry.per_class:
        corpus = corpus.draw(entry.per_class, seed=SEED)
    found = (len(corpus), len(corpus.classes), corpus.n_terms)
    if found != (entry.documents, entry.classes, entry.terms):
        raise ValueError(
            f"{place} is not the published corpus {key!r}: "
            f"{_sizes(entry.documents, entry.classes, entry.terms)} are expected, "
            f"{_sizes(*found)} found."
        )
    if isinstance(place, Path) and place.name == entry.source.files[0]:
        _compare_digest(place, entry)
    return corpus


def _sizes(documents: int, classes: int, terms: int | None) -> str:
    content = "texts" if terms is None else f"counts of {terms:,} terms"
    return f"{documents:,} documents in {classes} classes, {content}"


def _find_entry(name: str) -> tuple[str, Entry]:
    key = name.lower()
    if key not in ENTRIES:
        near = get_close_matches(key, ENTRIES)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See list_corpora()."
        raise ValueError(f"There is no corpus {name!r}. {hint}")
    return key, ENTRIES[key]


def _read_or_fetch(key: str, entry: Entry, download_if_missing: bool) -> tuple[Corpus, Path | str]:
    """Return all documents of the source, and where they came from."""
    source = entry.source
    if source is BUNDLED:
        with as_file(files("honeybayes.data") / source.files[0]) as path:
            return read_corpus(path), path
    place = locate(*source.files)
    if place is not None:
        return read_corpus(place), place
    reason = ""
    if source.fetch and download_if_missing:
        try:
            return source.fetch(), "What scikit-learn fetched"
        except (OSError, ValueError) as error:  # no network; no such data set on the server
            reason = f" and could not be fetched ({error})"
    folders = " or ".join(map(str, data_folders()))
    advice = (
        f"Put {' or '.join(source.files)} in {folders}, or set {VARIABLE} to the folder that "
        f"holds it."
        if source.files
        else "Try again with a network."
    )
    raise FileNotFoundError(
        f"The corpus {key!r} is not on this machine{reason}. {advice} "
        f"It is published here: {source.published}."
    )


def _compare_digest(path: Path, entry: Entry) -> None:
    if entry.source.sha256 is None:
        return
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != entry.source.sha256:
        warnings.warn(
            f"{path} has the right numbers of documents and classes, but its SHA-256 is {digest}, "
            f"not {entry.source.sha256}: figures may differ from those of this project.",
            UserWarning,
            stacklevel=3,
        )
