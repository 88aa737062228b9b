"""The teacher's rounds, written out word by word: plain Python numbers and nested loops.

A document is a dictionary from term to count; a label is a class or None.
"""

import math

Document = dict[int, float]


def as_documents(X) -> list[Document]:
    return [{i: float(f) for i, f in enumerate(row) if f > 0} for row in X]


def tfidf(documents: list[Document], n_terms: int, offset: float = 1) -> list[Document]:
    """Weights (1 + log count) * idf, or count * idf below one, in vectors of unit length."""
    n = len(documents)
    frequency = [sum(i in document for document in documents) for i in range(n_terms)]
    weighed = []
    for document in documents:
        x = {}
        for i, count in document.items():
            tf = 1 + math.log(count) if count >= 1 else count
            x[i] = tf * max(math.log((1 + n) / (1 + frequency[i])) + offset, 1e-6)
        length = math.sqrt(math.fsum(v * v for v in x.values()))
        weighed.append({i: v / length for i, v in x.items()})
    return weighed


class Oracle:
    """Documents with and without labels, and the parameters after each round."""

    def __init__(self, documents, labels, n_terms, alpha, pool_weight, shrinkage, walk) -> None:
        self.documents, self.labels, self.n_terms = documents, labels, n_terms
        self.classes = sorted({label for label in labels if label is not None})
        self.alpha, self.pool_weight, self.shrinkage = alpha, pool_weight, shrinkage
        self.word = {c: self._smooth(self._scaled(c, walk)) for c in self.classes}
        self.prior = self._share({c: 1 + labels.count(c) for c in self.classes})

    def _labeled_weight(self, c) -> list[float]:
        weight = [0.0] * self.n_terms
        for x, label in zip(self.documents, self.labels, strict=True):
            if label == c:
                for i, value in x.items():
                    weight[i] += value
        return weight

    def _scaled(self, c, walk: float) -> list[float]:
        """The first estimate, as if every class with a label had the same number of labels."""
        walked, n = self._walked(c, walk), self.labels.count(c)
        if not n:
            return walked
        counts = [self.labels.count(each) for each in self.classes if self.labels.count(each)]
        return [weight * sum(counts) / len(counts) / n for weight in walked]

    def _walked(self, c, share: float) -> list[float]:
        """One step from each word to its documents, and from each document to its words.

        A class of which no word is known starts as the average document.
        """
        start = self._labeled_weight(c)
        if not any(start):
            n = len(self.documents)
            return [sum(x.get(i, 0.0) for x in self.documents) / n for i in range(self.n_terms)]
        arrived = [0.0] * self.n_terms
        for i in range(self.n_terms):
            all_of_word = sum(x.get(i, 0.0) for x in self.documents)
            for x in self.documents:
                if i in x:
                    for j, value in x.items():
                        arrived[j] += start[i] * x[i] / all_of_word * value / sum(x.values())
        return [(1 - share) * s + share * a for s, a in zip(start, arrived, strict=True)]

    def _smooth(self, weight: list[float]) -> list[float]:
        total = sum(w + self.alpha for w in weight)
        return [(w + self.alpha) / total for w in weight]

    def _share(self, size: dict) -> dict:
        total = sum(size.values())
        equal = 1 / len(self.classes)
        return {
            c: (1 - self.shrinkage) * size[c] / total + self.shrinkage * equal for c in self.classes
        }

    def log_joint(self, x: Document, c) -> float:
        return math.log(self.prior[c]) + sum(v * math.log(self.word[c][i]) for i, v in x.items())

    def guess(self, x: Document) -> dict:
        logs = {c: self.log_joint(x, c) for c in self.classes}
        largest = max(logs.values())
        parts = {c: math.exp(log - largest) for c, log in logs.items()}
        return {c: part / sum(parts.values()) for c, part in parts.items()}

    def round(self) -> None:
        """Guess every unlabeled document, then estimate from labels and guesses."""
        pool = [x for x, label in zip(self.documents, self.labels, strict=True) if label is None]
        guesses = [self.guess(x) for x in pool]
        size = {}
        for c in self.classes:
            weight = self._labeled_weight(c)
            for x, q in zip(pool, guesses, strict=True):
                for i, value in x.items():
                    weight[i] += self.pool_weight * q[c] * value
            size[c] = 1 + self.labels.count(c) + self.pool_weight * sum(q[c] for q in guesses)
            self.word[c] = self._smooth(weight)
        self.prior = self._share(size)
