"""Compare read_table and read_corpus with pandas on a CSV file of 200,000 rows.

python -m benchmarks.speed_tables [--rows 200000]
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas

from benchmarks.measure import report, times_as_long
from honeybayes.tables import load_corpus, make_frame, read_corpus, read_table, write_table

REPEATS = 5


def main(n_rows: int = 200_000) -> None:
    messages = load_corpus("messages")
    n = len(messages)
    rows = [  # texts that differ, because pandas keeps equal cells once
        [f"{row:07}", f"{messages.documents[row % n]} {messages.documents[row // n % n]}", "x"]
        for row in range(n_rows)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder, "mail.csv")
        write_table(make_frame(rows, ["id", "text", "label"]), path)

        def baseline() -> None:
            pandas.read_csv(path, dtype=str, keep_default_na=False)

        report(
            f"{n_rows:,} rows of CSV: time as a multiple of pandas.read_csv",
            [
                (
                    "read_table",
                    times_as_long(lambda: read_table(path), baseline, REPEATS),
                    "at most 1.5",
                ),
                ("read_corpus", times_as_long(lambda: read_corpus(path), baseline, REPEATS), ""),
            ],
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    main(parser.parse_args().rows)
