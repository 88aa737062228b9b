"""The equations and algorithms of the count models, written out word by word.

Slow and literal on purpose: plain Python numbers, nested loops, nothing shared with the library.
A document is a dictionary from term to count. The scores are natural logarithms.
"""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from hypothesis import strategies as st

Document = dict[int, float]


def as_documents(X) -> list[Document]:
    return [{i: float(f) for i, f in enumerate(row) if f > 0} for row in X]


class Oracle:
    """Training documents, and what Algorithms 1, 3 and 5 compute from them."""

    def __init__(self, X, y, alpha: float = 1.0) -> None:
        self.training = as_documents(X)
        self.length = [sum(document.values()) for document in self.training]
        self.labels = list(y)
        self.classes = sorted(set(y))
        self.n_terms = len(X[0])
        self.alpha = alpha

    def log_prior(self, c) -> tuple[float, float]:
        """Equations 4 and 5: class, complement."""
        n, s, n_c = len(self.labels), len(self.classes), self.labels.count(c)
        return math.log((n_c + 1) / (n + s)), math.log((n - n_c + 1) / (n + s))

    def word(self, i: int) -> dict[str, tuple[float, float]]:
        """Equations 6 and 7: P(i given c) and P(i given the complement of c), for each c."""
        return self._smoothed(range(len(self.training)), i)

    def beside(self, i: int, t: int) -> dict[str, tuple[float, float]]:
        """Equations 14 and 18: the same from the documents in which t occurs."""
        with_t = [j for j, document in enumerate(self.training) if t in document]
        return self._smoothed(with_t, i)

    def _smoothed(self, documents: Iterable[int], i: int) -> dict[str, tuple[float, float]]:
        count = dict.fromkeys(self.classes, 0.0)
        total = dict.fromkeys(self.classes, 0.0)
        for j in documents:
            count[self.labels[j]] += self.training[j].get(i, 0.0)
            total[self.labels[j]] += self.length[j]
        return {
            c: (
                self._estimate(count[c], total[c]),
                self._estimate(
                    sum(count[other] for other in self.classes if other != c),
                    sum(total[other] for other in self.classes if other != c),
                ),
            )
            for c in self.classes
        }

    def _estimate(self, count: float, total: float) -> float:
        return (count + self.alpha) / (total + self.n_terms * self.alpha)

    def gain_ratios(self) -> list[float]:
        """Equation 12. Both logarithms have the same base, so any base will do."""
        return [self._gain_ratio(t) for t in range(self.n_terms)]

    def _gain_ratio(self, t: int) -> float:
        n, gain, split = len(self.labels), 0.0, 0.0
        for present in (False, True):
            p_f = sum((t in document) == present for document in self.training) / n
            if p_f > 0:
                split -= p_f * math.log(p_f)
            for c in self.classes:
                both = [
                    (t in document) == present and label == c
                    for document, label in zip(self.training, self.labels, strict=True)
                ]
                p_fc, p_c = sum(both) / n, self.labels.count(c) / n
                if p_fc > 0:
                    gain += p_fc * math.log(p_fc / (p_f * p_c))
        # what is left of an exact zero after rounding is no weight
        return gain / split if split > 0 and gain > 1e-12 else 0.0

    def qualified(self) -> list[float]:
        """Steps 7 to 12 of Algorithm 1; equal weights all equal their average."""
        ratios = self.gain_ratios()
        average = math.fsum(ratios) / self.n_terms
        return [w if w > average or math.isclose(w, average, rel_tol=1e-9) else 0.0 for w in ratios]

    def decide(self, rule: str, c, log_likelihood: Sequence[float]) -> float:
        """Equations 1 to 3 in logarithms; for one-vs-rest the difference of the logarithms."""
        a, b = (p + q for p, q in zip(self.log_prior(c), log_likelihood, strict=True))
        return {"multinomial": a, "complement": -b, "one-vs-rest": a - b}[rule]

    def count_scores(self, document: Document, rule: str) -> list[float]:
        """MNB, CNB, OVA."""
        logs = {c: [0.0, 0.0] for c in self.classes}
        for i, f in document.items():
            for c, sides in self.word(i).items():
                for side, p in enumerate(sides):
                    logs[c][side] += f * math.log(p)
        return [self.decide(rule, c, logs[c]) for c in self.classes]

    def hidden_scores(self, document: Document, rule: str, weights, paper=False) -> list[float]:
        """Algorithms 2, 4 and 6: HMNB, HCNB, HOVA; with ``paper``, what HOVA's table shows."""
        logs = {c: [0.0, 0.0] for c in self.classes}
        log_odds = dict.fromkeys(self.classes, 0.0)
        for i, f in document.items():
            total = 0.0
            sums = {c: [0.0, 0.0] for c in self.classes}
            odds = dict.fromkeys(self.classes, 0.0)
            for t in document:
                if t == i or weights[t] == 0:
                    continue
                total += weights[t]
                for c, (p, p_complement) in self.beside(i, t).items():
                    sums[c][0] += weights[t] * p
                    sums[c][1] += weights[t] * p_complement
                    odds[c] += weights[t] * p_complement / p
            if total == 0:  # no parent: Equation 11 would be 0 / 0
                total = 1.0
                for c, (p, p_complement) in self.word(i).items():
                    sums[c] = [p, p_complement]
                    odds[c] = p_complement / p
            for c in self.classes:
                for side in (0, 1):
                    logs[c][side] += f * math.log(sums[c][side] / total)
                log_odds[c] -= f * math.log(odds[c] / total)
        if paper:
            return [self.decide("one-vs-rest", c, [log_odds[c], 0.0]) for c in self.classes]
        return [self.decide(rule, c, logs[c]) for c in self.classes]

    def super_parent_scores(self, document: Document, rule: str, weights=None) -> list[float]:
        """SEMNB, SECNB, SEOVA: the average over each word as the parent of all."""
        if weights is None:
            weights = self.qualified() if rule == "one-vs-rest" else self.gain_ratios()
        parents = [t for t in document if weights[t] > 0]
        if not parents:
            return self.count_scores(document, rule)
        total = sum(weights[t] for t in parents)
        terms = {c: [] for c in self.classes}
        for t in parents:
            logs = {c: [0.0, 0.0] for c in self.classes}
            for i, f in document.items():
                for c, sides in self.beside(i, t).items():
                    for side, p in enumerate(sides):
                        logs[c][side] += f * math.log(p)
            for c in self.classes:
                score = self.decide(rule, c, logs[c])
                sign = -1 if rule == "complement" else 1
                terms[c].append(math.log(weights[t] / total) + sign * score)
        return [
            -log_sum(terms[c]) if rule == "complement" else log_sum(terms[c]) for c in self.classes
        ]


def log_sum(logs: list[float]) -> float:
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(log - largest) for log in logs))


def scores_of(documents, score: Callable[[Document], list[float]]) -> np.ndarray:
    return np.array([score(document) for document in as_documents(documents)])


RULES = ["multinomial", "complement", "one-vs-rest"]


@st.composite
def problems(draw):
    """Training counts, labels, new documents and alpha.

    Columns may be empty (words unseen in training), documents too, and classes may have a single
    document. Counts are whole or quarters.
    """
    n_terms = draw(st.integers(1, 7))
    unit = draw(st.sampled_from([1.0, 0.25]))
    counts = st.one_of(st.just(0), st.integers(0, 4))
    rows = st.lists(counts, min_size=n_terms, max_size=n_terms)
    X = draw(st.lists(rows, min_size=1, max_size=9))
    y = draw(st.lists(st.sampled_from("abcd"), min_size=len(X), max_size=len(X)))
    new = draw(st.lists(rows, min_size=1, max_size=3))
    alpha = draw(st.sampled_from([1.0, 0.5, 0.01, 3.0]))
    return np.array(X) * unit, np.array(y), np.array(new) * unit, alpha


def random_counts(n_documents=60, n_terms=40, n_classes=4, seed=0):
    """Counts of documents whose classes have words of their own, and the classes."""
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_documents)
    topic = random.gamma(0.3, 1, (n_classes, n_terms))
    return random.poisson(topic[y]), y
