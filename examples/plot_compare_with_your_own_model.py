"""
Compare with your own model
===========================

``compare`` trains and tests every model on the same draws. Any scikit-learn classifier on texts or
on counts takes part.
"""

# %%
# A pipeline of your own beside models of the zoo, on the mailbox. The messages outside a draw,
# without their labels, are the pool of models that can use one.
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline

from honeybayes.evaluate import RandomSplits, compare
from honeybayes.tables import load_corpus

models = {
    "ridge (mine)": make_pipeline(TfidfVectorizer(), RidgeClassifier()),
    "CNB": "CNB",
    "FewLabels": "FewLabels",
}
splits = [RandomSplits(per_class=size, repetitions=5) for size in (5, 10)]
result = compare(models, load_corpus("mailbox"), splits, metrics=["accuracy"])
frame = result.to_frame()
means = 100 * frame.pivot_table("accuracy", "split", "model", sort=False)
print(means.round(1))

# %%
# The difference to the best model, with an interval, says more than two means.
for each in result.differences("FewLabels", "ridge (mine)"):
    print(
        f"{each.split}: FewLabels is ahead by {100 * each.mean:.1f} points, 95 % interval "
        f"{100 * each.low:.1f} to {100 * each.high:.1f}"
    )

# %%
# Five labels and a pool are worth about as much as ten labels alone.
ax = means.plot.barh()
ax.set(xlabel="accuracy (%)", ylabel="labels")
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
ax.figure.tight_layout()
