"""The live model: a classifier that learns again after each few labels."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from honeybayes.labeling.ledger import LabelClass
from honeybayes.labeling.pool import Pool
from honeybayes.semisupervised import FewLabelsClassifier
from honeybayes.text import check_seeds, match_seeds

UNLABELED = -1
N_WORDS = 8
SHORTEST_SHOWN = 3  # letters: "ve" of "I've" would puzzle the reader


class Word(NamedTuple):
    """A word behind a suggestion.

    Parameters
    ----------
    word : str
        The word as the text spells it, in lower case.
    lead : float
        What it adds to the lead of the suggested class over the runner-up.
    """

    word: str
    lead: float


class LiveModel:
    """One classifier, which learns again from turn to turn."""

    def __init__(self, pool: Pool, learned: np.ndarray, use_names: bool) -> None:
        self.pool, self.learned, self.use_names = pool, learned, use_names
        self.classifier = FewLabelsClassifier(unlabeled=UNLABELED, warm_start=True)
        self.stop_words: Any = None
        self.seeds_check: dict[str, Any] | None = None

    def fit(
        self,
        labels: dict[int, int],
        classes: Sequence[LabelClass],
        stop_words: Any,
        asked: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """Learn from labels and from names of classes."""
        n_known = len(classes) if self.use_names else len(set(labels.values()))
        if n_known < 2:
            return None
        self.stop_words = stop_words
        vectorizer, counts = self.pool.count(stop_words)
        self.analyzer = vectorizer.build_analyzer()
        others = np.setdiff1d(np.fromiter(labels, dtype=int, count=len(labels)), self.learned)
        rows = np.concatenate([self.learned, others])
        y = np.full(len(self.pool), UNLABELED)
        y[list(labels)] = list(labels.values())
        self.classifier.fit(
            counts if len(rows) == len(self.pool) else counts[rows],
            y[rows],
            seeds=self._seeds(classes, vectorizer.terms_) if self.use_names else None,
        )
        if self.seeds_check is not None:
            self.seeds_check["verdict"] = self.classifier.seeds_verdict_
            self.seeds_check["trust"] = float(self.classifier.seeds_trust_)
        return self.classifier.predict_proba(counts if asked is None else counts[asked])

    def _seeds(self, classes: Sequence[LabelClass], terms: np.ndarray) -> dict[int, np.ndarray]:
        words = check_seeds({each.name: each.words for each in classes})
        weights, missing = match_seeds(words, terms, self.analyzer)
        self.seeds_check = {
            "missing": {name: " ".join(each) for name, each in missing.items() if each}
        }
        return {each.id: weights[each.name] for each in classes}

    def words(self, position: int, best: int, second: int) -> tuple[Word, ...]:
        """Return the words of a text that speak most for a class, compared with another class."""
        vectorizer, counts = self.pool.count(self.stop_words)
        columns = np.searchsorted(self.classifier.classes_, [best, second]).tolist()
        parts = self.classifier.decompose_scores(counts[[position]], columns)
        leads = parts.contributions[:, 0] - parts.contributions[:, 1]
        found = {
            vectorizer.terms_[parts.terms[at]]: float(leads[at])
            for at in np.argsort(-leads)[:N_WORDS]
            if leads[at] > 0
        }
        spelled = {
            word: Word(word, found[term])
            for word in self.analyzer.words(self.pool.texts[position])
            for term in self.analyzer.terms([word])
            if term in found and len(word) >= SHORTEST_SHOWN
        }
        return tuple(sorted(spelled.values(), key=lambda each: -each.lead))
