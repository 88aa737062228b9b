"""A turn: the model that learns along, its answers at one moment, and the next texts."""

import json
import unicodedata
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from honeybayes.labeling.ledger import LabelClass, LedgerState
from honeybayes.labeling.pool import Pool
from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.text import NO_SPACES, append_vectors, check_seeds, match_seeds

UNLABELED = 0  # classes are numbered from 1
N_WORDS = 8
AT_ONCE = 10_000  # texts whose features are in memory
SHORTEST_SHOWN = 3  # letters: "ve" of "I've" would puzzle the reader
AUDIT_SHARE = 0.2  # of the texts that are shown
DOUBLE_SHARE = 0.1  # of the answers of each person, if there are several
# how the arrays of `Answers` are stored
ARRAYS = {"first": "<i4", "second": "<i4", "confidence": "<f4", "second_confidence": "<f4"}
HeldOut = dict[int, tuple[int, float]]  # class and confidence, by row


class Word(NamedTuple):
    """A word behind a suggestion."""

    word: str  # the word as the text spells it, in lower case
    lead: float  # what it adds to the lead of the suggested class over the runner-up


class Behind(NamedTuple):
    """What is behind a suggestion: parts of a `Suggestion`."""

    words: tuple[Word, ...]
    lead_of_words: float
    lead_of_meaning: float


@dataclass(frozen=True)
class Answers:
    """The answers of a model to some distinct texts, for a turn all in the order of the pool."""

    first: np.ndarray  # numbers of the most likely classes
    second: np.ndarray  # numbers of the runners-up
    confidence: np.ndarray  # probabilities of the most likely classes
    second_confidence: np.ndarray  # probabilities of the runners-up

    def by_row(self, rows: Iterable[int], at: Any = slice(None)) -> HeldOut:
        """Return class and confidence of the texts at some positions, by their rows."""
        pairs = zip(self.first[at].tolist(), self.confidence[at].tolist(), strict=True)
        return dict(zip(rows, pairs, strict=True))


class LiveModel:
    """One classifier, which learns again from turn to turn."""

    def __init__(self, pool: Pool, learned: np.ndarray, use_names: bool) -> None:
        self.pool, self.learned, self.use_names = pool, learned, use_names
        self.classifier = FewLabelsClassifier(unlabeled=UNLABELED, warm_start=True)
        self.seeds_check: dict[str, Any] | None = None
        self.probabilities: np.ndarray | None = None

    def fit(
        self,
        labels: np.ndarray,
        classes: Sequence[LabelClass],
        sources: Mapping[str, np.ndarray],
        asked: np.ndarray | None = None,
        votes: Sequence[tuple[int, int]] = (),
    ) -> Answers | None:
        """Learn from labels, from other votes for the same texts, and from names of classes.

        ``labels`` and each of the ``sources`` have the number of a class for each text of the
        pool, 0 for none. Return the answers to some texts, by default all, or None without two
        classes.
        """
        self.probabilities = None
        ids = {name: np.unique(each[each > 0]).tolist() for name, each in sources.items()}
        told = {*labels.tolist(), *(id for each in ids.values() for id in each)} - {UNLABELED}
        n_known = len(classes) if self.use_names else len(told)
        if n_known < 2:
            return None
        words = check_seeds({each.name: each.words for each in classes}) if self.use_names else {}
        self.stop_words = self.pool.choose_stop_words(words.values())
        vectorizer = self.pool.count(self.stop_words)[0]
        self.analyzer, seeds = vectorizer.build_analyzer(), None
        if self.use_names:
            weights, missing = match_seeds(words, vectorizer.terms_, self.analyzer)
            if self.pool.vectors.size and self.pool.encoder is not None:
                weights = append_vectors(weights, words, self.pool.encoder)
            seeds = {each.id: weights[each.name] for each in classes}
        others = np.setdiff1d(np.flatnonzero(labels), self.learned)
        # a text that comes again with another class becomes one text with a soft label
        again, other_ids = np.array(votes, dtype=int).reshape(-1, 2).T
        given = np.concatenate([labels[self.learned], labels[others], other_ids])
        rows = np.concatenate([self.learned, others, again])

        def answers_of(rows: np.ndarray) -> dict[str, dict[int, np.ndarray]]:
            return {
                name: {id: (each[rows] == id).astype(float) for id in ids[name]}
                for name, each in sources.items()
            }

        self.classifier.set_params(n_dense=self.pool.vectors.shape[1])
        X, said = self.pool.features(self.stop_words, rows), answers_of(rows) if sources else None
        self.classifier.fit(X, given, seeds=seeds, sources=said)
        if self.use_names:
            self.seeds_check = {
                "missing": {name: " ".join(each) for name, each in missing.items() if each},
                "verdict": self.classifier.seeds_verdict_,
                "trust": float(self.classifier.seeds_trust_),
            }
        asked = np.arange(len(self.pool)) if asked is None else asked
        parts = np.array_split(asked, max(1, len(asked) // AT_ONCE))
        combined = [
            self.classifier.combine(self.pool.features(self.stop_words, part), answers_of(part))
            for part in parts
        ]
        self.probabilities = np.vstack(combined)
        first, second = np.argsort(-self.probabilities, axis=1, kind="stable")[:, :2].T
        numbers, at = self.classifier.classes_, np.arange(len(asked))
        sure = (self.probabilities[at, each].astype(np.float32) for each in (first, second))
        return Answers(numbers[first], numbers[second], *sure)

    def explain(self, position: int, best: int, second: int) -> Behind:
        """Return what speaks in a text for a class, compared with another class."""
        terms = self.pool.count(self.stop_words)[0].terms_
        columns = np.searchsorted(self.classifier.classes_, [best, second]).tolist()
        features = self.pool.features(self.stop_words, np.array([position]))
        parts = self.classifier.decompose_scores(features, columns)
        leads = parts.contributions[:, 0] - parts.contributions[:, 1]
        is_word = parts.terms < len(terms)  # the numbers of a vector are the meaning
        known = terms[parts.terms[is_word]].tolist()
        found = dict(zip(known, leads[is_word].tolist(), strict=True))
        spelled = {
            word: Word(word, found[term])
            for word in self.analyzer.words(self.pool.texts[position])
            for term in self.analyzer.terms([word])
            if found.get(term, 0) > 0 and _is_shown(word)
        }
        words = sorted(spelled.values(), key=lambda each: -each.lead)[:N_WORDS]
        return Behind(tuple(words), float(leads[is_word].sum()), float(leads[~is_word].sum()))


def _is_shown(word: str) -> bool:
    """Return whether a word says something to a reader.

    Single characters of scripts without spaces do not, and Hiragana alone are mostly particles.
    """
    shortest = 2 if NO_SPACES.match(word) else SHORTEST_SHOWN
    letters = [each for each in word if unicodedata.category(each)[0] != "M"]
    return len(letters) >= shortest and not all("ぁ" <= each <= "ゟ" for each in letters)


@dataclass(frozen=True)
class Suggestion:
    """A text to label next.

    Parameters
    ----------
    row : int
        The first row with this text.
    purpose : {"chosen", "audit", "double"}
        Whether a strategy chose it, it is a random text of the audit, or another person has
        labeled it.
    class_id : int or None
        The class that the model suggests. None without a model, and for the audit: a suggestion
        would influence the answer.
    confidence : float or None
        The confidence of the model.
    words : tuple of Word
        The words that speak most for the suggested class.
    alike : tuple of int
        Rows of other texts that are almost the same; none for the audit, because they are not
        random.
    likely : tuple of int
        The most likely classes, the suggested one first.
    lead_of_words : float
        What all words together add to the lead of the suggested class over the runner-up. Words
        against it count negative.
    lead_of_meaning : float
        What the meaning of the text, its vector, adds to this lead; 0 without an encoder.
    """

    row: int
    purpose: str
    class_id: int | None = None
    confidence: float | None = None
    words: tuple[Word, ...] = ()
    alike: tuple[int, ...] = ()
    likely: tuple[int, ...] = ()
    lead_of_words: float = 0.0
    lead_of_meaning: float = 0.0


@dataclass(frozen=True)
class Turn:
    """What the engine found out at one moment."""

    n_labels: int  # number of labeled distinct texts
    last_event: int  # number of the last event that it knows
    # the answers of the model that learned from all labels. None if there is none, because
    # fewer than two classes have a name or a label
    answers: Answers | None
    # the answers of a second model, which has not seen the labels of the audit. Its accuracy
    # on the audit is an honest estimate
    measured: Answers | None
    chosen: tuple[Suggestion, ...] = ()  # the next texts, according to the strategy
    audit: tuple[Suggestion, ...] = ()  # the next random texts
    # how far the names of the classes can be trusted; see ``seeds_check_`` of
    # `TextClassifier`
    seeds_check: Any = None  # dict or None

    def held_out(self, rows: Collection[int], place: np.ndarray) -> HeldOut:
        """Return class and confidence of the model that has not learned the audit."""
        return {} if self.measured is None else self.measured.by_row(rows, place[list(rows)])


def pick(
    turn: Turn,
    state: LedgerState,
    n: int = 1,
    audit_share: float = AUDIT_SHARE,
    pending: Mapping[int, str] | None = None,
    closed: Collection[int] = (),
) -> list[Suggestion]:
    """Choose the next texts from those that a turn has prepared, at most ``n``.

    ``pending`` are rows that are open in a window, and why. They count as offered, so that the
    share of the audit is right. Rows in ``closed`` are left out, too.
    """
    pending = pending or {}
    done = state.done
    purposes = [*state.purposes, *(each for row, each in pending.items() if row not in done)]
    taken, found = done.union(pending, closed), []
    for _ in range(n):
        n_audited, n_chosen = purposes.count("audit"), purposes.count("chosen")
        wants_audit = int((n_audited + n_chosen + 1) * audit_share + 1e-9) > n_audited
        prepared = turn.audit + turn.chosen if wants_audit else turn.chosen + turn.audit
        suggestion = next((each for each in prepared if each.row not in taken), None)
        if suggestion is None:
            break
        taken.add(suggestion.row)
        purposes.append(suggestion.purpose)
        found.append(suggestion)
    return found


def pick_double(
    state: LedgerState, who: str, taken: Collection[int], n_open: int = 0
) -> Suggestion | None:
    """Return a text that another person has labeled, if it is time for one; None otherwise.

    Random texts of the audit come first: nobody saw a suggestion for them. ``n_open`` of them are
    open in a window of this person, and not answered yet.
    """
    own = [votes for votes in state.votes.values() if who in votes]
    n_double = sum(next(iter(votes)) != who for votes in own)  # another person was first
    if n_double + n_open >= int((len(own) + n_open + 1) * DOUBLE_SHARE + 1e-9):
        return None
    # the earliest first, because these persons may be finished
    once = [row for row, votes in state.votes.items() if len(votes) == 1 and who not in votes]
    found = [row for row in once if row in state.labels and row not in taken]
    found.sort(key=lambda row: state.labels[row].purpose != "audit")
    return Suggestion(found[0], "double") if found else None


# A turn as bytes: a line of JSON, and arrays


def pack_turn(turn: Turn, held_out: HeldOut) -> bytes:
    """Return a turn as bytes that `unpack_turn` can read, of the next texts only the rows."""
    known = {name: vars(turn)[name] for name in ("answers", "measured") if vars(turn)[name]}
    about = {name: vars(turn)[name] for name in ("n_labels", "last_event", "seeds_check")}
    about |= {name: [each.row for each in vars(turn)[name]] for name in ("chosen", "audit")}
    about["held_out"] = [[row, *each] for row, each in held_out.items()]
    parts = [json.dumps(about | {"known": list(known)}).encode(), b"\n"]
    for each in known.values():
        parts += [np.asarray(vars(each)[name], kind).tobytes() for name, kind in ARRAYS.items()]
    return zlib.compress(b"".join(parts))


def unpack_turn(packed: bytes, n_texts: int, n_rows: int) -> tuple[Turn, HeldOut]:
    """Return a turn; raise an error if the bytes are not one about so many texts."""
    most = 64 * n_texts + 4_000_000  # a file may claim anything
    content = zlib.decompressobj().decompress(packed, most)
    line, _, rest = content.partition(b"\n")
    about = json.loads(line)
    answers: Answers | None = None
    measured: Answers | None = None
    kinds = np.dtype([(name, kind, (n_texts,)) for name, kind in ARRAYS.items()])
    if "answers" in about["known"]:
        answers, rest = Answers(*np.frombuffer(rest, kinds, 1)[0]), rest[kinds.itemsize :]
    if "measured" in about["known"]:
        measured = Answers(*np.frombuffer(rest, kinds, 1)[0])
    held_out = {int(row): (int(id), float(sure)) for row, id, sure in about["held_out"]}
    chosen, audit = (
        tuple(Suggestion(int(row), purpose) for row in about[purpose] if 0 <= row < n_rows)
        for purpose in ("chosen", "audit")
    )
    check = about["seeds_check"]
    turn = Turn(
        n_labels=int(about["n_labels"]),
        last_event=int(about["last_event"]),
        answers=answers,
        measured=measured,
        chosen=chosen,
        audit=audit,
        seeds_check=check if isinstance(check, dict) else None,
    )
    return turn, {row: each for row, each in held_out.items() if 0 <= row < n_rows}
