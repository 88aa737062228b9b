"""Time of the first import, in fresh processes, against scikit-learn's naive Bayes."""

import subprocess
import sys

from benchmarks.measure import report, times_as_long


def run(statement: str) -> None:
    subprocess.run([sys.executable, "-c", statement], check=True)


def main() -> None:
    rows = [
        (
            statement,
            times_as_long(lambda s=statement: run(s), lambda: run("import sklearn.naive_bayes"), 9),
            bar,
        )
        for statement, bar in (
            ("import honeybayes", ""),
            ("from honeybayes import HigherOrderNB", "at most 1.2"),
        )
    ]
    report("A process that imports, as a multiple of one with import sklearn.naive_bayes", rows)


if __name__ == "__main__":
    main()
