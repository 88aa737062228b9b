"""The paths behind a word: how a model that counts paths came to link it to a class."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.explain._models import (
    OpenedModel,
    find_label,
    names_unchecked,
    open_model,
    spellings_of_terms,
)
from honeybayes.paths import BridgeCounts
from honeybayes.paths.bridges import bridges_to_label, bridges_to_words
from honeybayes.utils.explaining import PathSettings
from honeybayes.utils.suggestions import did_you_mean

SHOWN_LETTERS = 60


@dataclass(frozen=True)
class Bridge:
    """A word in the middle of paths.

    Parameters
    ----------
    word : str
        The bridge, as the model knows it.
    paths : int
        Paths from the explained word over it.
    spelling : str
        The bridge as most training texts spell it, if a `TextClassifier` knows.
    """

    word: str
    paths: int
    spelling: str


@dataclass(frozen=True)
class PathDocument:
    """A training document on paths.

    Parameters
    ----------
    number : int
        Its place among the training documents, from 0.
    label : label
        Its class.
    paths : int
        Paths from the explained word through it, on this side of the bridge.
    text : str or None
        How it begins, if texts were given.
    """

    number: int
    label: Any
    paths: int
    text: str | None = None


@dataclass(frozen=True)
class Step:
    """An edge of the graph of paths: a bridge and a document beside it.

    Parameters
    ----------
    bridge : str
        The word in the middle.
    document : int
        Number of the training document.
    side : {"first", "second"}
        Whether the document comes before the bridge, or after it.
    paths : int
        Paths from the explained word over this edge.
    """

    bridge: str
    document: int
    side: str
    paths: int


@dataclass(frozen=True)
class WordExplanation:
    """How paths link a word to a class: word - first document - bridge - second document - end.

    The end is another word of the class (`HigherOrderNB`) or its label
    (`HigherOrderSmoothingNB`).

    Parameters
    ----------
    word : str
        The word, as the model knows it.
    label : label
        The class.
    model : str
        Name of the estimator's class.
    probability : float
        What the model makes of it all: P(word given class).
    occurrences : int
        Training documents of the class that hold the word.
    paths : int
        Paths from the word.
    middle : int
        Paths with the word in the middle, which count too for `HigherOrderNB`: there the word
        itself is the bridge.
    n_bridges, n_first_documents, n_second_documents : int
        How many words and documents carry the paths.
    bridges : tuple of Bridge
        Those with the most paths.
    first_documents, second_documents : tuple of PathDocument
        Those with the most paths.
    steps : tuple of Step
        Edges between the bridges and the documents that are listed.
    spelling : str
        The word as most training texts spell it, if a `TextClassifier` knows.

    See Also
    --------
    explain_word : Makes it.
    """

    word: str
    label: Any
    model: str
    probability: float
    occurrences: int
    paths: int
    middle: int
    n_bridges: int
    n_first_documents: int
    n_second_documents: int
    bridges: tuple[Bridge, ...]
    first_documents: tuple[PathDocument, ...]
    second_documents: tuple[PathDocument, ...]
    steps: tuple[Step, ...]
    spelling: str

    def to_dict(self) -> dict[str, Any]:
        """Everything as lists, dictionaries, numbers and strings, ready for JSON.

        Returns
        -------
        dict
        """
        return asdict(self)

    def plot(self, ax: Any = None, n_nodes: int = 5) -> Any:
        """Draw the graph of paths: the wider a line, the more paths run along it.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default on a new figure.
        n_nodes : int, default=5
            Bridges, first documents and second documents to show of each.

        Returns
        -------
        matplotlib axes
        """
        from honeybayes.explain._plots import plot_word

        return plot_word(self, ax, n_nodes)

    def __str__(self) -> str:
        seen = _number(self.occurrences, "document")
        lines = [
            f"{self.spelling!r} and {self.label!r}: the word is in {seen} of the class; "
            f"P(word given class) = {self.probability:.3g}"
        ]
        if self.middle:
            lines.append(f"{_number(self.middle, 'path')} with the word in the middle")
        if not self.paths:
            why = (
                " (HigherOrderNB counts paths inside the class alone)"
                if self.model == "HigherOrderNB" and not self.occurrences
                else ""
            )
            return "\n".join([*lines, f"no path from the word leads there{why}"])
        lines.append(
            f"{_number(self.paths, 'path')} from the word, over {_number(self.n_bridges, 'bridge')}"
            f", {_number(self.n_first_documents, 'first document')} and "
            f"{_number(self.n_second_documents, 'second document')}"
        )
        tables: list[tuple[str, list[tuple[str, int, str]]]] = [
            ("bridge", [(bridge.spelling, bridge.paths, "") for bridge in self.bridges]),
            ("first document", [_row(document) for document in self.first_documents]),
            ("second document", [_row(document) for document in self.second_documents]),
        ]
        width = max(len(name) for title, rows in tables for name in (title, *(r[0] for r in rows)))
        for title, rows in tables:
            lines.append(f"  {title:<{width}}  {'paths':>7}")
            for name, paths, text in rows:
                lines.append(f"  {name:<{width}}  {paths:>7,}  {text}".rstrip())
        return "\n".join(lines)


def explain_word(
    classifier: Any,
    word: Any,
    label: Any,
    documents: Any,
    labels: Any,
    *,
    k: int = 5,
    feature_names: Any = None,
) -> WordExplanation:
    """Tell by which words and documents paths link a word to a class.

    A word may speak for a class in which it never occurred: it shares a document with a bridge
    word, and the bridge occurs in the class. The paths are counted by bridge and by document from
    closed forms; none is listed, so their number makes no difference.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        A fitted `HigherOrderNB` of order 2, pure or not, or `HigherOrderSmoothingNB`, alone or
        with what makes counts of texts.
    word : str or int
        The word; a `TextClassifier` makes a stem of it. Or the number of a column.
    label : label
        The class.
    documents : iterable of str, or matrix of shape (n_documents, n_features)
        The training documents, which the model does not keep: texts, or counts of terms.
    labels : array-like of shape (n_documents,)
        Their labels.
    k : int, default=5
        Bridges and documents to list, of each kind.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier knows none.

    Returns
    -------
    WordExplanation
        With ``to_dict()`` for JSON, ``plot()`` for a picture of the graph, and a readable
        ``str()``.

    See Also
    --------
    honeybayes.paths.count_bridges : All counts, from a matrix alone.
    honeybayes.paths.count_label_bridges : The same for paths to a label.
    explain_decision : The words behind one decision.

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16.
    .. [2] M. Poyraz, Z. H. Kilimci and M. C. Ganiz, "A Novel Semantic Smoothing Method based on
       Higher Order Paths for Text Classification", ICDM 2012.

    Examples
    --------
    No document of the billing queue says "courier"; a complaint that does, says "refund" too.

    >>> from honeybayes import TextClassifier, explain_word
    >>> texts = ["refund my order", "a refund was promised", "courier lost my order",
    ...          "courier late", "the courier was rude about the refund", "rude staff"]
    >>> queues = ["billing", "billing", "delivery", "delivery", "complaint", "complaint"]
    >>> classifier = TextClassifier("HOS").fit(texts, queues)
    >>> print(explain_word(classifier, "courier", "billing", texts, queues))
    'courier' and 'billing': the word is in 0 documents of the class; P(word given class) = 0.283
    3 paths from the word, over 2 bridges, 2 first documents and 2 second documents
      bridge             paths
      refund                 2
      order                  1
      first document     paths
      4 complaint            2  the courier was rude about the refund
      2 delivery             1  courier lost my order
      second document    paths
      0 billing              2  refund my order
      1 billing              1  a refund was promised
    """
    return explain_words(
        classifier, [word], label, documents, labels, k=k, feature_names=feature_names
    )[0]


def explain_words(
    classifier: Any,
    words: Any,
    label: Any,
    documents: Any,
    labels: Any,
    *,
    k: int = 5,
    feature_names: Any = None,
) -> list[WordExplanation]:
    """Tell the same of many words as `explain_word` of one; the documents are read once.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        See `explain_word`.
    words : iterable of str or int
        The words, or the numbers of their columns.
    label : label
        The class.
    documents : iterable of str, or matrix of shape (n_documents, n_features)
        The training documents.
    labels : array-like of shape (n_documents,)
        Their labels.
    k : int, default=5
        Bridges and documents to list, of each kind.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier knows none.

    Returns
    -------
    list of WordExplanation
        In the order of the words.

    See Also
    --------
    explain_word : One word, with an example.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k must be a whole number, 1 or more; got {k!r}.")
    opened = open_model(classifier, feature_names)
    refuse_model_without_paths(opened.model)
    find_label(label, opened.classes)
    texts = _texts(documents)
    X, y = _presence(opened, documents if texts is None else texts), np.asarray(labels)
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"There must be one label a document: {X.shape[0]} documents, labels of shape "
            f"{y.shape}."
        )
    names = opened.to_model_columns(opened.names(X.shape[1]))
    is_of_class = y == label
    everything, rows = X, np.arange(X.shape[0])
    settings = opened.model.path_settings()
    if not settings.to_label:  # the paths stay in the class
        rows = np.flatnonzero(is_of_class)
        X, is_of_class = X[rows], is_of_class[rows]
    training = _Training(settings, everything, X, X.T.tocsr(), is_of_class, rows, y, texts)
    terms = [_find_word(opened, word, names) for word in words]
    spellings = spellings_of_terms(classifier)
    return [_explain(opened, training, term, label, names, spellings, k) for term in terms]


class _Training(NamedTuple):
    """The training documents, and those of them that may be on a path (``X``, ``rows``)."""

    settings: PathSettings
    everything: sparse.csr_array
    X: sparse.csr_array
    holders: sparse.csr_array
    is_of_class: np.ndarray
    rows: np.ndarray
    y: np.ndarray
    texts: list[str] | None

    def bridges_of(self, term: int) -> BridgeCounts:
        if self.settings.to_label:
            return bridges_to_label(self.X, self.holders, term, self.is_of_class)
        neighbors = {None: None, "class": self.X, "corpus": self.everything}[self.settings.pure]
        return bridges_to_words(self.X, self.holders, term, neighbors)

    def tell(self, places: list[int], paths: np.ndarray) -> tuple[PathDocument, ...]:
        return tuple(
            PathDocument(
                int(self.rows[place]),
                self.y[self.rows[place : place + 1]].tolist()[0],
                int(paths[place]),
                None if self.texts is None else _beginning(self.texts[self.rows[place]]),
            )
            for place in places
        )


def _explain(
    opened: OpenedModel,
    training: _Training,
    term: int,
    label: Any,
    names: np.ndarray,
    spellings: Mapping[str, str],
    k: int,
) -> WordExplanation:
    model, place = opened.model, find_label(label, opened.classes)
    counts = training.bridges_of(term)
    _refuse_other_documents(training.settings.counts[place, term], counts)
    bridges = _most(counts.per_bridge, k)
    firsts, seconds = (_most(n, k) for n in (counts.per_first_document, counts.per_second_document))
    steps = []
    for bridge in bridges:
        sides = zip(("first", "second"), counts.through(bridge), (firsts, seconds), strict=True)
        for side, paths, shown in sides:
            steps += [
                Step(str(names[bridge]), int(training.rows[d]), side, int(paths[d]))
                for d in shown
                if paths[d]
            ]
    with_word = counts.routes.holds > 0

    def spell(place: int) -> str:
        return spellings.get(names[place], str(names[place]))

    return WordExplanation(
        word=str(names[term]),
        label=opened.classes.tolist()[place],
        model=type(model).__name__,
        probability=float(np.exp(model.feature_log_prob_[place, term])),
        occurrences=int(np.count_nonzero(with_word & training.is_of_class)),
        paths=counts.total,
        middle=counts.middle,
        n_bridges=int(np.count_nonzero(counts.per_bridge)),
        n_first_documents=int(np.count_nonzero(counts.per_first_document)),
        n_second_documents=int(np.count_nonzero(counts.per_second_document)),
        bridges=tuple(Bridge(str(names[b]), int(counts.per_bridge[b]), spell(b)) for b in bridges),
        first_documents=training.tell(firsts, counts.per_first_document),
        second_documents=training.tell(seconds, counts.per_second_document),
        steps=tuple(steps),
        spelling=spell(term),
    )


def refuse_model_without_paths(model: Any) -> None:
    """Raise ValueError unless the model has counted second-order paths."""
    if not hasattr(model, "path_settings"):
        raise ValueError(
            f"{type(model).__name__} counts no paths: HigherOrderNB and HigherOrderSmoothingNB do "
            "(HONB and HOS). explain_decision tells the words behind its decisions."
        )
    settings = model.path_settings()
    if settings.to_label and settings.order == 0:
        raise ValueError(
            "This model uses no paths: beta is 0, or a class has none (see the NoPathWarning of "
            "its fit)."
        )
    if settings.order != 2:
        used = f"paths of order {settings.order}" if settings.order else "document counts"
        raise ValueError(f"Bridges are words of second-order paths; this model uses {used}.")
    if settings.weighted:
        raise ValueError(
            "This model was fitted with sample_weight, but explain_word counts every document "
            "once. Fit it without weights to explain its paths."
        )


def _refuse_other_documents(expected: Any, counts: BridgeCounts) -> None:
    """Raise ValueError if the documents do not have the paths that the model counted."""
    found = counts.total + counts.middle
    if expected.dtype.kind == "i" and expected != found:
        raise ValueError(
            f"These are not the documents that the model was fitted to: they give {found} paths "
            f"where it has counted {expected}. Pass the same documents and labels."
        )


def _texts(documents: Any) -> list[str] | None:
    """The texts as a list, or None if they are counts."""
    if sparse.issparse(documents) or getattr(documents, "ndim", 1) != 1:
        return None
    texts = list(documents)
    return texts if texts and isinstance(texts[0], str) else None


def _presence(opened: OpenedModel, documents: Any) -> sparse.csr_array:
    with names_unchecked():
        return opened.model.presence(opened.prepare(opened.count(documents)))


def _find_word(opened: OpenedModel, word: Any, names: np.ndarray) -> int:
    if not isinstance(word, str):
        if isinstance(word, bool) or not isinstance(word, int | np.integer):
            raise ValueError(f"word must be a word, or the number of a column; got {word!r}.")
        if not 0 <= word < len(names):
            raise ValueError(f"word={word} is no column: the model has {len(names)}.")
        return int(word)
    candidates = [word] if opened.reader is None else [*opened.words(word), word]
    for candidate in candidates:
        found = np.flatnonzero(names == candidate)
        if len(found):
            return int(found[0])
    hint = did_you_mean(candidates[0], names.tolist(), n=3)
    raise ValueError(f"The model has never met the word {word!r}.{hint}")


def _most(counts: np.ndarray, k: int) -> list[int]:
    """Places of the k largest counts, without zeros; of equals the first."""
    some = np.flatnonzero(counts)
    return [int(place) for place in some[np.argsort(-counts[some], kind="stable")[:k]]]


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_LETTERS else line[: SHOWN_LETTERS - 1].rstrip() + "…"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _row(document: PathDocument) -> tuple[str, int, str]:
    return f"{document.number} {document.label}", document.paths, document.text or ""
