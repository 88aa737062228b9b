"""Measure what the vectors of a sentence encoder add to the words, with few labels.

    python -m benchmarks.few_labels_encoder [--seeds 3] [--fresh]

The encoder is all-MiniLM-L6-v2 (see benchmarks/minilm.py). Its vectors are stored in the cache
folder, so that a text is encoded once. Appends every fit to
benchmarks/results/few_labels_encoder.jsonl, continues where it stopped, and writes
docs/results/few-labels-encoder.md.
"""

import argparse
import html
import re
import time
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks import minilm
from benchmarks.corpora import analyzer_for, read_texts_or_counts
from benchmarks.few_labels import (
    MIN_DF,
    MOST_DOCUMENTS,
    SIZES,
    UNLABELED,
    Counts,
    Problem,
    counts_for,
    label_some,
    metrics,
)
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import FewLabelsClassifier
from honeybayes.utils.folders import cache_folder

RESULTS = RESULTS_FOLDER / "few_labels_encoder.jsonl"
PAGE = DOCS / "results" / "few-labels-encoder.md"
CORPORA = (
    *("trec-questions", "agnews-test", "sms-spam", "science", "religion", "politics", "comp"),
    *("webkb-pages", "1150haber"),
)
MOST_TEXTS = {"agnews-test": 4000, "comp": 2500, "webkb-pages": 2500}  # encoding is slow
WORDS, BOTH = "words", "words and vectors"


def read_texts(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return texts and labels; of web pages, the text that a reader sees, of five kinds."""
    corpus = read_texts_or_counts(name)
    texts, labels = np.array(corpus.documents, dtype=object), np.asarray(corpus.labels)
    rows = np.arange(len(texts))
    if name == "webkb-pages":
        kinds = ["course", "faculty", "project", "staff", "student"]
        rows = np.flatnonzero(np.isin(labels, kinds))
    if name in MOST_TEXTS:
        chosen = np.random.default_rng(0).choice(rows, MOST_TEXTS[name], replace=False)
        rows = np.sort(chosen)
    texts = texts[rows]
    if name == "webkb-pages":
        texts = np.array([text_of_page(page) for page in texts], dtype=object)
    return texts, labels[rows].astype(str)


def text_of_page(page: str) -> str:
    """Return the text of a stored answer of a web server: no head, no scripts, no tags."""
    if re.match(r"(Date|Server|MIME|HTTP|Content|Last)", page):
        page = re.split(r"\r?\n\r?\n", page, maxsplit=1)[-1]
    page = re.sub(r"(?is)<(script|style).*?</\1>|<!--.*?-->", " ", page)
    return html.unescape(re.sub(r"(?s)<[^>]*>", " ", page))


def vectors_of(name: str, texts: np.ndarray) -> np.ndarray:
    """Return the vectors of all texts of a corpus, encoded at the first call."""
    path = cache_folder() / "benchmarks" / f"minilm-{name}.npy"
    if path.exists():
        return np.load(path)
    vectors = minilm.MiniLM().encode(texts.tolist())
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, vectors)
    return vectors


def draw(
    name: str, texts: np.ndarray, labels: np.ndarray, seed: int
) -> tuple[Problem, np.ndarray, np.ndarray]:
    """Return the pool and the test of one draw, and the rows of both."""
    order = random_for("few labels with an encoder", name, seed).permutation(len(labels))
    half = len(order) // 2
    pool, test = order[:half][:MOST_DOCUMENTS], order[half:][:MOST_DOCUMENTS]
    names, classes = np.unique(labels[pool], return_inverse=True)
    position = {label: number for number, label in enumerate(names)}
    tests = np.array([position.get(label, UNLABELED) for label in labels[test]])
    counts = []
    for left_out in (True, False):
        vectorizer = CountVectorizer(analyzer=analyzer_for(name, left_out), min_df=MIN_DF)
        of_pool = sparse.csr_array(vectorizer.fit_transform(texts[pool]))
        of_test = sparse.csr_array(vectorizer.transform(texts[test]))
        counts.append(Counts(of_pool, of_test, None, left_out))
    return Problem(tuple(counts), classes, tests, names), pool, test


def measure(problem: Problem, of_pool: np.ndarray, of_test: np.ndarray, size: int) -> Any:
    """Yield accuracy, calibration error and CPU time of both models."""
    y, counts = label_some(problem.classes, size), counts_for(problem)
    both = [
        sparse.hstack([part, sparse.csr_array(vectors)], format="csr")
        for part, vectors in ((counts.pool, of_pool), (counts.test, of_test))
    ]
    for name, (pool, test), n_dense in (
        (WORDS, (counts.pool, counts.test), 0),
        (BOTH, both, of_pool.shape[1]),
    ):
        model = FewLabelsClassifier(unlabeled=UNLABELED, n_dense=n_dense)
        start = time.process_time()
        model.fit(pool, y)
        seconds = time.process_time() - start
        found = metrics(model.predict_proba(test), problem.tests)
        yield name, {"accuracy": found["accuracy"], "ece": found["ece"], "seconds": seconds}


Key = tuple[str, int, int, str]


def read_results() -> dict[Key, dict[str, Any]]:
    return {(r["corpus"], r["seed"], r["labels"], r["model"]): r for r in read_records(RESULTS)}


def run(seeds: int) -> None:
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in CORPORA:
            missing = [
                (seed, size)
                for seed in range(seeds)
                for size in SIZES
                if (name, seed, size, BOTH) not in results
            ]
            if not missing:
                continue
            texts, labels = read_texts(name)
            vectors = vectors_of(name, texts)
            for seed in sorted({seed for seed, _ in missing}):
                problem, pool, test = draw(name, texts, labels, seed)
                for size in (size for of_seed, size in missing if of_seed == seed):
                    for model, found in measure(problem, vectors[pool], vectors[test], size):
                        record = {"corpus": name, "seed": seed, "labels": size, "model": model}
                        append_record(file, {**record, **found})
            print(name, flush=True)


INTRODUCTION = """\
# Words and the vectors of a sentence encoder

Written by `python -m benchmarks.few_labels_encoder` (it continues where it stopped; `--fresh`
measures again); do not edit by hand. `FewLabelsClassifier` learns from the words alone, and from
the words and the vectors of all-MiniLM-L6-v2, an English encoder (first 128 tokens of a text). Mean
of {seeds} draws: a pool of at most 1,500 texts, n of them per class with a label, and at most 1,500
others for the test. Of AG News 4,000 texts are used, of COMP and of the WebKB pages 2,500, because
encoding is slow. The cost is the CPU time of `fit` with vectors divided by that without, not
counting the encoder.

Bars: 3 points above the words on the mean; within 1 point on 1150Haber (Turkish) and religion; at
most 6 times the cost.
"""


def page(results: dict[Key, dict[str, Any]], seeds: int) -> str:
    names = [c for c in CORPORA if all((c, seeds - 1, size, BOTH) in results for size in SIZES)]

    def mean(name: str, size: int, model: str, what: str) -> float:
        return float(np.mean([results[name, s, size, model][what] for s in range(seeds)]))

    columns = [f"{model}, {size}" for size in SIZES for model in (WORDS, BOTH)]
    columns += [*(f"gain, {size}" for size in SIZES), "cost"]
    lines = [INTRODUCTION.format(seeds=seeds), *table_head("accuracy", columns)]
    rows = {}
    for name in names:
        found = [[100 * mean(name, n, m, "accuracy") for m in (WORDS, BOTH)] for n in SIZES]
        seconds = [sum(mean(name, n, m, "seconds") for n in SIZES) for m in (WORDS, BOTH)]
        gains = [both - words for words, both in found]
        rows[name] = [*np.ravel(found), *gains, seconds[1] / seconds[0]]
    rows["mean"] = np.mean(list(rows.values()), axis=0)
    for name, values in rows.items():
        cells = [f"{value:.1f}" for value in values[:6]]
        cells += [f"{value:+.1f}" for value in values[6:9]] + [f"{values[9]:.1f}"]
        lines.append(table_row([name, *cells]))
    error = [np.mean([mean(c, n, m, "ece") for c in names]) for n in SIZES for m in (WORDS, BOTH)]
    lines += ["", "Expected calibration error, mean over these corpora:", ""]
    lines += table_head("", columns[:6])
    lines += [table_row(["ECE", *(f"{value:.3f}" for value in error)]), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="delete the results and measure again")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    if not minilm.is_installed():
        print(f"Left out: install the encoder first.\n{minilm.__doc__}")
        return
    run(options.seeds)
    write_page(PAGE, page(read_results(), options.seeds))


if __name__ == "__main__":
    main()
