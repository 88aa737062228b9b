"""Many files and parts: two processes against one, memory by the number of files, bytes to send.

python -m benchmarks.speed_scale [ROWS PER FILE]
"""

import csv
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, TextClassifier, save_model
from honeybayes.bayes import CountNB
from honeybayes.data import load_corpus
from honeybayes.scale import start_statistics
from honeybayes.text import TextVectorizer

N_TURNS, N_FILES = 3, 10
ROWS = 20_000
PEAK = (
    "import resource, sys; from honeybayes.cli import main; sys.argv[0] = 'honeybayes'\n"
    "try: main()\n"
    "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    corpus = load_corpus("messages")
    texts, labels = corpus.documents, corpus.labels
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_model(TextClassifier("CNB").fit(texts, labels), folder / "model.hb")
        write_parts(folder / "ten", texts, N_FILES, n_rows)
        seconds: dict[int, list[float]] = {1: [], 2: []}
        for turn in range(N_TURNS):
            for jobs, found in seconds.items():
                found.append(predict(folder, "ten", f"out-{turn}-{jobs}", jobs)[0])
        one, two = median(seconds[1]), median(seconds[2])
        print(
            f"predict, {N_FILES} files of {n_rows} rows: --jobs 2 is {one / two:.2f} times --jobs 1"
        )
        write_parts(folder / "few", texts, N_FILES, n_rows // 10)
        write_parts(folder / "many", texts, 10 * N_FILES, n_rows // 10)
        few, many = (predict(folder, each, f"{each}-out", 1)[1] for each in ("few", "many"))
        print(f"peak memory, {10 * N_FILES} files: {many / few:.2f} times that of {N_FILES} files")
    X = TextVectorizer().fit_transform(texts)
    n_cells = X.shape[1] * len(np.unique(labels))
    print(f"bytes to send per pass, {X.shape[1]} terms and {len(np.unique(labels))} classes:")
    variants = [(CountNB(), "exact"), (HigherOrderSmoothingNB(), "exact")]
    variants += [(HigherOrderNB(), "sketch"), (HigherOrderNB(), "exact")]
    for model, q in variants:
        statistics, sizes = start_statistics(model, q=q).add(X, labels), []
        while True:
            sent = statistics.empty_copy().merge(statistics)
            sent.before = None  # the sums of the first pass travel the other way
            sizes.append(len(pickle.dumps(sent)))
            if not statistics.n_passes_left:
                break
            statistics = statistics.next_pass().add(X, labels)
        each = ", ".join(f"{size} ({size / n_cells:.1f} per term and class)" for size in sizes)
        print(f"  {type(model).__name__:24} q={q}: {each}")


def write_parts(folder: Path, texts: list[str], n_files: int, n_rows: int) -> None:
    folder.mkdir()
    for number in range(n_files):
        rows = ([at, f"{texts[at % len(texts)]} {at}"] for at in range(n_rows))
        with (folder / f"{number:03}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["id", "text"], *rows])


def predict(folder: Path, table: str, output: str, jobs: int) -> tuple[float, int]:
    """Return the seconds of a command, and the peak memory of its process in KiB."""
    command = ["predict", "model.hb", table, "-o", output, "--jobs", str(jobs)]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *command],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - start, int(done.stdout)


if __name__ == "__main__":
    main()
