"""The plots of the report. They can also be used alone: each function returns its axes."""

from typing import Any

import numpy as np

from honeybayes.calibration import reliability_bins
from honeybayes.evaluate import Comparison
from honeybayes.utils.optional import new_axes

# The palette of Okabe and Ito, which most color-blind readers can distinguish, on light and dark
# paper. The markers distinguish the models without color.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8A8A8A")
MARKERS = "osD^vPX"
PERCENT = 100


def plot_learning_curves(
    comparison: Comparison, corpus: str | None = None, metric: str = "accuracy", ax: Any = None
) -> Any:
    """Draw the mean of each model by number of labels, with its confidence interval.

    Parameters
    ----------
    comparison : Comparison
        Returned by `honeybayes.evaluate.compare`.
    corpus : str, optional
        Name of the corpus. The default is the first corpus.
    metric : str, default="accuracy"
        The metric.
    ax : matplotlib axes, optional
        Axes to draw on. The default is a new figure.

    Returns
    -------
    matplotlib axes
    """
    corpus = comparison.places[0][0] if corpus is None else corpus
    summaries = [s for s in comparison.summaries(metric) if s.corpus == corpus]
    splits = list(dict.fromkeys(s.split for s in summaries))
    factor = 1 if metric in ("log_loss", "brier") else PERCENT
    ax = new_axes(ax, width=5.2, height=3.2 + 0.22 * ((len(comparison.models) + 1) // 2))
    for number, model in enumerate(comparison.models):
        own = {s.split: s for s in summaries if s.model == model}
        at = [tick for tick, split in enumerate(splits) if split in own]
        mean, low, high = (
            factor * np.array([getattr(own[splits[tick]], name) for tick in at])
            for name in ("mean", "low", "high")
        )
        again, index = divmod(number, len(COLORS))  # a second round of colors has other markers
        color, marker = COLORS[index], MARKERS[(index + again) % len(MARKERS)]
        style = "--" if again else "-"
        ax.plot(at, mean, color=color, marker=marker, linestyle=style, label=model)
        if not np.isnan(low).any():
            if factor == PERCENT:  # intervals from few draws may reach beyond 0 and 100 %
                low, high = np.clip([low, high], 0, PERCENT)
            ax.fill_between(at, low, high, color=color, alpha=0.15, linewidth=0)
    largest = factor * np.array([comparison.baseline((corpus, split), metric) for split in splits])
    if not np.isnan(largest).all():
        ax.plot(range(len(splits)), largest, color="gray", linestyle=":", label="largest class")
    ax.set_xticks(range(len(splits)), splits)
    ax.set_xlabel("Labeled documents")
    ax.set_ylabel(f"{metric.replace('_', ' ').capitalize()}{' (%)' if factor == PERCENT else ''}")
    ax.grid(axis="y", alpha=0.3)
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": 2}
    ax.legend(frameon=False, fontsize="small", **below)
    return ax


def plot_confusion(truth: Any, answers: Any, classes: Any = None, ax: Any = None) -> Any:
    """Draw a confusion matrix, in percent of the documents of each true class.

    Parameters
    ----------
    truth, answers : array-like of shape (n_documents,)
        True and predicted labels.
    classes : array-like, optional
        Labels in the order of rows and columns. The default is all labels, sorted.
    ax : matplotlib axes, optional
        Axes to draw on. The default is a new figure.

    Returns
    -------
    matplotlib axes
    """
    from sklearn.metrics import ConfusionMatrixDisplay

    classes = np.unique(np.concatenate([truth, answers])) if classes is None else np.array(classes)
    side = max(3.2, 0.45 * len(classes) + 1.4)
    ax = new_axes(ax, width=side, height=side)
    # scikit-learn colors a number by the range of the shares, which is hard to read if all are low
    drawn = ConfusionMatrixDisplay.from_predictions(
        truth,
        answers,
        labels=classes,
        normalize="true",
        ax=ax,
        cmap="Blues",
        colorbar=False,
        im_kw={"vmin": 0, "vmax": 1},
        text_kw={"fontsize": 8},
    )
    for text, share in zip(drawn.text_.flat, drawn.confusion_matrix.flat, strict=True):
        text.set(text=f"{PERCENT * share:.0f}", color="white" if share > 0.5 else "black")
        if not share:
            text.remove()
    plain = {"parse_math": False}  # a class may be called "$5 to $10"
    ax.set_xticks(range(len(classes)), classes, rotation=45, ha="right", **plain)
    ax.set_yticks(range(len(classes)), classes, **plain)
    ax.set(xlabel="Predicted class", ylabel="True class (rows: % of its documents)")
    return ax


def plot_reliability(truth: Any, probabilities: Any, classes: Any, ax: Any = None) -> Any:
    """Draw the accuracy by confidence. Larger circles mean more documents.

    Parameters
    ----------
    truth : array-like of shape (n_documents,)
        True labels.
    probabilities : array-like of shape (n_documents, n_classes)
        Probability of each class.
    classes : array-like of shape (n_classes,)
        Labels of the columns.
    ax : matplotlib axes, optional
        Axes to draw on. The default is a new figure.

    Returns
    -------
    matplotlib axes
    """
    # scikit-learn's CalibrationDisplay does not show how many documents a bin holds
    probabilities, classes = np.asarray(probabilities), np.asarray(classes)
    right = classes[probabilities.argmax(axis=1)] == np.asarray(truth)
    size, confidence, accuracy = reliability_bins(probabilities.max(axis=1), right)
    ax = new_axes(ax, width=3.8, height=3.8)
    ax.plot([0, 1], [0, 1], color="#8A8A8A", linestyle="--", linewidth=1, label="ideal")
    ax.plot(confidence, accuracy, color=COLORS[0], linewidth=1)
    area = 20 + 280 * size / size.max()
    ax.scatter(confidence, accuracy, area, color=COLORS[0], alpha=0.7, label="documents")
    ax.set(xlim=(0, 1.03), ylim=(0, 1.03), aspect="equal")
    ax.set(xlabel="Confidence", ylabel="Share of right predictions")
    ax.legend(frameon=False, loc="upper left")
    return ax
