"""Figures of two papers that are not curves: log ratios (honb-2009) and term matrices (honb-tkde).

    python -m reproduction.figures

Writes pages/images. The first needs the corpus RELIGION, the second nothing.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.extmath import svd_flip

from honeybayes import HigherOrderTransformer
from honeybayes.evaluate import RandomSplits
from honeybayes.tables import Corpus

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IMAGES = Path(__file__).parent / "pages" / "images"
CLASSES = ("alt.atheism", "soc.religion.christian")
# Figure 2 of honb-tkde: the nine titles of Deerwester et al. (1990), words in two or more of them.
TITLES = {
    "c1": "human interface computer",
    "c2": "computer user system response time survey",
    "c3": "interface user system eps",
    "c4": "human system system eps",
    "c5": "user response time",
    "m1": "trees",
    "m2": "trees graph",
    "m3": "trees graph minors",
    "m4": "survey graph minors",
}


def log_ratios(corpus: Corpus) -> dict[str, np.ndarray]:
    """Return the log ratios of the terms, of presence and absence, in rows.

    From one sample of 5 % of two classes, as in Figures 3 and 4 of honb-2009: by Eq. 6 (first
    order), by Eq. 8 (higher order), and by Eq. 8 with the square roots of Eq. 12.
    """
    two = corpus.keep_classes(CLASSES)
    (split,) = RandomSplits(percent=5, repetitions=1).split(two.labels, two.name, 0)
    documents: Any = two.documents
    X, y = documents[split.train], two.labels[split.train]
    X = X[:, X.sum(axis=0) > 0]  # terms unseen in training are dropped
    found = {}
    readings: Any = (
        ("first order", "first-order", False),
        ("higher order", "higher-order", False),
        ("normalized", "higher-order", True),
    )
    for name, estimates, normalize in readings:
        model = HigherOrderTransformer(estimates=estimates, normalize=normalize).fit(X, y)
        found[name] = np.array([model.present_, model.absent_])
    return found


def plot_log_ratios(ratios: dict[str, np.ndarray]) -> "Figure":
    """Draw Figures 3 (first row) and 4 (second row) of honb-2009."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 7), layout="constrained")
    panels = figure.subplots(2, 2)
    for row, (number, name) in enumerate(((3, "higher order"), (4, "normalized"))):
        for column, event in enumerate(("presence", "absence")):
            axes = panels[row, column]
            axes.scatter(ratios[name][column], ratios["first order"][column], s=9, alpha=0.5)
            axes.set_title(f"Figure {number}({'ab'[column]}): {event}", fontsize=11)
            axes.set_xlabel("higher order" + (", normalized (Eq. 12)" if row else ""))
            axes.set_ylabel("first order")
            axes.axhline(0, color="0.8", lw=1, zorder=0)
            axes.axvline(0, color="0.8", lw=1, zorder=0)
            axes.spines[["top", "right"]].set_visible(False)
    return figure


def term_matrices() -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return the terms, documents by terms, terms by terms, and the latter in two dimensions."""
    words = [text.split() for text in TITLES.values()]
    terms = list(dict.fromkeys(word for text in words for word in text))
    X = np.array([[text.count(term) for term in terms] for text in words])
    u, s, vt = np.linalg.svd(X, full_matrices=False)
    u, vt = svd_flip(u, vt)
    return terms, X, X.T @ X, (vt[:2].T * s[:2] ** 2) @ vt[:2]


def plot_term_matrices() -> "Figure":
    """Draw Figures 2 to 4 of honb-tkde."""
    from matplotlib.figure import Figure

    terms, X, together, truncated = term_matrices()
    figure = Figure(figsize=(15, 5.6), layout="constrained")
    panels = figure.subplots(1, 3, width_ratios=(9, 12, 12))
    matrices = (
        ("Figure 2: words of the nine titles", X.T, list(TITLES)),
        ("Figure 3: terms by terms", together, terms),
        ("Figure 4: the same in two dimensions", truncated.round(2), terms),
    )
    for axes, (title, matrix, columns) in zip(panels, matrices, strict=True):
        axes.imshow(matrix, cmap="RdBu_r", vmin=-6, vmax=6, aspect="auto")
        axes.set_xticks(range(len(columns)), columns, rotation=60, ha="right", fontsize=8)
        axes.set_yticks(range(len(terms)), terms, fontsize=8)
        axes.set_title(title, fontsize=11)
        for (i, j), value in np.ndenumerate(matrix):
            if value:
                axes.text(j, i, f"{value:g}", ha="center", va="center", fontsize=6)
    return figure


def main() -> None:
    """Draw all."""
    from reproduction.preprocessing import prepare

    ratios = log_ratios(prepare("honb-2009", "RELIGION"))
    plot_log_ratios(ratios).savefig(IMAGES / "honb-2009-log-ratios.png", dpi=80)
    plot_term_matrices().savefig(IMAGES / "honb-tkde-term-matrices.png", dpi=80)
    for name, values in ratios.items():
        lowest, highest = values.min(axis=1), values.max(axis=1)
        print(name, "presence", lowest[0], highest[0], "absence", lowest[1], highest[1])


if __name__ == "__main__":
    main()
