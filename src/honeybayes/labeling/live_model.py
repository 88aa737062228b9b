"""The live model: a classifier that learns again after each few labels."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from honeybayes.labeling.ledger import LabelClass
from honeybayes.labeling.pool import Pool
from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.text import NO_SPACES, check_seeds, match_seeds

UNLABELED = 0  # classes are numbered from 1
N_WORDS = 8
AT_ONCE = 10_000  # texts whose features are in memory
SHORTEST_SHOWN = 3  # letters: "ve" of "I've" would puzzle the reader


class Word(NamedTuple):
    """A word behind a suggestion."""

    word: str  # the word as the text spells it, in lower case
    lead: float  # what it adds to the lead of the suggested class over the runner-up


@dataclass(frozen=True)
class Answers:
    """The answers of a model to some distinct texts, for a turn all in the order of the pool."""

    first: np.ndarray  # numbers of the most likely classes
    second: np.ndarray  # numbers of the runners-up
    confidence: np.ndarray  # probabilities of the most likely classes
    second_confidence: np.ndarray  # probabilities of the runners-up

    def by_row(self, rows: Iterable[int], at: Any = slice(None)) -> dict[int, tuple[int, float]]:
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
        self.analyzer = vectorizer.build_analyzer()
        others = np.setdiff1d(np.flatnonzero(labels), self.learned)
        rows = np.concatenate([self.learned, others])
        given = labels[rows]
        if votes:  # a text that comes again with another class becomes one text with a soft label
            rows = np.concatenate([rows, [at for at, _ in votes]])
            given = np.concatenate([given, [id for _, id in votes]])

        def answers_of(rows: np.ndarray) -> dict[str, dict[int, np.ndarray]]:
            return {
                name: {id: (each[rows] == id).astype(float) for id in ids[name]}
                for name, each in sources.items()
            }

        self.classifier.set_params(n_dense=self.pool.vectors.shape[1])
        self.classifier.fit(
            self.pool.features(self.stop_words, rows),
            given,
            seeds=self._seeds(classes, words, vectorizer.terms_) if self.use_names else None,
            sources=answers_of(rows) if sources else None,
        )
        if self.seeds_check is not None:
            self.seeds_check["verdict"] = self.classifier.seeds_verdict_
            self.seeds_check["trust"] = float(self.classifier.seeds_trust_)
        asked = np.arange(len(self.pool)) if asked is None else asked
        parts = np.array_split(asked, max(1, len(asked) // AT_ONCE))
        features = (self.pool.features(self.stop_words, part) for part in parts)
        self.probabilities = np.vstack(
            [
                self.classifier.combine(each, answers_of(part))
                for each, part in zip(features, parts, strict=True)
            ]
        )
        first, second = np.argsort(-self.probabilities, axis=1, kind="stable")[:, :2].T
        numbers, at = self.classifier.classes_, np.arange(len(asked))
        sure = (self.probabilities[at, each].astype(np.float32) for each in (first, second))
        return Answers(numbers[first], numbers[second], *sure)

    def _seeds(
        self, classes: Sequence[LabelClass], words: Mapping[str, str], terms: np.ndarray
    ) -> dict[int, np.ndarray]:
        weights, missing = match_seeds(words, terms, self.analyzer)
        weights = self.pool.add_meaning(weights, words)
        self.seeds_check = {
            "missing": {name: " ".join(each) for name, each in missing.items() if each}
        }
        return {each.id: weights[each.name] for each in classes}

    def words(self, position: int, best: int, second: int) -> tuple[Word, ...]:
        """Return the words of a text that speak most for a class, compared with another class."""
        terms = self.pool.count(self.stop_words)[0].terms_
        columns = np.searchsorted(self.classifier.classes_, [best, second]).tolist()
        features = self.pool.features(self.stop_words, np.array([position]))
        parts = self.classifier.decompose_scores(features, columns)
        leads = parts.contributions[:, 0] - parts.contributions[:, 1]
        is_word = parts.terms < len(terms)  # the numbers of a vector are no words
        known = terms[parts.terms[is_word]].tolist()
        found = dict(zip(known, leads[is_word].tolist(), strict=True))
        spelled = {
            word: Word(word, found[term])
            for word in self.analyzer.words(self.pool.texts[position])
            for term in self.analyzer.terms([word])
            if found.get(term, 0) > 0 and _is_shown(word)
        }
        return tuple(sorted(spelled.values(), key=lambda each: -each.lead)[:N_WORDS])


def _is_shown(word: str) -> bool:
    """Return whether a word says something to a reader.

    Single characters of scripts without spaces do not, and Hiragana alone are mostly particles.
    """
    shortest = 2 if NO_SPACES.match(word) else SHORTEST_SHOWN
    letters = [each for each in word if unicodedata.category(each)[0] != "M"]
    return len(letters) >= shortest and not all("ぁ" <= each <= "ゟ" for each in letters)
