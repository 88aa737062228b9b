"""
What a path is
==============

Two words that never occur in the same text can still be connected: through a third word, and the
two texts that contain it. Such a connection is a path of order 2.
"""

# %%
# Five short texts. Lines connect each text with its words.
import matplotlib.pyplot as plt
import numpy as np

from honeybayes.paths import count_paths, iter_paths

words = ["radiator", "cold", "flat", "notice", "deposit"]
texts = ["radiator cold", "cold flat", "flat notice", "notice deposit", "radiator cold flat"]
X = np.array([[word in text.split() for word in words] for text in texts], dtype=int)
paths = list(iter_paths(X))
for path, documents in paths[:5]:
    print(" - ".join(words[each] for each in path), "through the texts", documents)
print(f"... {len(paths)} paths of order 2, as count_paths says: {count_paths(X).total}")

# %%
# "cold" and "notice" never occur together. The word "flat" connects them.
chosen, through = next(
    (path, documents)
    for path, documents in paths
    if {words[path[0]], words[path[-1]]} == {"cold", "notice"}
)
fig, ax = plt.subplots(figsize=(7, 4))
ax.axis("off")


def stands(kind, number):
    """Return where a word (above) or a text (below) is drawn."""
    return (number, 1.0 if kind == "word" else 0.0)


on_path = {(document, word) for document in through for word in chosen if X[document, word]}
for document, word in zip(*np.nonzero(X), strict=True):
    bold = (document, word) in on_path
    line = np.array([stands("text", document), stands("word", word)]).T
    ax.plot(*line, color="tab:orange" if bold else "0.8", linewidth=3 if bold else 1, zorder=0)
for number, word in enumerate(words):
    ax.text(*stands("word", number), word, ha="center", va="bottom", weight="bold")
for number, text in enumerate(texts):
    ax.text(*stands("text", number), text.replace(" ", "\n"), ha="center", va="top")
ax.set(xlim=(-0.5, len(words) - 0.5), ylim=(-0.5, 1.3))
ax.set_title("A path of order 2 from “cold” to “notice”")
fig.tight_layout()

# %%
# Words at the end of many paths of a class say more about it than words that merely occur in it.
# ``HigherOrderNB`` counts paths instead of occurrences.
per_word = count_paths(X).per_term
fig, ax = plt.subplots()
ax.bar(words, per_word, label="paths")
ax.bar(words, X.sum(axis=0), width=0.4, label="texts")
ax.set_ylabel("number with this word")
ax.legend()
fig.tight_layout()
