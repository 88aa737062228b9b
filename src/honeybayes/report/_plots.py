"""The report's pictures, for anyone to draw: each function returns its axes."""

from importlib import import_module
from typing import Any

import numpy as np

from honeybayes.calibration import reliability_bins
from honeybayes.evaluate import Comparison

# The palette of Okabe and Ito, told apart by most color-blind readers, on light and dark paper;
# the markers tell the models apart without any color.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8A8A8A")
MARKERS = "osD^vPX"
PERCENT = 100


def new_axes(ax: Any, width: float = 5.2, height: float = 3.6) -> Any:
    """Return the axes given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError(
            f"Pictures are drawn with a package that is not installed ({error}). "
            "Install it with: pip install 'honeybayes[report]'"
        ) from error
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def plot_learning_curves(
    comparison: Comparison, corpus: str | None = None, metric: str = "accuracy", ax: Any = None
) -> Any:
    """Draw the mean of each model against the labels it had, with its confidence interval.

    Parameters
    ----------
    comparison : Comparison
        What `honeybayes.evaluate.compare` returned.
    corpus : str, optional
        Which corpus, if there are several; the first by default.
    metric : str, default="accuracy"
        What was measured.
    ax : matplotlib axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib axes
    """
    corpus = comparison.places[0][0] if corpus is None else corpus
    summaries = [s for s in comparison.summaries(metric) if s.corpus == corpus]
    splits = list(dict.fromkeys(s.split for s in summaries))
    factor = 1 if metric in ("log_loss", "brier") else PERCENT
    rows = (len(comparison.models) + 1) // 2
    ax = new_axes(ax, height=3.2 + 0.22 * rows)
    for number, model in enumerate(comparison.models):
        own = {s.split: s for s in summaries if s.model == model}
        at = [tick for tick, split in enumerate(splits) if split in own]
        mean, low, high = (
            factor * np.array([getattr(own[splits[tick]], name) for tick in at])
            for name in ("mean", "low", "high")
        )
        again, place = divmod(number, len(COLORS))  # a second round of colors has other markers
        color, marker = COLORS[place], MARKERS[(place + again) % len(MARKERS)]
        style = "--" if again else "-"
        ax.plot(at, mean, color=color, marker=marker, linestyle=style, label=model)
        if not np.isnan(low).any():
            if factor == PERCENT:  # few draws make wide intervals, but no share is above one
                low, high = np.clip([low, high], 0, PERCENT)
            ax.fill_between(at, low, high, color=color, alpha=0.15, linewidth=0)
    ax.set_xticks(range(len(splits)), splits)
    ax.set_xlabel("Labeled documents")
    ax.set_ylabel(f"{metric.replace('_', ' ').capitalize()}{' (%)' if factor == PERCENT else ''}")
    ax.grid(axis="y", alpha=0.3)
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": 2}
    ax.legend(frameon=False, fontsize="small", **below)
    return ax


def plot_confusion(truth: Any, answers: Any, classes: Any = None, ax: Any = None) -> Any:
    """Draw how often documents of each class (a row) were taken for each class (a column).

    Parameters
    ----------
    truth, answers : array-like of shape (n_documents,)
        True and predicted labels.
    classes : array-like, optional
        The labels, in the order wanted; all that occur by default.
    ax : matplotlib axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib axes
    """
    from sklearn.metrics import confusion_matrix

    classes = np.unique(np.concatenate([truth, answers])) if classes is None else np.array(classes)
    counts = confusion_matrix(truth, answers, labels=classes)
    of_class = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    share = counts / of_class
    side = max(3.2, 0.45 * len(classes) + 1.4)
    ax = new_axes(ax, side, side)
    ax.imshow(share, cmap="Blues", vmin=0, vmax=1)
    for row, column in np.ndindex(*counts.shape):
        if counts[row, column]:
            color = "white" if share[row, column] > 0.5 else "black"
            text = f"{PERCENT * share[row, column]:.0f}"
            ax.text(column, row, text, ha="center", va="center", color=color, fontsize=8)
    plain = {"parse_math": False}  # a class may be called "$5 to $10"
    ax.set_xticks(range(len(classes)), classes, rotation=45, ha="right", **plain)
    ax.set_yticks(range(len(classes)), classes, **plain)
    ax.set_xlabel("Predicted class")
    ax.set_ylabel("True class (rows: % of its documents)")
    return ax


def plot_reliability(truth: Any, probabilities: Any, classes: Any, ax: Any = None) -> Any:
    """Draw how often the model was right against how sure it was.

    Parameters
    ----------
    truth : array-like of shape (n_documents,)
        True labels.
    probabilities : array-like of shape (n_documents, n_classes)
        Of each class.
    classes : array-like of shape (n_classes,)
        Labels of the columns.
    ax : matplotlib axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    matplotlib axes
    """
    probabilities, classes = np.asarray(probabilities), np.asarray(classes)
    right = classes[probabilities.argmax(axis=1)] == np.asarray(truth)
    size, confidence, accuracy = reliability_bins(probabilities.max(axis=1), right)
    ax = new_axes(ax, 3.8, 3.8)
    ax.plot([0, 1], [0, 1], color="#8A8A8A", linestyle="--", linewidth=1, label="as sure as right")
    ax.plot(confidence, accuracy, color=COLORS[0], linewidth=1)
    area = 20 + 280 * size / size.max()
    ax.scatter(confidence, accuracy, area, color=COLORS[0], alpha=0.7, label="documents")
    ax.set(xlim=(0, 1.03), ylim=(0, 1.03), aspect="equal")
    ax.set_xlabel("Confidence")
    ax.set_ylabel("Share that was right")
    ax.legend(frameon=False, loc="upper left")
    return ax
