"""``honeybayes check``: compare a new table with the texts that a model learned from."""

from pathlib import Path

from honeybayes.cli._output import print_json
from honeybayes.utils.messages import say_rows


def check(
    model: str,
    table: str,
    checks: str | None = None,
    doubtful: str | None = None,
    n: int = 20,
    old: str | None = None,
    text: str | None = None,
    label: str = "label",
    encoder: str | None = None,
    read: str = "",
    json: bool = False,
) -> None:
    """Say whether new texts are like the old ones, and which a person should look at.

    "drift" means that they differ by more than chance: words that are new or more frequent, a class
    that grew, a confidence that fell. Of months without any change, at most one in twenty is
    called drift.

    Example: honeybayes check model.hb june.csv --checks checks.xlsx --doubtful doubtful.xlsx

    Arguments:
      table: The new table: CSV, TSV, JSON lines, Excel, OpenDocument or Parquet file, or .txt with
        one text per line; - reads lines from standard input.
    What to look at:
      --checks FILE: Write random rows to this table, with an empty column of labels. Fill it in,
        and `honeybayes evaluate` measures the accuracy of this month.
      --doubtful FILE: Write the rows whose labels would teach the model most, in the same way.
      --n: Number of rows in each of these tables. [at least 1]
    Columns and reading:
      --label -l COLUMN: Column for the labels in these tables.
      --old TABLE: Compare with this table. [default: what `fit` has remembered of its own]
    """
    import honeybayes as hb
    from honeybayes.cli._input import Input, check_table, load_classifier
    from honeybayes.cli._settings import READ, parse_settings
    from honeybayes.utils.writing import check_outputs

    check_table(table, model)
    check_outputs([checks, doubtful], [model, table, old])
    classifier = load_classifier(model, encoder, ["predict_proba"])
    inputs = Input.of_model(classifier, text, table, parse_settings("--read", read, READ))
    rows, frame, texts = inputs.read_rows(table)
    for path in (checks, doubtful):
        if path is not None and label not in frame.columns and Path(path).exists():
            written = hb.tables.read_table(path)
            if label in written.columns and (written[label] != "").any():
                raise ValueError(
                    f"{path} has labels in the column {label!r}, which would be lost. Name another "
                    "file, or delete this one."
                )
    n_seen = int(classifier.has_seen(texts).sum()) if hasattr(classifier, "has_seen") else 0
    known = None if old is None else inputs.read_pool(old)
    found = hb.evaluate.check_new_texts(classifier, texts, known, n_random=n, n_doubtful=n)
    for path, chosen in ((checks, found.random), (doubtful, found.doubtful)):
        if path is not None:
            some = frame.iloc[list(chosen)].copy()
            if label not in some.columns:  # what is in the column stays
                some[label] = ""
            hb.tables.write_table(some, path, like=rows)
    if json:
        findings = [
            {**each._asdict(), "rows": [row + 1 for row in each.rows]} for each in found.findings
        ]
        facts = {
            "verdict": found.verdict,
            "texts": found.n_texts,
            "old": found.n_old,
            "seen": n_seen,
            "findings": findings,
            "random": [row + 1 for row in found.random],  # counted from 1, as people do
            "doubtful": [row + 1 for row in found.doubtful],
            "promised": None if found.promised is None else found.promised.accuracy,
        }
        print_json(facts)
        return
    if n_seen:
        print(f"Not new: {say_rows(n_seen, 'has', 'have')} a text that the model has learned from.")
    print(*found.describe(), f"Verdict: {found.verdict}", sep="\n")
    for path, what in ((checks, "random rows"), (doubtful, "doubtful rows")):
        if path is not None:
            print(f"{what}: {path}")
