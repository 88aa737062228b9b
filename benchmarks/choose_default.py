"""Find the best model with ten labels per class, under the clean protocol.

    python -m benchmarks.choose_default [--seeds 5]

Appends every finished run (corpus, seed, model) to benchmarks/results/default.jsonl and writes
docs/results/default.md. Requires the corpora of the papers.
"""

import argparse
import warnings

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.corpora import analyzer_for
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    bold_best,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import NoPathWarning, list_models, make_model
from reproduction.corpora import load_corpus

RESULTS = RESULTS_FOLDER / "default.jsonl"
PAGE = DOCS / "results" / "default.md"
LABELS = 10
MOST_TEST_DOCUMENTS = 1500
CORPORA = [
    *("religion", "science", "politics", "comp", "20news-18828", "webkb4", "1150haber"),
    *("cora-7", "citeseer", "fbis", "la1s", "la2s", "oh0", "oh5", "oh10", "oh15", "ohscal"),
    *("re0", "re1", "wap"),
]
SAME_AS = {"MVNB": "NB", "HONB pure": "pure HONB", "mNB": "MNB"}  # one model, two names
SAME_AS["FewLabels"] = "LogisticRegression-tfidf"  # if every document has a label
SLOW = {"pure HONB"}  # with full vocabularies

INTRODUCTION = """\
# Which model should be the default?

Written by `python -m benchmarks.choose_default` (`--fresh` measures again); do not edit by hand.

Accuracy in percent with {labels} labeled documents per class (half of the class if it has fewer
than twenty), mean of {seeds} draws. Terms and weights come from the training documents only, and no
terms are selected. Up to 1,500 of the other documents are the test. C = 10 was set in advance for
all corpora. The best mean: **{best}**.
"""


def split(y: np.ndarray, name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = random_for("default", name, seed)
    train = []
    for c in np.unique(y):
        rows = np.flatnonzero(y == c)
        train.append(random.choice(rows, min(LABELS, len(rows) // 2), replace=False))
    train = np.concatenate(train)
    rest = np.setdiff1d(np.arange(len(y)), train)
    return train, random.permutation(rest)[:MOST_TEST_DOCUMENTS]


def matrices(corpus, train: np.ndarray, test: np.ndarray):
    if not isinstance(corpus.documents, list):
        return corpus.documents[train], corpus.documents[test]
    vectorizer = CountVectorizer(analyzer=analyzer_for(corpus.name))
    train_texts = [corpus.documents[row] for row in train]
    return (
        vectorizer.fit_transform(train_texts),
        vectorizer.transform([corpus.documents[row] for row in test]),
    )


def read_results() -> dict[tuple[str, int, str], float]:
    records = read_records(RESULTS)
    return {(r["corpus"], r["seed"], r["model"]): r["accuracy"] for r in records}


def run(models: list[str], seeds: int) -> dict[tuple[str, int, str], float]:
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in CORPORA:
            required = {(name, seed, model) for seed in range(seeds) for model in models}
            if required <= results.keys():
                continue
            corpus = load_corpus(name)
            for seed in range(seeds):
                train, test = split(corpus.labels, name, seed)
                X_train, X_test = matrices(corpus, train, test)
                for model in models:
                    if (name, seed, model) in results:
                        continue
                    fitted = make_model(model).fit(X_train, corpus.labels[train])
                    accuracy = fitted.score(X_test, corpus.labels[test])
                    results[name, seed, model] = accuracy
                    record = {"corpus": name, "seed": seed, "model": model, "accuracy": accuracy}
                    append_record(file, record)
                print(f"{name}, draw {seed + 1} of {seeds}", flush=True)
    return results


def page(results: dict[tuple[str, int, str], float], models: list[str], seeds: int) -> str:
    mean = {
        (name, model): 100 * np.mean([results[name, seed, model] for seed in range(seeds)])
        for name in CORPORA
        for model in models
    }
    overall = {model: np.mean([mean[name, model] for name in CORPORA]) for model in models}
    ranked = sorted(models, key=lambda model: -overall[model])
    lines = [
        INTRODUCTION.format(labels=LABELS, seeds=seeds, best=ranked[0]),
        *table_head("corpus", ranked),
        table_row(["**mean**", *(f"**{overall[model]:.1f}**" for model in ranked)]),
    ]
    lines += [
        table_row([name, *bold_best([mean[name, model] for model in ranked])]) for name in CORPORA
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--fresh", action="store_true", help="delete the results and measure again")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    warnings.simplefilter("ignore", NoPathWarning)
    models = [name for name in list_models() if name not in SAME_AS.keys() | SLOW]
    results = run(models, options.seeds)
    write_page(PAGE, page(results, models, options.seeds))


if __name__ == "__main__":
    main()
