"""The words behind a decision, and the most telling words of each class."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.charts.pictures import plot_decision
from honeybayes.explain._opened_model import OpenedModel, find_label, names_unchecked
from honeybayes.text import TERMS_PER_WORD, list_words
from honeybayes.utils import scores
from honeybayes.utils.parameters import described_like, documented
from honeybayes.utils.scores import ScoreParts
from honeybayes.utils.validation import check_integer

PRINTED_WORDS = 12
PRINTED_PARENTS = 3
BLOCK_WORDS = 4096
ROUNDING = 1e-6  # of the sum of all magnitudes, because some models compute in float32


@dataclass(frozen=True)
class Parent:
    """A word on which another word, or the whole document, depends.

    Parameters
    ----------
    word : str
        The parent.
    share : float
        Its share in the average over the parents, from 0 to 1.
    lead : float
        How much the lead would shrink if it were not a parent.
    """

    word: str
    share: float
    lead: float


@dataclass(frozen=True)
class WordContribution:
    """What one word of the document adds.

    Parameters
    ----------
    word : str
        The word as a term of the model, which may be a stem.
    count : float
        Its count in the document, or another ``measure`` of the explanation.
    score : float
        What it adds to the score of the explained class.
    lead : float
        ``score`` minus what it adds to the score of the rival. Above 0, the word supports the
        explained class.
    parents : tuple of Parent
        The words that it depends on, the largest lead first. Only `HiddenNB` has them.
    spelling : str
        The word as the text spells it: "delivered" for the stem "deliv". If no text was given, the
        most frequent spelling in the training texts.
    """

    word: str
    count: float
    score: float
    lead: float
    parents: tuple[Parent, ...] = ()
    spelling: str = ""


@dataclass(frozen=True)
class Rival:
    """A class that is compared with the explained class.

    Parameters
    ----------
    label : label
        The class.
    score : float
        Score of the document.
    baseline : float
        Score of the empty document.
    """

    label: Any
    score: float
    baseline: float


@documented
@dataclass(frozen=True)
class DecisionExplanation:
    """A decision as a sum over words.

    ``score`` is ``baseline`` plus the scores of the contributions. ``lead``, the distance to the
    rival ``against``, is ``baseline_lead`` plus the leads of the contributions.

    Parameters
    ----------
    label : label
        The class that is explained.
    score : float
        Its score: log P(class, document) up to a constant for naive Bayes, otherwise the value of
        the decision function.
    baseline : float
        Its score for the empty document.
    contributions : tuple of WordContribution
        One for each word of the document that the model knows, the largest lead first. Of a
        `TextClassifier` with an encoder, one more is called "meaning of the text": what the vector
        of the text adds. Features of other columns are called "price (column)"; their count is the
        standardized number, or 1 for a category.
    rivals : tuple of Rival
        The other classes, the highest score first.
    against : label or None
        The rival that leads are computed against; None if there is no other class.
    parents : tuple of Parent
        The words that the whole document depends on. Only `StructureExtendedNB` has them.
    unknown : tuple of str
        Words of the text that the model does not know, as the text spells them. They have no
        effect.
    measure : {"count", "tf-idf", "value"}
        What ``count`` of the contributions is: "tf-idf" if the pipeline starts with a
        ``TfidfVectorizer``, "value" if other numbers than counts were given.
    """

    label: Any
    score: float
    baseline: float
    contributions: tuple[WordContribution, ...]
    rivals: tuple[Rival, ...]
    against: Any = None
    parents: tuple[Parent, ...] = ()
    unknown: tuple[str, ...] = ()
    measure: str = "count"

    @property
    def lead(self) -> float:
        """The score minus that of the rival, or the score itself if there is no rival."""
        return self.score - getattr(self._rival(), "score", 0.0)

    @property
    def baseline_lead(self) -> float:
        """The lead of the empty document."""
        return self.baseline - getattr(self._rival(), "baseline", 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, dictionaries, numbers and strings, ready for JSON."""
        return {**asdict(self), "lead": self.lead, "baseline_lead": self.baseline_lead}

    def plot(self, ax: Any = None, n_words: int = PRINTED_WORDS) -> Any:
        """Draw the leads of the words as bars.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default in a new figure.
        n_words : int, default=12
            Number of words to show, those with the largest leads of either sign. The other words
            share one bar.

        Returns
        -------
        matplotlib axes
        """
        return plot_decision(self, ax, n_words)

    def largest(self, n_words: int) -> tuple[list[WordContribution], list[WordContribution]]:
        """Split the contributions, in their order: the largest leads of either sign, and the rest.

        Parameters
        ----------
        n_words : int
            Number of words to show.
        """
        ranked = sorted(self.contributions, key=lambda word: -abs(word.lead))
        names = {word.word for word in ranked[:n_words]}
        shown = [word for word in self.contributions if word.word in names]
        return shown, [word for word in self.contributions if word.word not in names]

    def _rival(self) -> Rival | None:
        return next((rival for rival in self.rivals if rival.label == self.against), None)

    def __str__(self) -> str:
        from rich.cells import cell_len  # imports much

        rival = self._rival()
        title = f"{self.label}: score {self.score:.3f}"
        if rival:
            ahead = "ahead of" if self.lead >= 0 else "behind"
            title += f", {ahead} {rival.label} ({rival.score:.3f}) by {abs(self.lead):.3f}"
        shown, rest = self.largest(PRINTED_WORDS)
        spell = {word.word: word.spelling for word in reversed(self.contributions)}
        rows = [("(no words)", "", self.baseline, self.baseline_lead, "")]
        for word in shown:
            helpful = [spell[p.word] for p in word.parents[:PRINTED_PARENTS] if p.lead > 0]
            note = f"with {', '.join(helpful)}" if helpful else ""
            rows.append((word.spelling, f"{word.count:g}", word.score, word.lead, note))
        if rest:
            score, lead = sum(w.score for w in rest), sum(w.lead for w in rest)
            rows.append((f"({len(rest)} more)", "", score, lead, ""))
        width = max(cell_len(row[0]) for row in rows)
        narrow = max(5, len(self.measure), *(len(row[1]) for row in rows))
        head = f"{self.measure:>{narrow}}  {'score':>9}  {'lead':>9}"
        lines = [title, f"  {'word':<{width}}  {head}"]
        for name, count, score, lead, note in rows:
            numbers = f"{count:>{narrow}}  {score:>9.3f}  {lead:>+9.3f}"
            padding = " " * (width - cell_len(name))  # a Han character takes two columns
            lines.append(f"  {name}{padding}  {numbers}  {note}".rstrip())
        if self.parents:
            largest = self.parents[:PRINTED_PARENTS]
            parents = ", ".join(f"{spell[p.word]} {p.share:.0%}" for p in largest)
            lines.append(f"  depends on: {parents}")
        if self.unknown:
            lines.append(f"  unknown to the model: {', '.join(self.unknown)}")
        return "\n".join(lines)


@names_unchecked()
def explain_decision(
    classifier: Any,
    document: Any,
    label: Any = None,
    *,
    against: Any = None,
    feature_names: Any = None,
) -> DecisionExplanation:
    """Compute exactly what each word of a document adds to a decision.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted. Its score must be a sum over terms, as in most naive Bayes models and in linear
        models, also on tf-idf. Other models raise a ``ValueError``.
    document : str, row of a table, or row of counts
        Text for a `TextClassifier` or a pipeline that starts with a `TextVectorizer` or a
        ``CountVectorizer``; a row of the data frame for a `TextClassifier` with ``columns``.
        Otherwise counts of terms, of shape (n_features,) or (1, n_features), sparse or dense.
    label : label, optional
        The class to explain. By default, the predicted one.
    against : label, optional
        The rival that leads are computed against. By default, the other class with the highest
        score.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier does not know them.

    Notes
    -----
    The baseline is the score of the empty document. A model can split its score in a method
    ``decompose_scores``; a linear model without it is asked for the score of each word alone. If
    the sum is not the score of the document, a ``ValueError`` is raised.

    Examples
    --------
    >>> from honeybayes import CountNB, explain_decision
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = CountNB(rule="one-vs-rest").fit(X, ["sea", "sea", "land"])
    >>> print(explain_decision(model, [2, 1, 0], feature_names=["wave", "calm", "hill"]))
    sea: score 3.178, ahead of land (-3.178) by 6.356
      word        count      score       lead
      (no words)             0.405     +0.811
      wave            2      2.773     +5.545
      calm            1      0.000     +0.000
    """
    opened = OpenedModel(classifier, feature_names)
    model, classes = opened.model, opened.model.classes_.tolist()
    has_weights = hasattr(model, "coef_") and hasattr(model, "decision_function")
    is_bayes = hasattr(model, "feature_log_prob_") and hasattr(model, "predict_joint_log_proba")
    # With more than two classes, a model with this parameter counts votes of pairs of classes.
    votes = hasattr(model, "decision_function_shape") and len(model.classes_) > 2
    if not hasattr(model, "decompose_scores") and (votes or not (has_weights or is_bayes)):
        raise ValueError(
            f"The score of {type(model).__name__} is not a sum over terms, so it has no exact "
            "explanation. Models that can be explained: those with a method decompose_scores (most "
            "naive Bayes models of honeybayes, and FewLabelsClassifier), naive Bayes models with "
            "feature_log_prob_, such as MultinomialNB, and linear models with coef_, such as "
            "LogisticRegression and LinearSVC."
        )
    document, text = opened.open_row(document)
    counts = opened.count(document)
    if not sparse.issparse(counts) and counts.ndim == 1:
        counts = counts[np.newaxis]
    if counts.ndim != 2 or counts.shape[0] != 1:
        raise ValueError(f"Explain one document at a time; got an array of shape {counts.shape}.")
    names = opened.names(counts.shape[1])
    X, empty = opened.prepare(counts), opened.prepare(scores.empty_like(counts))
    if abs(empty).sum() > 0:
        raise ValueError(
            "A step of the pipeline gives the empty document values that are not 0 (a scaler that "
            "subtracts the mean, for example), so the score cannot be split by term. Leave that "
            "step out, or set with_mean=False."
        )
    score, baseline = scores.compared_scores(model, X)[0], scores.compared_scores(model, empty)[0]
    explained = int(np.argmax(score)) if label is None else find_label(label, classes)
    others = [c for c in np.argsort(-score, kind="stable").tolist() if c != explained]
    rival = others[:1] if against is None else [find_label(against, classes, "against")]
    if rival == [explained]:
        raise ValueError(f"against={against!r} is the class to explain. Pass another class.")
    columns = [explained, *rival]
    split = getattr(model, "decompose_scores", None) or partial(scores.decompose_linear, model)
    parts = split(X, columns)
    added = parts.contributions
    total, finite = baseline[columns] + added.sum(axis=0), np.isfinite(score[columns])
    error = np.abs(total[finite] - score[columns][finite])
    if (error > ROUNDING * (1 + np.abs(added).sum(axis=0)[finite])).any():
        raise ValueError(
            f"The parts of the terms add up to {total.tolist()}, but {type(model).__name__} gives "
            f"the scores {score[columns].tolist()}: it is not linear in the terms, so it has no "
            "exact explanation."
        )
    n_terms = X.shape[1] - opened.n_dense
    of_meaning = np.arange(n_terms, n_terms + opened.n_meaning)
    is_joined = np.isin(parts.terms, of_meaning)
    if is_joined.any():  # as if these were one column
        order = [*np.flatnonzero(~is_joined), np.flatnonzero(is_joined)[0]]
        contributions = parts.contributions[order]
        contributions[-1] = parts.contributions[is_joined].sum(axis=0)
        parts = parts._replace(terms=parts.terms[order], contributions=contributions)
    columns_of_counts = opened.to_model_columns(np.arange(counts.shape[1]))[parts.terms]
    words = [str(name) for name in names[columns_of_counts]]
    row = counts.toarray()[0] if sparse.issparse(counts) else counts[0]
    is_meaning = np.isin(parts.terms, of_meaning)
    unknown, spellings = [], opened.spellings
    if text is not None:
        known, spellings = {*names}, opened.spellings_in(text)
        unknown = [term for term in dict.fromkeys(opened.analyze(text)) if term not in known]
    added = parts.contributions[:, 0]
    lead = added - parts.contributions[:, 1] if rival else added
    values = row[: len(row) - opened.n_dense]
    measure = "count" if (values == np.round(values)).all() else "value"
    return DecisionExplanation(
        label=classes[explained],
        score=float(score[explained]),
        baseline=float(baseline[explained]),
        contributions=tuple(
            WordContribution(
                words[i],
                1.0 if is_meaning[i] else float(row[columns_of_counts[i]]),
                float(added[i]),
                float(lead[i]),
                _parents(parts, words, i),
                spellings.get(words[i], words[i]),
            )
            for i in np.argsort(-lead, kind="stable").tolist()
        ),
        rivals=tuple(Rival(classes[c], float(score[c]), float(baseline[c])) for c in others),
        against=classes[rival[0]] if rival else None,
        parents=_parents(parts, words),
        unknown=tuple(spellings.get(term, term) for term in unknown),
        measure="tf-idf" if hasattr(opened.vectorizer, "idf_") else measure,
    )


def _parents(parts: ScoreParts, words: list[str], term: int | None = None) -> tuple[Parent, ...]:
    """Return the parents of one term by lead, or those of the whole document by share."""
    parents = parts.parents
    if parents is None or (parents.share.ndim == 1) != (term is None):
        return ()
    index = slice(None) if term is None else term
    share, lead = parents.share[index], parents.lead[index]
    order = np.argsort(-(share if term is None else lead), kind="stable")
    return tuple(
        Parent(words[parents.positions[p]], float(share[p]), float(lead[p]))
        for p in order
        if share[p] > 0
    )


@names_unchecked()
def telling_words(
    classifier: Any, k: int = 10, *, feature_names: Any = None
) -> dict[Any, list[tuple[str, float]]]:
    """Find the words that support each class most.

    Each word is scored as a document with no other words, so this works for every model with
    scores. The lead of a word is what it adds to the score of the class, minus what it adds to the
    other classes on average.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted.
    k : int, default=10
        Number of words per class.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier does not know them.

    Returns
    -------
    dict of list
        For each class, pairs (word, lead), the largest lead first. There may be fewer than ``k``,
        because only leads above 0 are listed. Words are terms of the model, which may be stems;
        see ``spellings_`` of `TextClassifier`.

    Examples
    --------
    >>> from honeybayes import CountNB, telling_words
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = CountNB().fit(X, ["sea", "sea", "land"])
    >>> for label, words in telling_words(model, feature_names=["wave", "calm", "hill"]).items():
    ...     print(label, [word for word, lead in words])
    land ['hill']
    sea ['wave']
    """
    check_integer("k", k, least=1)
    opened = OpenedModel(classifier, feature_names)
    n_columns = opened.outermost.n_features_in_
    names = opened.names(n_columns)
    n_terms = n_columns - opened.n_dense
    alone = sparse.csr_array(sparse.eye(n_terms, n_columns))
    blocks = (alone[start : start + BLOCK_WORDS] for start in range(0, n_terms, BLOCK_WORDS))
    by_block = [scores.added_scores(opened.model, opened.prepare(block)) for block in blocks]
    classes = opened.model.classes_.tolist()
    n_others = max(1, len(classes) - 1)
    added = np.concatenate(by_block)
    lead = added - (added.sum(axis=1, keepdims=True) - added) / n_others
    # rounded, so that equal words are in the order of their columns on every machine
    best = np.argsort(-lead.round(12), axis=0, kind="stable")[:k]
    return {
        label: [(str(names[w]), float(lead[w, c])) for w in best[:, c] if lead[w, c] > 0]
        for c, label in enumerate(classes)
    }


@described_like(telling_words)
def readable_telling_words(
    classifier: Any, k: int = 10, *, texts: Sequence[str] = ()
) -> dict[Any, str]:
    """Return the words of `telling_words` for each class as people spell them, with commas.

    In scripts without spaces, a character is left out if a listed pair of characters contains it.

    Parameters
    ----------
    texts : sequence of str, optional
        Texts in which to look up pairs that overlap; those that mostly stand together become one
        word.
    """
    check_integer("k", k, least=1)
    spell = OpenedModel(classifier).spell
    return {
        label: ", ".join(list_words((spell(word) for word, _ in own), k, texts))
        for label, own in telling_words(classifier, TERMS_PER_WORD * k).items()
    }
