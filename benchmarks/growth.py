"""Measure how the time of a fit grows with documents, terms and classes.

    python -m benchmarks.growth

Documents are random: words of all classes and words of one class, both by Zipf's law. Times are CPU
times of one thread, the best of `TURNS`. They are kept as multiples of the time of scikit-learn's
LogisticRegression on the documents in the middle, which is the same in all three series.
"""

import json
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.few_labels import UNLABELED, label_some
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import RESULTS_FOLDER, read_records, table_head, table_row
from honeybayes import FewLabelsClassifier, HigherOrderNB, HigherOrderSmoothingNB

GROWTH = RESULTS_FOLDER / "growth.jsonl"
TURNS = 3
LABELS = 5
MIDDLE = {"documents": 2000, "terms": 8000, "classes": 8}
SIZES = {
    "documents": (1000, 2000, 4000, 8000, 16000),
    "terms": (2000, 4000, 8000, 16000, 32000),
    "classes": (2, 4, 8, 16, 32),
}
FITTED = 3  # sizes from which the exponent is fitted
LENGTH = 60  # words of a document, a third of them from the words of its class
REGRESSION = "LogisticRegression"


def random_texts(documents: int, terms: int, classes: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Return counts and classes."""
    random = np.random.default_rng(0)
    truth = np.arange(documents) % classes
    own = (terms // classes) ** random.random((documents, LENGTH // 3))
    of_all = terms ** random.random((documents, LENGTH - LENGTH // 3))
    # the words of a class lie in every part of the vocabulary
    columns = np.hstack([(own.astype(int) - 1) * classes + truth[:, None], of_all.astype(int) - 1])
    rows = np.repeat(np.arange(documents), LENGTH)
    entries = (np.ones(len(rows)), (rows, columns.ravel()))
    return sparse.coo_array(entries, shape=(documents, terms)).tocsr(), truth


def fits(X: Any, truth: np.ndarray) -> dict[str, Callable[[], Any]]:
    """Return what is timed, by name."""
    regression = make_pipeline(TfidfTransformer(sublinear_tf=True), LogisticRegression(C=10))
    few = FewLabelsClassifier(unlabeled=UNLABELED)
    return {
        "HONB": partial(HigherOrderNB().fit, X, truth),
        "HOS": partial(HigherOrderSmoothingNB().fit, X, truth),
        "FewLabels": partial(few.fit, X, label_some(truth, LABELS)),
        REGRESSION: partial(regression.fit, X, truth),
    }


def best_times(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the best CPU time of each call; the calls take turns."""
    best: dict[str, float] = {}
    for _ in range(TURNS):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best.get(name, np.inf), time.process_time() - start)
    return best


def main() -> None:
    warnings.simplefilter("ignore")
    best_times(fits(*random_texts(200, 500, 2)))  # compile
    unit = best_times(fits(*random_texts(**MIDDLE)))[REGRESSION]
    rows = []
    print("\nTime of a fit as a multiple of LogisticRegression on", MIDDLE)
    for what, sizes in SIZES.items():
        for size in sizes:
            times = best_times(fits(*random_texts(**{**MIDDLE, what: size})))
            shown = ", ".join(f"{name} {taken / unit:.2f}" for name, taken in times.items())
            print(f"  {size:>6} {what}: {shown}", flush=True)
            rows += [
                {"what": what, "size": size, "model": name, "time": round(taken / unit, 4)}
                for name, taken in times.items()
            ]
    GROWTH.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def series() -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """Read sizes and times, by what grows and model."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in read_records(GROWTH):
        found.setdefault((row["what"], row["model"]), []).append((row["size"], row["time"]))
    return {key: (np.array(points).T[0], np.array(points).T[1]) for key, points in found.items()}


def exponent(sizes: np.ndarray, times: np.ndarray, fitted: int = FITTED) -> float:
    """Fit time = constant * size^exponent by least squares on logarithms.

    Only the largest sizes are used, because fixed costs hide the growth of the smaller ones.
    """
    return float(np.polyfit(np.log(sizes[-fitted:]), np.log(times[-fitted:]), 1)[0])


def draw() -> None:
    from matplotlib.figure import Figure

    make_svg_repeatable(**{"font.size": 9})
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    axes = dict(zip(SIZES, figure.subplots(1, len(SIZES), sharey=True), strict=True))
    for (what, model), (sizes, times) in series().items():
        label = f"{model} ({exponent(sizes, times):.2f})"
        axes[what].loglog(sizes, times, "o-", markersize=4, linewidth=1.2, label=label)
    for what, axis in axes.items():
        axis.set_xlabel(what)
        axis.set_xticks(SIZES[what], [f"{size:,}" for size in SIZES[what]])
        axis.minorticks_off()
        axis.grid(color="0.9")
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(fontsize=7, frameon=False, title="model (exponent)", title_fontsize=7)
    axes["documents"].set_ylim(top=200)  # space for the legends
    axes["documents"].set_ylabel("time of a fit, relative")
    save_picture(figure, "speed-growth")


def table() -> list[str]:
    """Return the fitted exponents as a Markdown table."""
    fitted = {key: exponent(*points) for key, points in series().items()}
    models = list(dict.fromkeys(model for _, model in fitted))
    lines = table_head("model", [*SIZES, "time in the middle"])
    for model in models:
        sizes, times = series()["documents", model]
        middle = times[list(sizes).index(MIDDLE["documents"])]
        cells = [f"{fitted[what, model]:.2f}" for what in SIZES]
        lines.append(table_row([model, *cells, f"{middle:.2f}"]))
    return lines


if __name__ == "__main__":
    main()
