"""Learning from many files: peak memory by the number of files, and CPU time against one table.

    python -m benchmarks.speed_fit_files [ROWS PER FILE]

Every file has words of its own, so that the number of terms grows with the number of files; it is
bounded by a lower limit than the usual one.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import report
from honeybayes.tables import load_corpus

IN_BENCH = False  # takes minutes
N_FILES, ROWS, MAX_TERMS = 10, 1_000, 2_000
MEASURED = (
    "import resource, sys; from honeybayes.cli import main; sys.argv[0] = 'honeybayes'\n"
    f"from honeybayes.scale import _fit; _fit.MAX_TERMS = {MAX_TERMS}\n"
    "try: main()\n"
    "finally:\n"
    "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
    "    print(used.ru_maxrss, used.ru_utime + used.ru_stime)"
)


def main() -> None:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder / "few", N_FILES, n_rows)
        write_files(folder / "many", 10 * N_FILES, n_rows)
        join_files(folder / "many", folder / "whole.csv")
        few, _ = fit(folder, "few")
        many, seconds = fit(folder, "many")
        whole, seconds_of_whole = fit(folder, "whole.csv")
        report(
            f"honeybayes fit --model CNB, files of {n_rows:,} rows",
            [
                (f"peak memory of {10 * N_FILES} files to {N_FILES}", many / few, "at most 1.2"),
                (f"peak memory of {10 * N_FILES} files to one table", many / whole),
                (f"CPU time of {10 * N_FILES} files to one table", seconds / seconds_of_whole),
            ],
        )


def write_files(folder: Path, n_files: int, n_rows: int) -> None:
    folder.mkdir()
    corpus = load_corpus("messages")
    texts, labels = corpus.documents, corpus.labels.tolist()
    for number in range(n_files):
        rows = [
            [f"{texts[at % len(texts)]} {letters(number)}{letters(at)}", labels[at % len(texts)]]
            for at in range(n_rows)
        ]
        with (folder / f"{number:03}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["text", "label"], *rows])


def letters(number: int) -> str:
    """Return a word for a number, because digits are no words."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}")


def join_files(folder: Path, output: Path) -> None:
    with output.open("w", newline="") as file:
        for number, path in enumerate(sorted(folder.iterdir())):
            text = path.read_text()
            file.write(text if number == 0 else text.partition("\n")[2])


def fit(folder: Path, table: str, *options: str) -> tuple[int, float]:
    """Return the peak memory of a command in KiB, and its CPU time."""
    command = ["fit", table, "--model", "CNB", "-o", "model.hb", *options]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    memory, seconds = done.stdout.split()[-2:]
    return int(memory), float(seconds)


if __name__ == "__main__":
    main()
