"""
Which text to label next
========================

Labeling texts that represent many others of which the model is unsure needs fewer labels than
labeling texts at random. ``simulate`` replays the labeling of a table that has labels.
"""

# %%
# Two strategies, two runs each, on 200 messages of the mailbox.
import matplotlib.pyplot as plt
import numpy as np

from honeybayes.labeling import simulate
from honeybayes.tables import load_corpus

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
some = np.random.default_rng(0).permutation(len(texts))[:200]
found = simulate(
    [texts[row] for row in some],
    labels[some],
    ["representative", "random"],
    n_labels=30,
    n_runs=2,
)
for strategy in found.strategies:
    print(f"Accuracy with 30 labels, {strategy}: {found.curve(strategy)[30]:.1%}")

# %%
# One text in five is always chosen at random. From these, an honest accuracy is computed.
fig, ax = plt.subplots()
found.plot(ax)
fig.tight_layout()
