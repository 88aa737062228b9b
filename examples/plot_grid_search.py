"""
Grid search in a pipeline
=========================

All models are scikit-learn estimators. They work in pipelines, in cross-validation and in a grid
search.
"""

# %%
# How much smoothing does complement naive Bayes need, and which words should it see?
import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from honeybayes import CountNB
from honeybayes.tables import load_corpus
from honeybayes.text import TextAnalyzer

texts, labels, _ = load_corpus("mailbox").split_unlabeled()
pipeline = Pipeline(
    [("count", CountVectorizer(analyzer=TextAnalyzer())), ("classify", CountNB(rule="complement"))]
)
grid = {"count__min_df": [1, 2, 4], "classify__alpha": [0.01, 0.1, 1.0, 10.0]}
search = GridSearchCV(pipeline, grid, cv=3).fit(texts, labels)
print(f"Accuracy {search.best_score_:.1%} with {search.best_params_}")

# %%
# One line per smallest document frequency.
scores = search.cv_results_["mean_test_score"].reshape(4, 3)
fig, ax = plt.subplots()
for number, min_df in enumerate(grid["count__min_df"]):
    ax.semilogx(grid["classify__alpha"], 100 * scores[:, number], "o-", label=f"min_df={min_df}")
ax.set(xlabel="alpha", ylabel="accuracy (%)")
ax.legend()
fig.tight_layout()
