"""Columns of the table that name classes: found, measured by random checks, part of the advice."""

import pytest

from honeybayes.labeling import LabelingSession, Project, fit_classifier, read_project
from honeybayes.labeling.quality import describe_sources, find_sources, measure_sources
from honeybayes.labeling.table_project import open_project
from honeybayes.sources.bill import measure_share
from honeybayes.tables import load_corpus

N = 60


@pytest.fixture
def project():
    """Sixty texts with an own number, a column that is right except in row 0, and a mixed one."""
    truth = ["sport" if row % 2 else "food" for row in range(N)]
    said = ["Sport", *truth[1:]]
    cells = [[f"text {row}", str(row), said[row], "x" if row % 3 else "food"] for row in range(N)]
    made = Project.create(
        None,
        [row[0] for row in cells],
        cells=cells,
        settings={"columns": ["text", "number", "gpt4", "mixed"], "text": "text"},
    )
    for name in ("food", "sport"):
        made.add_class(name)
    yield made, truth
    made.close()


def label(project, truth, n, purpose="audit"):
    ids = {each.name: each.id for each in project.classes}
    for row in range(n):
        project.label(row, ids[truth[row]], purpose=purpose)


def test_only_columns_that_name_classes_are_found(project):
    made, truth = project
    found = find_sources(made)
    ids = {each.name: each.id for each in made.classes}
    assert list(found) == ["gpt4"]
    assert found["gpt4"][0] == ids["sport"]  # in another case
    assert all(found["gpt4"][row] == ids[truth[row]] for row in range(1, N))


def test_random_checks_measure_a_column(project):
    made, truth = project
    label(made, truth, 4)
    assert measure_sources(made)["gpt4"]["accuracy"] is None
    label(made, truth, 50)
    right = measure_sources(made)["gpt4"]["accuracy"]
    assert right == measure_share(49, 50, N)._asdict()
    told = describe_sources(made)
    assert told[0].startswith("The column gpt4 is 98 % right")
    assert told[-1].endswith("you may keep it.")


def test_labels_of_chosen_texts_do_not_count(project):
    made, truth = project
    label(made, truth, 50, purpose="chosen")
    assert describe_sources(made) == ()


def test_the_page_shows_what_a_column_says_except_for_random_checks(project):
    made, _ = project
    desk = pytest.importorskip("honeybayes.page.desk")
    ids = {each.name: each.id for each in made.classes}
    shown = desk.Desk.__new__(desk.Desk)
    shown.project, shown._said = made, (None, [], {})

    def said(row):
        columns = shown._said_by_table()[1]
        return {name: each[row] for name, each in columns.items() if each[row]}

    assert said(0) == {"gpt4": ids["sport"]}
    made.change_class(ids["sport"], name="games")  # the column names another class now
    assert said(1) == {}


def test_the_report_has_a_section_of_sources(tmp_path):
    pytest.importorskip("jinja2")
    from honeybayes import TextClassifier
    from honeybayes.report import write_model_report
    from honeybayes.tables import load_corpus

    corpus = load_corpus("messages").keep_classes(["billing", "delivery"]).draw(10, seed=0)
    right = measure_share(47, 50, 1000)._asdict()
    bill = {
        "gpt4": {"coverage": 1.0, "accuracy": right, "from_random": True},
        "<rules>": {"coverage": 0.5, "accuracy": None, "from_random": False},
    }
    path = tmp_path / "report.html"
    write_model_report(path, TextClassifier("NB"), corpus, folds=2, sources=bill)
    page = path.read_text(encoding="utf-8")
    assert "Other sources of labels" in page
    assert "50 at random" in page
    assert "&lt;rules&gt;" in page
    write_model_report(path, TextClassifier("NB"), corpus, folds=2)
    assert "Other sources of labels" not in path.read_text(encoding="utf-8")


QUEUES = ["billing", "delivery", "returns"]


@pytest.fixture
def tagged(tmp_path):
    """A table of three classes, whose column ``gpt4`` is wrong in every fifth row."""
    corpus = load_corpus("messages").keep_classes(QUEUES).draw(50, seed=0)
    others = dict(zip(QUEUES, [*QUEUES[1:], QUEUES[0]], strict=True))
    given = [others[y] if at % 5 == 0 else y for at, y in enumerate(corpus.labels.tolist())]
    rows = zip(corpus.documents, given, strict=True)
    lines = [f"{' '.join(text.split())}\t{said}" for text, said in rows]
    path = tmp_path / "mail.tsv"
    path.write_text("\n".join(["body\tgpt4", *lines]) + "\n", encoding="utf-8")
    return path, corpus.labels.tolist()


def test_the_model_learns_from_a_declared_column(tagged):
    path, truth = tagged
    said = []
    target = path.with_suffix(".hbproject")
    reading = {"text": "body"}
    open_project(str(path), target, reading, sources=["gpt4"], say=said.append).close()
    assert said == ["3 classes were taken over from the column 'gpt4'. The model learns from it."]
    with Project.open(target) as project:
        assert [each.name for each in project.classes] == QUEUES

        def right(answers):
            return sum(one == two for one, two in zip(answers, truth, strict=True)) / len(truth)

        session = LabelingSession.open(project, use_names=False, encoder=None)
        assert session.turn is None
        assert right(session.predict()) > 0.8  # without any label, and better than the column
        classifier = fit_classifier(project, encoder=None)
        assert right(classifier.predict(project.texts).tolist()) > 0.8
        assert classifier.sources_["gpt4"]["coverage"] == 1
        project.change_settings(sources=[])
        assert fit_classifier(project, encoder=None).sources_ is None
    assert read_project(target).sources == {}


def test_a_declared_column_must_name_a_few_classes(tagged):
    path, _ = tagged
    target = path.with_suffix(".hbproject")
    with pytest.raises(ValueError, match="'body' has 0 frequent answers"):
        open_project(str(path), target, {"text": "body"}, sources=["body"])
    with pytest.raises(ValueError, match="no column"):
        open_project(str(path), target, {"text": "body"}, sources=["other"])
    assert not target.exists()
