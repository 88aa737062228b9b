"""Measure how a class with a single document affects the others, with and without scaling alpha.

    python -m benchmarks.fallback

Prints the table of docs/paths.md. Requires the corpora of the papers.
"""

import warnings
from unittest.mock import patch

import numpy as np

from honeybayes import HigherOrderNB, NoPathWarning
from reproduction.preprocessing import prepare_otherwise

N_DRAWS = 6


def draw(y: np.ndarray, seed: int, size: str) -> np.ndarray:
    """Draw training rows: 25, 1 or 5 % per class, but a single one of one random class."""
    rng = np.random.default_rng(seed)
    classes = np.unique(y)
    rng.shuffle(classes)
    rows = []
    for c in classes:
        own = np.flatnonzero(y == c)
        n = {"25": 25, "1": 1, "5 %": max(1, len(own) // 20)}[size]
        if c == classes[0] and "staff" not in classes:  # at 5 %, staff has one document anyway
            n = 1
        rows.append(rng.choice(own, n, replace=False))
    return np.concatenate(rows)


def main() -> None:
    warnings.simplefilter("ignore", NoPathWarning)
    cases = [
        *((name, "25") for name in ("religion", "science", "comp")),
        *((name, "5 %") for name in ("cora-7", "citeseer", "webkb")),
        *((name, "1") for name in ("religion", "science", "comp")),
    ]
    print("corpus, labels per class: accuracy / single documents right, same alpha, scaled alpha")
    for name, size in cases:
        corpus = prepare_otherwise("honb-tkde", name)
        X, y = corpus.documents, corpus.labels
        results = []
        for seed in range(N_DRAWS):
            train = draw(y, seed, size)
            test = np.setdiff1d(np.arange(len(y)), train)
            labels, counts = np.unique(y[train], return_counts=True)
            single = train[np.isin(y[train], labels[counts == 1])]
            scaled = HigherOrderNB().fit(X[train], y[train])
            with patch("honeybayes.bayes.higher_order.even_alpha", lambda totals, alpha: alpha):
                same = HigherOrderNB().fit(X[train], y[train])
            results.append(
                [m.score(X[rows], y[rows]) for m in (same, scaled) for rows in (test, single)]
            )
        same_new, same_own, scaled_new, scaled_own = np.mean(results, axis=0)
        print(
            f"{name:10} {size:>4}: {same_new:.3f} / {same_own:.3f}   "
            f"{scaled_new:.3f} / {scaled_own:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
