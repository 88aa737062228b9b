"""
A few labels and many texts
===========================

Unlabeled texts show which words occur together. ``FewLabels`` learns from them. Without unlabeled
texts it is a logistic regression.
"""

# %%
# The mailbox of a housing office has 673 messages in eight classes. We pretend that only two, five
# or ten of each class have a label. The others are the pool: their labels are hidden.
import matplotlib.pyplot as plt
import numpy as np

from honeybayes import TextClassifier
from honeybayes.tables import load_corpus

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
texts = np.array(texts, dtype=object)


def draw(per_class, seed):
    """Choose labeled messages at random, and return them and the others."""
    random = np.random.default_rng(seed)
    members = [np.flatnonzero(labels == each) for each in np.unique(labels)]
    known = np.concatenate([random.choice(each, per_class, replace=False) for each in members])
    return known, np.setdiff1d(np.arange(len(labels)), known)


# %%
# Each accuracy is the mean of two draws, on the messages without a label.
sizes, draws = (2, 5, 10), 2
accuracy = {"labels only": [], "labels and pool": []}
for size in sizes:
    right = {name: [] for name in accuracy}
    for seed in range(draws):
        known, others = draw(size, seed)
        for name in accuracy:
            pool = texts[others].tolist() if name == "labels and pool" else None
            model = TextClassifier("FewLabels").fit(texts[known].tolist(), labels[known], pool=pool)
            right[name].append(np.mean(model.predict(texts[others].tolist()) == labels[others]))
    for name, values in right.items():
        accuracy[name].append(100 * np.mean(values))
        print(f"Accuracy with {size:2} labels per class, {name}: {accuracy[name][-1]:.1f} %")

# %%
# The fewer labels there are, the more the pool helps.
fig, ax = plt.subplots()
for name, values in accuracy.items():
    ax.plot(sizes, values, marker="o", label=name)
ax.set(xlabel="labels per class", ylabel="accuracy (%)", xticks=sizes)
ax.legend(loc="lower right")
fig.tight_layout()

# %%
# The messages are synthetic, and easier than real mail. The page "Few labels and unlabeled texts"
# has the results on real corpora.
