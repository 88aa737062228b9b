"""Labeled documents, the result of every reader."""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.tables._frames import EXACT_BELOW, MODEL, exact_integer, read_texts, source_column
from honeybayes.utils.labels import UNLABELED, find_missing, has_no_label, is_missing
from honeybayes.utils.messages import say_rows
from honeybayes.utils.parameters import documented

LONGEST_LABEL = 500
N_SHOWN = 5  # names in a message
NUMBER, WHOLE = re.compile(r"[+-]?\d+(\.\d+)?"), re.compile(r"^([+-]?\d+)\.0+\Z")
LIST_OF_LABELS = re.compile(r"[\[({].*[,;|].*[\])}]", re.DOTALL)
SEPARATORS = re.compile(r"[,;|]")
ONE_LABEL = (
    "A document must have exactly one label, because multi-label classification is not supported. "
    "Keep one label, or make one file per label."
)


def spell_numbers(labels: np.ndarray, known: Sequence[str], always: bool = False) -> np.ndarray:
    """Write whole numbers in one way, if all labels are numbers: as known, or as integers.

    Programs write 1.0 for 1 if cells of the column are empty. Unless ``always``, labels change only
    if there are two spellings of the same number, in the table or in the table and ``known``.
    """
    names = set(labels.tolist()) - {UNLABELED, *find_missing(labels, known)}
    if not names or not all(map(NUMBER.fullmatch, names)):
        return labels
    integers = {name: WHOLE.sub(r"\1", name) for name in {*names, *known}}
    spellings = {integers[name]: name for name in known}
    new = {name: spellings.get(integers[name], integers[name]) for name in names - {*known}}
    has_twins = any(integers[name] != name and integers[name] in names for name in names)
    changed = {old: name for old, name in new.items() if old != name}
    if not changed or not (always or has_twins or set(changed.values()) & {*known}):
        return labels
    pairs = ", ".join(f"{old} as {name}" for old, name in sorted(changed.items())[:N_SHOWN])
    warnings.warn(
        f"Some labels are the same number in two spellings, and are read as one: {pairs}.",
        UserWarning,
        stacklevel=3,
    )
    return np.array([changed.get(name, name) for name in labels.tolist()])


def fold_labels(labels: np.ndarray, spellings: Sequence[str]) -> np.ndarray:
    """Write labels that differ only in case in one way: a known spelling, or the most frequent."""
    names, counts = np.unique(labels, return_counts=True)
    by_folded: dict[str, str] = {}
    for name in [*spellings, *names[np.argsort(-counts, kind="stable")].tolist()]:
        by_folded.setdefault(name.casefold(), name)
    known = set(spellings)
    return np.array(
        [name if name in known else by_folded[name.casefold()] for name in labels.tolist()]
    )


@documented
@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Documents with their labels.

    Parameters
    ----------
    name : str
        The name of the corpus; a part has the same by default.
    documents : list of str or csr_array of shape (n_documents, n_terms)
        The texts, or the counts of their terms.
    labels : ndarray of str, shape (n_documents,)
        The label of each document; an empty string if the document is unlabeled.
    vocabulary : ndarray of str, shape (n_terms,), or None
        The terms of the columns of a count matrix, if known.
    rows : ndarray of int, shape (n_documents,), or None
        Row of each document in its file or in the larger corpus, from 0; None if these are all.
    ids : ndarray of str, shape (n_documents,), or None
        A name or number of each document, to show it to a person.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.tables import Corpus
    >>> labels = np.array(["fruit", "fruit", "leaf"])
    >>> corpus = Corpus("food", ["an apple", "a plum", "some kale"], labels)
    >>> corpus
    Corpus('food', 3 texts, 2 classes)
    >>> corpus.keep_classes(["fruit"]).documents
    ['an apple', 'a plum']
    >>> corpus.draw(1, seed=0)
    Corpus('food', 2 texts, 2 classes)
    """

    name: str
    documents: list[str] | sparse.csr_array
    labels: NDArray[np.str_]
    vocabulary: NDArray[np.str_] | None = None
    rows: NDArray[np.intp] | None = None
    ids: NDArray[np.str_] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        if isinstance(self.documents, list):
            documents = f"{len(self)} texts"
        else:
            documents = f"{len(self)} documents with {self.n_terms} terms"
        return f"Corpus({self.name!r}, {documents}, {len(self.classes)} classes)"

    @property
    def classes(self) -> NDArray[np.str_]:
        """The distinct labels in sorted order, without the empty label."""
        return np.unique(self.labels[self.labels != UNLABELED])

    @property
    def n_terms(self) -> int | None:
        """The number of columns of a count matrix; None for texts."""
        return None if isinstance(self.documents, list) else self.documents.shape[1]

    def keep_classes(self, classes: Iterable[str], name: str | None = None) -> "Corpus":
        """Return the documents of some classes, in the same order.

        Parameters
        ----------
        classes : iterable of str
            The classes to keep.
        """
        kept = np.array(sorted(set(classes)))
        missing = np.setdiff1d(kept, self.classes)
        if len(missing):
            raise ValueError(
                f"{self.name!r} has no class {', '.join(map(repr, missing.tolist()))}. "
                f"Its classes are: {', '.join(self.classes)}."
            )
        return self.take(np.flatnonzero(np.isin(self.labels, kept)), name)

    def draw(self, per_class: int, seed: int = 0, name: str | None = None) -> "Corpus":
        """Draw documents of each class at random, without replacement; their order stays the same.

        Parameters
        ----------
        per_class : int
            The number of documents per class.
        seed : int, default=0
            The seed of the random numbers.
        """
        random = np.random.default_rng(seed)
        drawn = []
        for label in self.classes.tolist():
            rows = np.flatnonzero(self.labels == label)
            if not 1 <= per_class <= len(rows):
                raise ValueError(
                    f"Cannot draw {per_class} documents per class from {self.name!r}: per_class "
                    f"must be between 1 and {len(rows)}, the size of the class {label!r}."
                )
            drawn.append(random.choice(rows, per_class, replace=False))
        return self.take(np.sort(np.concatenate(drawn)), name)

    def split_unlabeled(
        self,
    ) -> tuple[list[str] | sparse.csr_array, NDArray[np.str_], list[str] | sparse.csr_array]:
        """Separate labeled and unlabeled documents.

        Returns
        -------
        documents : list of str or csr_array
            The documents with a label.
        labels : ndarray of str
            Their labels.
        pool : list of str or csr_array
            The documents without a label, for ``TextClassifier.fit(documents, labels, pool=pool)``.
        """
        labeled = self.take(np.flatnonzero(self.labels != UNLABELED))
        pool = self.take(np.flatnonzero(self.labels == UNLABELED))
        return labeled.documents, labeled.labels, pool.documents

    def add_pool(self, texts: Sequence[str]) -> "Corpus":
        """Return the texts of this corpus, and then more texts, which have no label.

        Parameters
        ----------
        texts : sequence of str
            The texts. They are not in the table, so their rows are -1.
        """
        n = len(texts)
        rows = np.arange(len(self)) if self.rows is None else self.rows
        return Corpus(
            self.name,
            [*self.documents, *texts],
            np.concatenate([self.labels, np.full(n, UNLABELED)]),
            rows=np.concatenate([rows, np.full(n, -1)]),
            ids=None if self.ids is None else np.concatenate([self.ids, np.full(n, "")]),
        )

    def take(self, rows: Any, name: str | None = None) -> "Corpus":
        """Return some documents in the given order, with all columns of a count matrix.

        Parameters
        ----------
        rows : array-like of int
            Their positions.
        """
        rows = np.asarray(rows, dtype=np.intp)
        if isinstance(self.documents, list):
            documents: Any = [self.documents[row] for row in rows]
        else:
            documents = self.documents[rows]
        before = rows if self.rows is None else self.rows[rows]
        ids = None if self.ids is None else self.ids[rows]
        return Corpus(name or self.name, documents, self.labels[rows], self.vocabulary, before, ids)


def labeled_corpus(
    documents: Any, cells: Any, path: Any, keep_empty: bool | None, whole_floats: bool, **more: Any
) -> Corpus:
    """Return documents and a column of labels; raise ValueError with the place of a wrong label.

    The corpus is named after the file; ``more`` are other arrays of it.
    `keep_empty` is None if the reader has no parameter ``keep_unlabeled``. With `whole_floats`, a
    whole float is read as an integer, because missing values make floats of integers.
    """
    unit = cells.index.name
    labels = []
    known: dict[Any, str] = {}
    places: dict[str, str] = {}  # where each label is first
    for number, cell in zip(cells.index, cells.tolist(), strict=True):
        key = type(cell), id(cell) if isinstance(cell, list | dict | np.ndarray) else cell
        if key not in known:
            place = f"{path}, {unit} {number}, column {cells.name!r}"
            known[key] = _check_label(cell, place, keep_empty, whole_floats)
            places.setdefault(known[key], place)
        labels.append(known[key])
    empty = [] if keep_empty else cells.index[np.array(labels) == UNLABELED].tolist()
    if empty:
        rest = f" (and {len(empty) - 1} more, the next in {unit} {empty[1]})" if empty[1:] else ""
        or_keep = ", or use keep_unlabeled=True, and split_unlabeled() of the corpus"
        raise ValueError(
            f"{places[UNLABELED]}: the label is empty{rest}. "
            f"Fill it in, or remove the {unit}{'' if keep_empty is None else or_keep}."
        )
    if not labels:
        raise ValueError(f"{path} contains no documents.")
    classes = set(labels) - {UNLABELED}
    for label in classes:
        # "Arts, Crafts" may be one class, unless "Arts" and "Crafts" are classes as well.
        parts = {part.strip() for part in SEPARATORS.split(label)}
        if len(parts) > 1 and parts <= classes:
            raise ValueError(f"{places[label]}: {label!r} is not one label. {ONE_LABEL}")
    file = Path(path).name
    return Corpus(file.split(".")[0] or file, documents, np.array(labels), **more)


def _check_label(cell: Any, where: str, keep_empty: bool | None, whole_floats: bool) -> str:
    if isinstance(cell, float) and (keep_empty or whole_floats):
        cell = exact_integer(cell)
    if isinstance(cell, list | tuple | dict | np.ndarray):
        raise ValueError(f"{where}: {cell!r} is not one label. {ONE_LABEL}")
    if has_no_label(cell) and (keep_empty is not None or not isinstance(cell, float)):
        return UNLABELED
    label = str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell
    if not isinstance(label, str):
        too_large = isinstance(cell, float) and abs(cell) >= EXACT_BELOW
        raise ValueError(
            f"{where}: a label must be a string or an integer"
            f"{' below 2**53' if too_large else ''}, got {cell!r}."
        )
    label = label.strip()
    if "\0" in label:  # NumPy drops it at the end of a string
        raise ValueError(f"{where}: the label {label!r} contains a NUL character. Remove it.")
    if len(label) > LONGEST_LABEL:
        raise ValueError(
            f"{where}: the label has {len(label)} characters, but at most {LONGEST_LABEL} are "
            f"allowed. Is this the column with the text?"
        )
    if LIST_OF_LABELS.fullmatch(label):
        raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
    return label


def corpus_of(
    frame: Any,
    path: str | PathLike[str],
    text: str | Sequence[str],
    label: str,
    id: str | None = None,
    *,
    keep_unlabeled: bool | None = False,
    keep_model_labels: bool = True,
    whole_floats: bool = False,
) -> Corpus:
    """Return the texts and labels of a frame; the corpus is named after the file."""
    if ([text] if isinstance(text, str) else [*text]) == [label]:
        raise ValueError(
            f"{path}: the column {label!r} cannot be both the text and the label. Name two columns."
        )
    texts, labels = read_texts(frame, text, path), frame[label]
    source = source_column(label, list(frame.columns))
    if not keep_model_labels and source in frame:
        labels = _own_labels(labels, frame[source])
    ids = None
    if id is not None:
        found = frame[id].tolist()
        ids = np.array(["" if is_missing(each) else str(each).strip() for each in found])
    return labeled_corpus(texts, labels, path, keep_unlabeled, whole_floats, ids=ids)


def without_blank(corpus: Corpus, where: object) -> Corpus:
    """Return the corpus without documents that have no text, and warn about them."""
    kept = [row for row, words in enumerate(corpus.documents) if words.strip()]
    if not kept:
        raise ValueError(
            f"{where}: no row has a text. Name the column with the texts with text= (--text on the "
            "command line)."
        )
    n_blank = len(corpus.documents) - len(kept)
    if not n_blank:
        return corpus
    told = say_rows(n_blank, "has no text and is", "have no text and are")
    warnings.warn(f"{where}: {told} left out.", UserWarning, stacklevel=3)
    return corpus.take(kept)


def _own_labels(labels: Any, sources: Any) -> Any:
    """Return the labels that a person gave, and empty strings for the others."""
    of_model = [
        isinstance(source, str) and source.strip().casefold() == MODEL and label is not UNLABELED
        for label, source in zip(labels, sources, strict=True)
    ]
    if n_set_aside := sum(of_model):
        are = "1 label is" if n_set_aside == 1 else f"{n_set_aside} labels are"
        warnings.warn(
            f"{are} set aside, because the column that says who gave them says {MODEL!r}. Their "
            "texts count as texts without a label. keep_model_labels=True (on the command line, "
            "--read keep-model-labels) uses them as labels.",
            UserWarning,
            stacklevel=4,
        )
    labels = labels.copy()
    labels.iloc[np.flatnonzero(of_model)] = UNLABELED
    return labels
