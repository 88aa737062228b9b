"""
How far to trust the confidence
===============================

If a model says 90 % a hundred times, it should be right about ninety times. Naive Bayes alone is
almost always too sure. ``TextClassifier`` corrects it with texts that it holds out.
"""

# %%
# The same model, with and without the correction, on messages that it has not seen.
import matplotlib.pyplot as plt
from sklearn.calibration import CalibrationDisplay
from sklearn.model_selection import train_test_split

from honeybayes import TextClassifier
from honeybayes.calibration import expected_calibration_error
from honeybayes.tables import load_corpus

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
train, test, y_train, y_test = train_test_split(
    texts, labels, train_size=200, stratify=labels, random_state=0
)
fig, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for ax, calibrate in zip(axes, (None, "auto"), strict=True):
    model = TextClassifier("HONB", calibrate=calibrate).fit(train, y_train)
    probabilities = model.predict_proba(test)
    confidence, is_right = probabilities.max(axis=1), model.predict(test) == y_test
    error = expected_calibration_error(confidence, is_right)
    print(
        f"Accuracy {is_right.mean():.1%}, calibrate={calibrate!r}: mean confidence "
        f"{confidence.mean():.1%}, expected calibration error {error:.3f}"
    )
    CalibrationDisplay.from_predictions(is_right, confidence, n_bins=10, ax=ax)
    ax.set(xlabel="Confidence", ylabel="Share of right predictions")
    ax.set_title("calibrated" if calibrate else "not calibrated")
fig.tight_layout()
