"""Many texts: two workers against one, memory by the number of parts, one core, bytes to send.

    python -m benchmarks.speed_scale [ROWS]

ROWS is the number of texts in all, by default 1,000,000: about ten minutes if nothing else runs.
Ratios of two workers to one need a machine with two free cores; the load is printed. On a busy one,
the CPU time of the workers of Dask says what is possible: at most 2 divided by its ratio. The
corpora agnews-test and 20news-18828 are used if they are there (see CONTRIBUTING.md), and Dask if
it is installed.
"""

import csv
import os
import pickle
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.corpora import read_texts_or_counts, skip_if_missing
from benchmarks.measure import report, times_as_long
from benchmarks.speed_predict import many_texts
from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, TextClassifier, save_model
from honeybayes.bayes import CountNB
from honeybayes.scale import DaskEngine, Part, fit_in_parts, start_statistics
from honeybayes.text import TextVectorizer

IN_BENCH = False  # takes ten minutes
ROWS, N_FILES, N_TURNS = 1_000_000, 10, 2
N_TRAINING, N_LABELED = 2000, 100
BAR = "at least 1.7"
NEW_WORDS = 4  # one in four texts has a word that no other text has; see speed_predict
PEAK = (
    "import resource, sys; from honeybayes.cli import main; sys.argv[0] = 'honeybayes'\n"
    "try: main()\n"
    "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    print(f"{os.cpu_count()} cores, load of the last minute {os.getloadavg()[0]:.1f}")
    texts, labels = load_texts()
    report("Texts per second of one core, as a multiple of scikit-learn's", one_core(texts, labels))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_model(TextClassifier("CNB").fit(texts, labels), folder / "model.hb")
        write_parts(folder / "parts", texts, labels, N_FILES, n_rows // N_FILES)
        calls = (partial(predict, folder, "parts", jobs) for jobs in (1, 2))
        rows = compare_workers("predict", BAR, *calls)[:1]
        report(f"{n_rows:,} texts in {N_FILES} files", rows)
        report(f"{n_rows:,} texts in a list", predict_list(texts, labels, n_rows))
        for name in ("20news-18828", "agnews-test"):
            with skip_if_missing(name):
                X, y = read_counts(name)
                rows = [
                    row for pure in (None, "class") for row in count_paths_in_threads(X, y, pure)
                ]
                report(f"{name}, {len(y):,} documents", rows)
        if find_spec("distributed") is None:
            print("\nfit_in_parts with Dask left out: Dask is not installed (extra: scale)")
        else:
            report(f"{n_rows:,} texts in {N_FILES} parts", two_dask_workers(folder, texts))
        for n_files, table in ((N_FILES, "few"), (10 * N_FILES, "many")):
            write_parts(folder / table, texts, labels, n_files, max(2, n_rows // 200))
        report("Peak memory, 100 parts as a multiple of 10 parts", memory(folder, texts))
    print_bytes_to_send(texts, labels)


def load_texts() -> tuple[list[str], np.ndarray]:
    """Return news in brief, or the bundled messages."""
    with skip_if_missing("agnews-test"):
        corpus = read_texts_or_counts("agnews-test")
        return corpus.documents, corpus.labels
    corpus = read_texts_or_counts("messages")
    return corpus.documents, corpus.labels


def read_counts(name: str) -> tuple[Any, np.ndarray]:
    corpus = read_texts_or_counts(name)
    return TextVectorizer().fit_transform(corpus.documents), corpus.labels


def write_parts(folder: Path, texts: list[str], labels: Any, n_files: int, n_rows: int) -> None:
    folder.mkdir()
    new = many_texts(texts, n_rows, NEW_WORDS)
    rows = [[at, text, labels[at % len(texts)]] for at, text in enumerate(new)]
    for number in range(n_files):
        with (folder / f"{number:03}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["id", "text", "topic"], *rows])


def one_core(texts: list[str], labels: Any) -> list:
    """Compare predictions by process time; both use one thread."""
    training = texts[:N_TRAINING], labels[:N_TRAINING]
    theirs = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(*training)
    models = {name: TextClassifier(name) for name in ("LogisticRegression-tfidf", "CNB", "HONB")}
    fitted = {name: model.fit(*training) for name, model in models.items()}
    few = [each[:N_LABELED] for each in training]
    fitted["FewLabels"] = TextClassifier("FewLabels").fit(*few, pool=training[0][N_LABELED:])
    rows = []
    new = many_texts(texts, 20_000, NEW_WORDS)
    for name, model in fitted.items():
        for method in ("predict", "predict_proba"):
            calls = (partial(getattr(each, method), new) for each in (theirs, model))
            ratio = times_as_long(*calls, 3, clock=time.process_time, summary=min)
            rows.append((f"{name}, {method}", ratio, "at least 1"))
    return rows


def compare_workers(
    name: str, bar: str, one: Callable[[], float], two: Callable[[], float]
) -> list:
    """Let two calls take turns, and compare the fastest of each; they return their CPU time."""
    taken: list[tuple[list[float], list[float]]] = [([], []), ([], [])]
    for _ in range(N_TURNS):
        for call, (seconds, of_cores) in zip((one, two), taken, strict=True):
            start = time.perf_counter()
            of_cores.append(call())
            seconds.append(time.perf_counter() - start)
    (one_seconds, one_cores), (two_seconds, two_cores) = taken
    return [
        (f"{name}: 2 workers, times as fast as 1", min(one_seconds) / min(two_seconds), bar),
        (f"{name}: CPU time of 2 workers / of 1", min(two_cores) / min(one_cores)),
    ]


def predict_list(texts: list[str], labels: Any, n_rows: int) -> list:
    """Predict with joblib, whose processes are started anew each time."""
    model, new = TextClassifier("CNB").fit(texts, labels), many_texts(texts, n_rows, NEW_WORDS)

    def predict_with(n_jobs: int) -> float:
        if n_jobs > 1:
            get_reusable_executor().shutdown()
        with joblib.parallel_config(n_jobs=n_jobs):
            model.predict(new)
        return time.process_time()

    calls = (partial(predict_with, n_jobs) for n_jobs in (1, 2))
    return compare_workers("TextClassifier.predict", "at least 0.9", *calls)[:1]


def count_paths_in_threads(X: Any, labels: Any, pure: str | None) -> list:
    """Fit HigherOrderNB, whose threads count the paths of one class each."""

    def fit_with(n_jobs: int) -> float:
        HigherOrderNB(pure=pure, n_jobs=n_jobs).fit(X, labels)
        return time.process_time()

    calls = (partial(fit_with, n_jobs) for n_jobs in (1, 2))
    return compare_workers(f"HigherOrderNB, pure={pure}", "at least 0.9", *calls)[:1]


def predict(folder: Path, table: str, jobs: int) -> int:
    """Run the command, and return the peak memory of its process in KiB."""
    command = ["predict", "model.hb", table, "-o", "answers", "--jobs", str(jobs)]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *command],
        cwd=folder,
        env=os.environ,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    shutil.rmtree(folder / "answers")
    return int(done.stdout)


@contextmanager
def dask_client(n_workers: int) -> Iterator[Any]:
    """Yield a client of a local cluster whose workers have imported what they need."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        client.run(load_texts)
        yield client


def load_part(file: Path, vectorizer: TextVectorizer) -> tuple[Any, list[str]]:
    """Return the counts and labels of a file."""
    with file.open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    return vectorizer.transform([row["text"] for row in rows]), [row["topic"] for row in rows]


def fit_parts(client: Any, model: Any, folder: Path, vectorizer: TextVectorizer) -> float:
    """Learn on the workers of Dask, and return their CPU time."""
    from dask import delayed

    before = sum(client.run(time.process_time).values())
    shared = delayed(vectorizer)
    parts = [Part(file.name, load_part, (file, shared)) for file in sorted(folder.glob("*.csv"))]
    with client.as_current():
        fit_in_parts(model, parts, engine=DaskEngine())
    return sum(client.run(time.process_time).values()) - before


def two_dask_workers(folder: Path, texts: list[str]) -> list:
    vectorizer, rows = TextVectorizer().fit(texts), []
    with dask_client(1) as one, dask_client(2) as two:
        for model, bar in ((CountNB(), "at least 1.6"), (HigherOrderNB(), "")):
            common = (model, folder / "parts", vectorizer)
            calls = (partial(fit_parts, client, *common) for client in (one, two))
            rows += compare_workers(f"fit_in_parts, {type(model).__name__}", bar, *calls)
    return rows


def memory(folder: Path, texts: list[str]) -> list:
    few, many = (predict(folder, table, 1) for table in ("few", "many"))
    rows = [("predict", many / few, "at most 1.2")]
    if find_spec("distributed") is not None:
        few, many = (dask_peak(folder / table, texts) for table in ("few", "many"))
        rows.append(("a worker of fit_in_parts, CountNB", many / few, "at most 1.2"))
    return rows


def dask_peak(folder: Path, texts: list[str]) -> int:
    """Return the peak memory of a worker that learns from all files of a folder, in KiB."""
    with dask_client(1) as client:
        fit_parts(client, CountNB(), folder, TextVectorizer().fit(texts))
        [peak] = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).values()
    return peak


def print_bytes_to_send(texts: list[str], labels: Any) -> None:
    X = TextVectorizer().fit_transform(texts)
    n_cells = X.shape[1] * len(np.unique(labels))
    print(f"\nBytes to send per pass, {X.shape[1]} terms and {len(np.unique(labels))} classes:")
    for model in (CountNB(), HigherOrderSmoothingNB(), HigherOrderNB()):
        statistics, sizes = start_statistics(model).add(X, labels), []
        while True:
            sizes.append(len(pickle.dumps(statistics)))  # with the sums of earlier passes
            if not statistics.n_passes_left:
                break
            statistics = statistics.next_pass().add(X, labels)
        each = ", ".join(f"{size} ({size / n_cells:.1f} per term and class)" for size in sizes)
        print(f"  {type(model).__name__:24} {each}")


if __name__ == "__main__":
    main()
