"""
Why this label?
===============

The score of a class is a sum over the words of a text. So every decision can be explained exactly.
"""

# %%
# Learn from the bundled customer messages, and ask about a new one.
import matplotlib.pyplot as plt

from honeybayes import TextClassifier, explain_decision
from honeybayes.tables import load_corpus

corpus = load_corpus("messages")
model = TextClassifier("CNB").fit(corpus.documents, corpus.labels)
explanation = explain_decision(model, "my parcel says delivered but nothing is at the door")
print(explanation)

# %%
# Bars to the right speak for the predicted class, bars to the left for the runner-up.
fig, ax = plt.subplots(figsize=(7, 4))
explanation.plot(ax)
fig.tight_layout()
