"""
Texts and other columns
=======================

A table often has more than the text. ``TextClassifier(columns=...)`` also takes numbers and
categories.
"""

# %%
# The other columns here are made from the text: its length, and whether it asks a question. Yours
# may be an amount, a product or the day of the week.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import cross_val_score

from honeybayes import TextClassifier
from honeybayes.tables import load_corpus

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
table = pd.DataFrame({"text": texts})
table["length"] = table["text"].str.len()
table["asks"] = table["text"].str.contains("?", regex=False).map({True: "yes", False: "no"})

# %%
# Numbers and categories are features beside the words.
columns = {"text": "text", "numbers": ["length"], "categories": ["asks"]}
words, both = TextClassifier(), TextClassifier(columns=columns)
scores = {
    "text": 100 * cross_val_score(words, table[["text"]], labels, cv=3).mean(),
    "text and columns": 100 * cross_val_score(both, table, labels, cv=3).mean(),
}
for title, score in scores.items():
    print(f"Accuracy with {title}: {score:.1f} %")

# %%
# Length and question marks add little here, because the words already say it.
fig, ax = plt.subplots()
ax.barh(list(scores), list(scores.values()))
ax.set_xlabel("accuracy (%)")
fig.tight_layout()
