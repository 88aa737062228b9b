"""Compare the start of the commands with imports, and measure the memory of a long prediction.

python -m benchmarks.speed_cli [--lines 1000000]
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import report, run_python, times_as_long
from honeybayes import TextClassifier, save_model
from honeybayes.tables import load_corpus

REPEATS = 7
MODELS = ("LogisticRegression-tfidf", "HONB", "HCNB")


def start_up(folder: Path) -> list[tuple[str, float, str]]:
    naive_bayes = ("-c", "import sklearn.naive_bayes")
    imports = ("-c", "import sklearn.linear_model, numba")
    rows = [
        (
            f"honeybayes {command} / import sklearn.naive_bayes",
            times_as_long(
                lambda c=command: run_python("-m", "honeybayes", c),
                lambda: run_python(*naive_bayes),
                REPEATS,
            ),
            "at most 0.5",
        )
        for command in ("--help", "models")
    ]
    for model in MODELS:
        path = str(folder / f"{model}.hb")
        ratio = times_as_long(
            lambda p=path: run_python("-m", "honeybayes", "predict", p, "-", stdin="a parcel\n"),
            lambda: run_python(*imports),
            REPEATS,
        )
        rows.append((f"predict one line, {model} / import sklearn, numba", ratio, "at most 1.3"))
    return rows


def memory(folder: Path, lines: int) -> list[tuple[str, float, str]]:
    table = folder / "long.csv"
    texts = load_corpus("messages").documents
    with table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["number", "text"])
        rows.writerows([number, texts[number % len(texts)][:60]] for number in range(lines))
    command = ("-m", "honeybayes", "predict", str(folder / f"{MODELS[0]}.hb"), str(table))
    subprocess.run([sys.executable, *command, "-o", str(folder / "out.csv")], check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20  # KiB on Linux
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        written = sum(1 for _ in csv.reader(file)) - 1
    return [
        (f"peak memory of predict on {lines} lines, GiB", peak, "at most 1"),
        ("lines written / lines read", written / lines, "at least 1"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=1_000_000)
    lines = parser.parse_args().lines
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with TemporaryDirectory() as name:
        folder, corpus = Path(name), load_corpus("messages")
        for model in MODELS:
            classifier = TextClassifier(model).fit(corpus.documents, corpus.labels)
            save_model(classifier, folder / f"{model}.hb")
        report("Start of the commands", start_up(folder))
        report("Prediction of a large table", memory(folder, lines))


if __name__ == "__main__":
    main()
