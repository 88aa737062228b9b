"""Compare the time of the first import, in new processes, with scikit-learn's naive Bayes."""

from benchmarks.measure import report, run_python, times_as_long


def run(statement: str) -> None:
    run_python("-c", statement)


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
    report("Time of a process, as a multiple of one with import sklearn.naive_bayes", rows)


if __name__ == "__main__":
    main()
