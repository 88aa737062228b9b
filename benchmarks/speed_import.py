"""Time of the first import, in fresh processes, against scikit-learn's naive Bayes."""

import subprocess
import sys

from benchmarks.measure import report, seconds


def import_time(statement: str) -> float:
    def run() -> None:
        subprocess.run([sys.executable, "-c", statement], check=True)

    return seconds(run, repeats=9)


def main() -> None:
    nothing = import_time("pass")
    baseline = import_time("import sklearn.naive_bayes") - nothing
    rows = [
        (statement, (import_time(statement) - nothing) / baseline, bar)
        for statement, bar in (
            ("import honeybayes", ""),
            ("from honeybayes import HigherOrderNB", "at most 1.2"),
        )
    ]
    report("Import: time as a multiple of import sklearn.naive_bayes", rows)


if __name__ == "__main__":
    main()
