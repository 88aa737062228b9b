"""The words behind a decision."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.explain._additive import check_explainable, check_sum, split_scores
from honeybayes.explain._models import (
    OpenedModel,
    find_label,
    open_model,
    scores,
    spellings_of_terms,
)
from honeybayes.utils.explaining import ParentParts, ScoreParts, empty_like

PRINTED_WORDS = 12
PRINTED_PARENTS = 3


@dataclass(frozen=True)
class Parent:
    """A word on which another word, or the whole document, leans.

    Parameters
    ----------
    word : str
        The parent.
    share : float
        Its part in the average over the parents, from 0 to 1.
    lead : float
        How much of the lead would be lost if it were no parent.
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
        The word, as the model knows it.
    count : float
        Its count in the document.
    score : float
        Its part in the score of the label.
    lead : float
        The same less its part in the score of the rival: above zero, it speaks for the label.
    parents : tuple of Parent
        The words that it leans on, those that gave the most lead first. `HiddenNB` alone has them.
    spelling : str
        The word as the text spells it: "delivered" where the model knows the stem "deliv". Without
        a text, as the training texts mostly do.
    """

    word: str
    count: float
    score: float
    lead: float
    parents: tuple[Parent, ...] = ()
    spelling: str = ""


@dataclass(frozen=True)
class Rival:
    """Another class that the document might have had.

    Parameters
    ----------
    label : label
        Of the class.
    score : float
        Of the document.
    baseline : float
        Score of the empty document.
    """

    label: Any
    score: float
    baseline: float


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
        Its score: log P(class, document) up to a constant for naive Bayes, else the value of the
        decision function.
    baseline : float
        Its score of the empty document.
    contributions : tuple of WordContribution
        One for each word of the document that the model knows; the largest lead first.
    rivals : tuple of Rival
        The other classes, the highest score first.
    against : label or None
        The rival that the leads are over; None if there is no other class.
    parents : tuple of Parent
        The words that the whole document leans on. `StructureExtendedNB` alone has them.
    unknown : tuple of str
        Words of the text that the model has never met, which make no difference; as the text
        spells them.

    See Also
    --------
    explain_decision : Makes it.
    """

    label: Any
    score: float
    baseline: float
    contributions: tuple[WordContribution, ...]
    rivals: tuple[Rival, ...]
    against: Any = None
    parents: tuple[Parent, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def lead(self) -> float:
        """The score less that of the rival; the score itself if there is none."""
        rival = self._rival()
        return self.score - rival.score if rival else self.score

    @property
    def baseline_lead(self) -> float:
        """The lead of the empty document."""
        rival = self._rival()
        return self.baseline - rival.baseline if rival else self.baseline

    def to_dict(self) -> dict[str, Any]:
        """Everything as lists, dictionaries, numbers and strings, ready for JSON.

        Returns
        -------
        dict
        """
        return {**asdict(self), "lead": self.lead, "baseline_lead": self.baseline_lead}

    def plot(self, ax: Any = None, n_words: int = PRINTED_WORDS) -> Any:
        """Draw the leads of the words as bars.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default on a new figure.
        n_words : int, default=12
            Words to show, the largest leads of either sign. The rest share one bar.

        Returns
        -------
        matplotlib axes
        """
        from honeybayes.explain._plots import plot_decision

        return plot_decision(self, ax, n_words)

    def largest(self, n_words: int) -> tuple[list[WordContribution], list[WordContribution]]:
        """Part the contributions into those to show and the rest.

        Parameters
        ----------
        n_words : int
            How many to show.

        Returns
        -------
        shown, rest : list of WordContribution
            The largest leads of either sign, and all others; each in the order of the whole.
        """
        ranked = sorted(self.contributions, key=lambda word: -abs(word.lead))
        shown = {word.word for word in ranked[:n_words]}
        parts: tuple[list[WordContribution], list[WordContribution]] = ([], [])
        for word in self.contributions:
            parts[word.word not in shown].append(word)
        return parts

    def _rival(self) -> Rival | None:
        return next((rival for rival in self.rivals if rival.label == self.against), None)

    def _beside(self, word: WordContribution) -> str:
        helpful = [p.word for p in word.parents[:PRINTED_PARENTS] if p.lead > 0]
        return f"beside {', '.join(map(self._spell, helpful))}" if helpful else ""

    def _spell(self, word: str) -> str:
        return next(own.spelling for own in self.contributions if own.word == word)

    def __str__(self) -> str:
        rival = self._rival()
        title = f"{self.label}: score {self.score:.3f}"
        if rival:
            ahead = "ahead of" if self.lead >= 0 else "behind"
            title += f", {ahead} {rival.label} ({rival.score:.3f}) by {abs(self.lead):.3f}"
        shown, rest = self.largest(PRINTED_WORDS)
        rows = [("(no words)", "", self.baseline, self.baseline_lead, "")]
        rows += [(w.spelling, f"{w.count:g}", w.score, w.lead, self._beside(w)) for w in shown]
        if rest:
            score, lead = sum(w.score for w in rest), sum(w.lead for w in rest)
            rows.append((f"({len(rest)} more)", "", score, lead, ""))
        width = max(len(row[0]) for row in rows)
        lines = [title, f"  {'word':<{width}}  {'count':>5}  {'score':>9}  {'lead':>9}"]
        for word, count, score, lead, note in rows:
            numbers = f"{count:>5}  {score:>9.3f}  {lead:>+9.3f}"
            lines.append(f"  {word:<{width}}  {numbers}  {note}".rstrip())
        if self.parents:
            largest = self.parents[:PRINTED_PARENTS]
            parents = ", ".join(f"{self._spell(p.word)} {p.share:.0%}" for p in largest)
            lines.append(f"  leaning on: {parents}")
        if self.unknown:
            lines.append(f"  unknown to the model: {', '.join(self.unknown)}")
        return "\n".join(lines)


def explain_decision(
    classifier: Any,
    document: Any,
    label: Any = None,
    *,
    against: Any = None,
    feature_names: Any = None,
) -> DecisionExplanation:
    """Tell what each word of a document adds to a decision, exactly.

    Parameters
    ----------
    classifier : TextClassifier, Pipeline or estimator
        Fitted. Its score must be a sum over the words: the Bernoulli and the count models, hidden
        and structure-extended naive Bayes, and scikit-learn's linear models and naive Bayes, also
        on tf-idf. Others raise a `ValueError` that names those that can.
    document : str, or row of counts
        Text for a `TextClassifier` or a pipeline with a `CountVectorizer`; otherwise counts of
        terms, of shape (n_features,) or (1, n_features), sparse or dense.
    label : label, optional
        The class to explain. By default, the predicted one.
    against : label, optional
        The rival that leads are counted over. By default, the best of the others.
    feature_names : sequence of str, optional
        Names of the columns, if the classifier knows none.

    Returns
    -------
    DecisionExplanation
        With ``to_dict()`` for JSON, ``plot()``, and a readable ``str()``.

    See Also
    --------
    telling_words : The most telling words of each class, without a document.
    explain_word : The paths that link a word to a class.

    Notes
    -----
    The baseline is the empty document. A linear model is asked for the score of each word alone,
    and the sum is compared with the score of the document before anything is told. On tf-idf, the
    part of a word is its tf-idf in this document times its weight.

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
    opened = open_model(classifier, feature_names)
    check_explainable(opened.model)
    counts = _one_row(opened.count(document))
    is_text = isinstance(document, str)
    spellings = opened.spellings(document) if is_text else spellings_of_terms(classifier)
    unknown = opened.unknown_words(document) if is_text else ()
    names = opened.names(counts.shape[1])
    X = opened.prepare(counts)
    nothing = opened.prepare(empty_like(counts))
    if abs(nothing).sum() > 0:
        raise ValueError(
            "A step of the pipeline makes something of the empty document (a scaler that takes off "
            "the mean, perhaps), so the words have no part of their own in the score."
        )
    of_document, baseline = scores(opened.model, X)[0], scores(opened.model, nothing)[0]
    classes = opened.classes
    winner = int(np.argmax(of_document)) if label is None else find_label(label, classes)
    others = [c for c in np.argsort(-of_document, kind="stable").tolist() if c != winner]
    columns = [winner, *others[:1]]
    if against is not None:
        columns = [winner, find_label(against, classes, "against")]
        if columns[0] == columns[1]:
            raise ValueError(f"against={against!r} is the label itself: name another class.")

    parts = split_scores(opened.model, X, columns)
    total = baseline[columns] + parts.contributions.sum(axis=0)
    check_sum(opened.model, total, parts.contributions, of_document[columns])

    plain = classes.tolist()
    return DecisionExplanation(
        label=plain[winner],
        score=float(of_document[winner]),
        baseline=float(baseline[winner]),
        contributions=_contributions(opened, parts, names, counts, spellings),
        rivals=tuple(Rival(plain[c], float(of_document[c]), float(baseline[c])) for c in others),
        against=plain[columns[1]] if len(columns) > 1 else None,
        parents=_document_parents(parts, opened.to_model_columns(names)),
        unknown=tuple(spellings.get(word, word) for word in unknown),
    )


def _one_row(counts: Any) -> Any:
    if not sparse.issparse(counts) and counts.ndim == 1:
        counts = counts[np.newaxis]
    if counts.ndim != 2 or counts.shape[0] != 1:
        raise ValueError(f"Explain one document at a time; got an array of shape {counts.shape}.")
    return counts


def _contributions(
    opened: OpenedModel,
    parts: ScoreParts,
    names: np.ndarray,
    counts: Any,
    spellings: dict[str, str],
) -> tuple[WordContribution, ...]:
    columns = opened.to_model_columns(np.arange(counts.shape[1]))[parts.terms]
    names = names[columns]
    row = counts.toarray()[0] if sparse.issparse(counts) else counts[0]
    score = parts.contributions[:, 0]
    lead = score - parts.contributions[:, 1] if parts.contributions.shape[1] > 1 else score
    order = np.argsort(-lead, kind="stable")
    return tuple(
        WordContribution(
            str(names[place]),
            float(row[columns[place]]),
            float(score[place]),
            float(lead[place]),
            _word_parents(parts.parents, int(place), names),
            spellings.get(str(names[place]), str(names[place])),
        )
        for place in order.tolist()
    )


def _word_parents(parents: ParentParts | None, place: int, names: np.ndarray) -> tuple[Parent, ...]:
    if parents is None or parents.share.ndim == 1:
        return ()
    return _ranked(names[parents.positions], parents.share[place], parents.lead[place])


def _document_parents(parts: ScoreParts, names: np.ndarray) -> tuple[Parent, ...]:
    parents = parts.parents
    if parents is None or parents.share.ndim == 2:
        return ()
    return _ranked(
        names[parts.terms[parents.positions]], parents.share, parents.lead, by_share=True
    )


def _ranked(
    names: np.ndarray, share: np.ndarray, lead: np.ndarray, by_share: bool = False
) -> tuple[Parent, ...]:
    order = np.argsort(-(share if by_share else lead), kind="stable")
    return tuple(
        Parent(str(names[p]), float(share[p]), float(lead[p])) for p in order if share[p] > 0
    )
