"""
No labels: class names only
===========================

If you have no labels, give the names of the classes, with a few typical words if you like. They are
weak evidence. Whether they suffice depends on the texts, so look at the check.
"""

# %%
# All labels are hidden. An empty string means "no label".
import matplotlib.pyplot as plt
import numpy as np

from honeybayes import TextClassifier
from honeybayes.tables import load_corpus

texts, truth, _ = load_corpus("mailbox").split_unlabeled()
names = dict.fromkeys(np.unique(truth).tolist(), "")
words = {
    **names,
    "plumbing": "water leak tap toilet drain",
    "waste": "bins rubbish",
    "moving out": "notice deposit handover",
}

# %%
# ``seeds_check_`` says how far the names can be trusted, without any label. It also lists words
# that do not occur in the texts: nobody writes "plumbing" to a housing office.
right = {}
for title, seeds in {"names": names, "names and words": words}.items():
    model = TextClassifier("FewLabels").fit(texts, [""] * len(texts), seeds=seeds)
    answers = model.predict(texts)
    right[title] = [np.mean(answers[truth == each] == each) for each in names]
    print(f"Accuracy with {title}: {np.mean(answers == truth):.1%}. Check: {model.seeds_check_}")

# %%
# One name that tells little is enough to lose a class.
fig, ax = plt.subplots()
at = np.arange(len(names))
for number, (title, values) in enumerate(right.items()):
    ax.barh(at + 0.4 * number, 100 * np.array(values), height=0.4, label=title)
ax.set(xlabel="messages found (%)", yticks=at + 0.2, yticklabels=list(names))
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
fig.tight_layout()
