"""The paths behind a word: how a model that counts paths links it to a class."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from honeybayes.charts.pictures import plot_word
from honeybayes.explain._opened_model import OpenedModel, as_texts, find_label, names_unchecked
from honeybayes.paths import count_paths
from honeybayes.paths.bridges import bridges_to_label, bridges_to_words
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.parameters import described_like, documented
from honeybayes.utils.validation import check_integer, check_term

SHOWN_LETTERS = 60


@dataclass(frozen=True)
class Bridge:
    """A word in the middle of paths.

    Parameters
    ----------
    word : str
        The bridge as a term of the model, which may be a stem.
    paths : int
        Number of paths from the explained word over this bridge.
    spelling : str
        Its most frequent spelling in the training texts, if the classifier knows it.
    """

    word: str
    paths: int
    spelling: str


@dataclass(frozen=True)
class PathDocument:
    """A training document that lies on paths from the explained word.

    Parameters
    ----------
    number : int
        Its position among the training documents, from 0.
    label : label
        Its label.
    paths : int
        Number of paths from the explained word with this document as the first or the second.
    text : str or None
        Its first characters, if texts were given.
    """

    number: int
    label: Any
    paths: int
    text: str | None = None


@dataclass(frozen=True)
class PathStep:
    """An edge of the graph of paths, between a bridge and a document.

    Parameters
    ----------
    bridge : str
        The bridge.
    document : int
        Position of the training document, from 0.
    side : {"first", "second"}
        Whether the document comes before the bridge or after it.
    paths : int
        Number of paths from the explained word over this edge.
    """

    bridge: str
    document: int
    side: str
    paths: int


@documented
@dataclass(frozen=True)
class WordExplanation:
    """How paths link a word to a class: word - first document - bridge - second document - end.

    The end is another word of the class (`HigherOrderNB`) or its label
    (`HigherOrderSmoothingNB`).

    Parameters
    ----------
    word : str
        The word as a term of the model, which may be a stem.
    label : label
        The class.
    model : str
        Name of the estimator's class.
    probability : float
        The model's P(word given class).
    occurrences, paths, middle : int
        Number of training documents of the class that contain the word, of paths from the word, and
        of paths with the word in the middle, as a bridge, which `HigherOrderNB` counts too.
    n_bridges, n_first_documents, n_second_documents : int
        Number of bridges and documents on the paths.
    bridges : tuple of Bridge
        Those with the most paths.
    first_documents, second_documents : tuple of PathDocument
        Those with the most paths.
    steps : tuple of PathStep
        Edges between the listed bridges and documents.
    spelling : str
        Its most frequent spelling in the training texts, if the classifier knows it.
    to_label : bool
        True if the end of a path is the label, not another word. Not in ``to_dict``.
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
    steps: tuple[PathStep, ...]
    spelling: str
    to_label: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, dictionaries, numbers and strings, ready for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "to_label"}

    def plot(self, ax: Any = None, n_nodes: int = 5) -> Any:
        """Draw the graph of paths; a wider line means more paths.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default in a new figure.
        n_nodes : int, default=5
            Number of bridges, first documents and second documents to show.

        Returns
        -------
        matplotlib axes
        """
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
            inside = not self.to_label and not self.occurrences
            why = f" ({self.model} counts paths inside the class only)" if inside else ""
            return "\n".join([*lines, f"no path from the word leads there{why}"])
        lines.append(
            f"{_number(self.paths, 'path')} from the word, over {_number(self.n_bridges, 'bridge')}"
            f", {_number(self.n_first_documents, 'first document')} and "
            f"{_number(self.n_second_documents, 'second document')}"
        )
        rows = [("bridge", "paths", "")]
        rows += [(each.spelling, f"{each.paths:,}", "") for each in self.bridges]
        sides = {"first": self.first_documents, "second": self.second_documents}
        for side, documents in sides.items():
            rows.append((f"{side} document", "paths", ""))
            rows += [(f"{d.number} {d.label}", f"{d.paths:,}", d.text or "") for d in documents]
        width = max(len(name) for name, *_ in rows)
        lines += [f"  {name:<{width}}  {count:>7}  {text}".rstrip() for name, count, text in rows]
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
    """Find the words and documents through which paths link a word to a class.

    A word can support a class in which it never occurred: it shares a document with another word,
    the bridge, which occurs in the class.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted. Its model is a `HigherOrderNB` of order 2, pure or not, or a
        `HigherOrderSmoothingNB`.
    word : str or int
        The word, which a `TextClassifier` stems, or the index of a column.
    label : label
        The class.
    documents : iterable of str, or matrix of shape (n_documents, n_features)
        The training documents, because the model does not keep them: texts, or counts of terms.
    labels : array-like of shape (n_documents,)
        Their labels.
    k : int, default=5
        Number of bridges, first documents and second documents to list.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier does not know them.

    Examples
    --------
    No document about billing contains "courier", but a complaint contains "courier" and "refund".

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


@described_like(explain_word)
@names_unchecked()
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
    """Explain several words as `explain_word` does, but read the documents only once.

    Parameters
    ----------
    words : iterable of str or int
        The words, or the indices of their columns.
    """
    check_integer("k", k, least=1)
    opened = OpenedModel(classifier, feature_names)
    if not hasattr(opened.model, "path_settings"):
        raise ValueError(
            f"{type(opened.model).__name__} does not count paths. Fit a model that does: HONB "
            "(HigherOrderNB) or HOS (HigherOrderSmoothingNB). The words behind a decision can be "
            "explained without paths."
        )
    settings = opened.model.path_settings()
    if settings.to_label and settings.order == 0:
        raise ValueError(
            "This model uses no paths: beta is 0, or a class has no paths (fit then gives a "
            "NoPathWarning)."
        )
    if settings.order != 2:
        used = f"paths of order {settings.order}" if settings.order else "document counts"
        raise ValueError(f"explain_word shows second-order paths, but this model uses {used}.")
    if settings.weighted:
        raise ValueError(
            "This model was fitted with sample_weight or frequencies, but explain_word counts "
            "every path once. Fit it without them to explain its paths."
        )
    classes = opened.model.classes_.tolist()
    position = find_label(label, classes)
    texts = as_texts(documents)
    X = opened.model.presence(opened.prepare(opened.count(documents if texts is None else texts)))
    y = np.asarray(labels)
    if y.shape != (X.shape[0],):
        raise ValueError(
            "labels must hold one label per document; got "
            f"{X.shape[0]} documents and labels of shape {y.shape}."
        )
    names = opened.to_model_columns(opened.names(X.shape[1]))
    is_of_class = y == label
    rows = np.arange(len(y)) if settings.to_label else np.flatnonzero(is_of_class)
    on_paths = X if settings.to_label else X[rows]  # documents that may be on a path
    neighbors = {None: None, "class": on_paths, "corpus": X}[settings.pure]
    holders = on_paths.T.tocsr()
    n_paths = None if settings.to_label else count_paths(on_paths, pure=neighbors).per_term

    def explain(term: int) -> WordExplanation:
        if n_paths is None:
            counts = bridges_to_label(on_paths, holders, term, is_of_class)
        else:
            counts = bridges_to_words(on_paths, holders, term, neighbors, n_paths[term])
        found, expected = counts.total + counts.middle, settings.counts[position, term]
        if expected.dtype.kind == "i" and expected != found:
            raise ValueError(
                f"These are not the documents that the model was fitted to: they have {found} "
                f"paths, but the model counted {expected}. Pass the same documents and labels as "
                "to fit."
            )
        bridges = _most(counts.per_bridge, k)
        by_side = {"first": counts.per_first_document, "second": counts.per_second_document}
        shown = {side: _most(paths, k) for side, paths in by_side.items()}
        listed: dict[str, list[PathDocument]] = {"first": [], "second": []}
        for side, paths in by_side.items():
            for d in shown[side]:
                own = y[rows[d : d + 1]].tolist()[0]
                text = None if texts is None else _beginning(texts[rows[d]])
                listed[side].append(PathDocument(int(rows[d]), own, int(paths[d]), text))
        steps = [
            PathStep(str(names[bridge]), int(rows[d]), side, int(paths[d]))
            for bridge in bridges
            for side, paths in zip(shown, counts.through(bridge), strict=True)
            for d in shown[side]
            if paths[d]
        ]
        with_word = rows[holders.indices[slice(*holders.indptr[term : term + 2])]]
        return WordExplanation(
            word=str(names[term]),
            label=classes[position],
            model=type(opened.model).__name__,
            probability=float(np.exp(opened.model.feature_log_prob_[position, term])),
            occurrences=int(np.count_nonzero(is_of_class[with_word])),
            paths=counts.total,
            middle=counts.middle,
            n_bridges=int(np.count_nonzero(counts.per_bridge)),
            n_first_documents=int(np.count_nonzero(by_side["first"])),
            n_second_documents=int(np.count_nonzero(by_side["second"])),
            bridges=tuple(
                Bridge(str(names[b]), int(counts.per_bridge[b]), opened.spell(names[b]))
                for b in bridges
            ),
            first_documents=tuple(listed["first"]),
            second_documents=tuple(listed["second"]),
            steps=tuple(steps),
            spelling=opened.spell(names[term]),
            to_label=settings.to_label,
        )

    explained = []
    for word in words:
        if not isinstance(word, str):
            explained.append(explain(check_term(word, len(names), "word")))
            continue
        candidates = [word] if opened.vectorizer is None else [*opened.analyze(word), word]
        found = [term for each in candidates for term in np.flatnonzero(names == each)]
        if not found:
            hint = did_you_mean(candidates[0], names.tolist(), n=3)
            raise ValueError(f"The model does not know the word {word!r}.{hint}")
        explained.append(explain(int(found[0])))
    return explained


def _most(counts: np.ndarray, k: int) -> list[int]:
    """Return the positions of the k largest counts, without zeros; of equals the first."""
    some = np.flatnonzero(counts)
    return some[np.argsort(-counts[some], kind="stable")[:k]].tolist()


def _beginning(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_LETTERS else line[: SHOWN_LETTERS - 1].rstrip() + "…"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
