"""
A stream of texts
=================

Models that add up counts learn from one batch after the other. New words are added as they appear.
The result is the same as one ``fit`` to all texts.
"""

# %%
# Each batch is first answered and then learned, as in practice.
import matplotlib.pyplot as plt
import numpy as np

from honeybayes import TextClassifier
from honeybayes.tables import load_corpus

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
classes, size = np.unique(labels), 25
model = TextClassifier("CNB", calibrate=None)
seen, right = [], []
for start in range(0, len(texts), size):
    batch, truth = texts[start : start + size], labels[start : start + size]
    if start:
        right.append(np.mean(model.predict(batch) == truth))
        seen.append(start)
    model.partial_fit(batch, truth, classes=classes)
print(
    f"Accuracy on the first 100 texts: {np.mean(right[:3]):.1%}, on the last 100: "
    f"{np.mean(right[-4:]):.1%}"
)

# %%
# The average over five batches shows the trend.
fig, ax = plt.subplots()
ax.plot(seen, 100 * np.array(right), "o", color="0.7", label="one batch")
smooth = np.convolve(right, np.ones(5) / 5, mode="valid")
ax.plot(seen[4:], 100 * smooth, label="last five batches")
ax.set(xlabel="texts learned", ylabel="accuracy (%)")
ax.legend()
fig.tight_layout()
