"""
Texts and other columns
=======================

A table often has more than the text. ``ColumnTransformer`` puts counts of words and other columns
side by side.
"""

# %%
# The other columns here are made from the text: its length, and whether it asks a question. Yours
# may be an amount, a product or the day of the week.
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from honeybayes.tables import load_corpus
from honeybayes.text import TextAnalyzer

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
table = pd.DataFrame({"text": texts})
table["length"] = table["text"].str.len()
table["asks"] = table["text"].str.contains("?", regex=False).astype(int)

# %%
# ``TextAnalyzer`` removes stop words and takes stems. It works in every vectorizer.
columns = {
    "text": ("text", TfidfVectorizer(analyzer=TextAnalyzer()), "text"),
    "numbers": ("numbers", StandardScaler(), ["length", "asks"]),
}
scores = {}
for title, parts in {"numbers": ["numbers"], "text": ["text"], "both": ["text", "numbers"]}.items():
    features = ColumnTransformer([columns[part] for part in parts])
    model = make_pipeline(features, LogisticRegression(C=10, max_iter=1000))
    scores[title] = 100 * cross_val_score(model, table, labels, cv=3).mean()
    print(f"Accuracy with {title}: {scores[title]:.1f} %")

# %%
# Length and question marks add little here, because the words already say it.
fig, ax = plt.subplots()
ax.barh(list(scores), list(scores.values()))
ax.set_xlabel("accuracy (%)")
fig.tight_layout()
