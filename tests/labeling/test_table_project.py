"""A project follows its table: sorted, longer, shorter, with other columns, month by month."""

import csv
import threading
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

from honeybayes.labeling import Project, export_project
from honeybayes.labeling.table_project import follow_table, open_project
from honeybayes.tables import read_table

COLUMNS = ["id", "date", "body"]
ROWS = [[f"{n:03d}", f"{n + 1:02d}.10.2026", f"Größe number {n} of the parcel"] for n in range(20)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mail.hbproject"


def write(folder, rows, columns=COLUMNS):
    with (folder / "mail.csv").open("w", newline="", encoding="cp1252") as file:
        csv.writer(file, delimiter=";").writerows([columns, *rows])
    return str(folder / "mail.csv")


def follow(path, rows, columns=COLUMNS, **options):
    """Open the project with these rows; return it, and what was said."""
    said = []
    table = write(path.parent, rows, columns)
    reading = {"text": "body", "encoding": "cp1252"} if not path.exists() else {}
    return open_project(table, path, reading, say=said.append, **options), said


def begin(path, **options):
    project, _ = follow(path, ROWS, **options)
    with project:
        id = project.add_class("late").id
        for row in (0, 5, 19):
            project.label(row, id)


def labeled(project):
    return {project.texts[row] for row in project.ledger.state.labels}


@pytest.mark.parametrize("options", [{}, {"id": "id"}])
def test_next_month(path, options):
    """Sorted, 20 % new, 5 % gone, one more column: every label is kept."""
    begin(path, **options)
    new = [[f"{n:03d}", "01.11.2026", f"A new invoice {n}"] for n in range(20, 24)]
    rows = [[*row, "open"] for row in sorted([*ROWS[1:], *new], key=lambda row: row[2])]
    project, said = follow(path, rows, [*COLUMNS, "state"])
    with project:
        assert said == [
            "4 rows were added.",
            "1 row is no longer in the table. They stay in the project, with their labels.",
        ]
        assert labeled(project) == {ROWS[row][2] for row in (0, 5, 19)}
        assert project.missing_texts() == {0}
        export_project(project, path.with_name("answers.xlsx"))
    answers = read_table(path.with_name("answers.xlsx"))
    assert list(answers.columns[:4]) == [*COLUMNS, "state"]
    assert answers["id"].tolist() == [*(row[0] for row in rows), "000"]
    assert answers["date"].tolist()[:-1] == [row[1] for row in rows]
    assert answers["status"].tolist()[-1] == "no longer in the table"
    assert answers["body"].tolist()[-1] == ROWS[0][2]


def test_what_is_gone_can_come_back(path):
    begin(path)
    for rows, missing in ((ROWS[10:], 10), (ROWS, 0), (ROWS[::-1], 0)):
        project, _ = follow(path, rows)
        with project:
            assert len(project.missing_texts()) == missing
            assert len(project.texts) == 20
            assert labeled(project) == {ROWS[row][2] for row in (0, 5, 19)}
            assert [project.texts[row] for row in project.order()][: len(rows)] == [
                row[2] for row in rows
            ]


def test_a_row_with_another_text_is_a_new_text(path):
    begin(path, id="id")
    changed = [[*ROWS[0][:2], "A parcel that was described anew"], *ROWS[1:]]
    project, said = follow(path, changed)
    with project:
        assert said == ["1 row has another text than before, and count as new: 000."]
        assert labeled(project) == {ROWS[row][2] for row in (0, 5, 19)}
        assert project.order()[0] == 20


def test_other_cells_of_a_row_may_change(path):
    begin(path)
    project, said = follow(path, [[row[0], "later", row[2]] for row in ROWS])
    with project:
        assert said == []
        assert set(project.column("date")) == {"later"}
        assert list(project.records()[0].values())[:2] == ["000", "later"]


def test_a_table_without_its_ids_is_refused(path):
    begin(path, id="id")
    with pytest.raises(ValueError, match="lost its column of ids"):
        follow(path, [row[1:] for row in ROWS], COLUMNS[1:])
    with Project.open(path) as project:
        assert len(project.texts) == 20


def test_a_column_of_numbers_is_refused(path):
    with pytest.raises(ValueError, match="has no words"):
        open_project(write(path.parent, ROWS), path, {"text": "id", "encoding": "cp1252"})
    assert not path.exists()


def test_names_that_may_be_typing_errors_are_told(path):
    rows = [[*row, label] for row, label in zip(ROWS, ["late"] * 18 + ["lat", "-"], strict=True)]
    said = []
    table = write(path.parent, rows, [*COLUMNS, "queue"])
    reading = {"text": "body", "encoding": "cp1252"}
    open_project(table, path, reading, label="queue", say=said.append).close()
    assert said[1:] == [
        "'lat' became a class with 1 label. Did you mean 'late'?",
        "'-' became a class with 1 label.",
    ]


@pytest.mark.parametrize("ending", ["xlsx", "jsonl", "parquet", "csv"])
def test_next_month_in_another_format(path, ending):
    """A row is the same whether its id is 7, 7.0 or "7"; the gone row keeps its label."""
    rows = [[str(n), f"parcel number {n}"] for n in range(10)]
    project, _ = follow(path, rows, ["id", "body"], id="id")
    with project:
        project.label(0, project.add_class("late").id)
        project.label(7, 1)
        frame = pd.DataFrame([*rows[1:], ["10", "a new parcel"]], columns=["id", "body"])
        frame["id"] = frame["id"].astype(float)
        december = path.with_name(f"december.{ending}")
        if ending == "xlsx":
            frame.to_excel(december, index=False)
        elif ending == "jsonl":
            frame.to_json(december, orient="records", lines=True)
        elif ending == "parquet":
            frame.to_parquet(december)
        else:
            frame.astype({"id": int}).to_csv(december, index=False)
        said = []
        follow_table(project, str(december), said.append)
        assert said[0] == "1 row was added."
        assert len(project.texts) == 11
        assert project.settings["missing"] == [0]
        assert labeled(project) == {"parcel number 0", "parcel number 7"}
        export_project(project, path.with_name("answers.csv"))
    answers = read_table(path.with_name("answers.csv"))
    assert list(answers["body"]) == [*frame["body"], "parcel number 0"]


def test_next_month_without_the_column_of_labels(path):
    rows = [[*row, "late" if at % 2 else "early"] for at, row in enumerate(ROWS)]
    project, _ = follow(path, rows, [*COLUMNS, "queue"], label="queue")
    project.close()
    project, said = follow(path, [*ROWS, ["020", "", "A new invoice"]])
    with project:
        assert said == [
            "1 row was added.",
            "The table has no column 'queue' any more, so no labels were taken over.",
        ]
        assert len(project.ledger.state.labels) == 20
    more = ["021", "", "Another invoice"]
    project, said = follow(path, [*rows, [*more, "late"]], [*COLUMNS, "queue"])
    with project:
        assert said[-1] == "1 label was taken over from the column 'queue'."
        assert len(project.ledger.state.labels) == 21


def test_rows_without_an_id_are_the_same_if_their_texts_are(path):
    rows = [["", "one parcel"], ["", "one parcel"], ["", "two parcels"], ["1", "three parcels"]]
    project, _ = follow(path, rows, ["id", "body"], id="id")
    with project:
        project.label(2, project.add_class("late").id)
    project, said = follow(path, [rows[2], rows[0], ["", "four"]], ["id", "body"])
    with project:
        assert said == [
            "1 row was added.",
            "2 rows are no longer in the table. They stay in the project, with their labels.",
        ]
        assert project.settings["order"] == [2, 0, 4]
        assert labeled(project) == {"two parcels"}


def test_settings_of_another_process_are_read(path):
    begin(path)
    with Project.open(path) as one, Project.open(path) as two:
        one.change_settings(missing=[3])
        two.refresh()
        assert two.missing_texts() == {3}


def test_several_starts_at_once_use_the_same_project(tmp_path):
    """Finding: of three starts at once, one failed."""
    table = tmp_path / "mail.csv"
    table.write_text("text,label\nmy parcel is late,mail\nan invoice,money\n")
    path, barrier = tmp_path / "mail.hbproject", threading.Barrier(4)

    def start(_):
        barrier.wait()
        with open_project(str(table), path, {}, label="label", say=lambda _: None) as project:
            project.note(0, "seen")
            return len(project.texts), len(project.ledger.state.labels)

    with ThreadPoolExecutor(4) as starts:
        assert list(starts.map(start, range(4))) == [(2, 2)] * 4
    with Project.open(path) as project:
        assert sum(each.kind == "note" for each in project.ledger.events) == 4
    assert {each.name for each in tmp_path.iterdir()} == {"mail.csv", "mail.hbproject"}
