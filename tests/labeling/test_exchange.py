"""Files of Label Studio and doccano: hand-written ones, and round trips."""

import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.labeling import LabelingSession, Project, import_labels, import_tasks
from honeybayes.labeling.answers import answer_rows
from honeybayes.labeling.exchange import (
    _read,
    label_studio_config,
    write_doccano,
    write_label_studio,
)
from honeybayes.labeling.turn import Answers


def read_tasks(path, format, text=None, label=None):
    """Return texts and labels as a project gets them."""
    tasks = _read(path, format, text, label)
    return [each.text for each in tasks], [each.label for each in tasks]


# As in "Basic Label Studio JSON format" and "Label Studio JSON format of annotated tasks" of the
# documentation of Label Studio.
DOCUMENTED = """
[{
  "id": 17,
  "project": 83,
  "data": {
    "my_text": "Opossums are great",
    "ref_id": 456,
    "meta_info": {"timestamp": "2020-03-09 18:15:28.212882", "location": "North Pole"}
  },
  "annotations": [{
    "id": 1001,
    "result": [{
      "id": "Dx_aB91ISN", "from_name": "sentiment_class", "to_name": "message",
      "type": "choices", "readonly": false, "hidden": false, "value": {"choices": ["Positive"]}
    }],
    "was_cancelled": false, "ground_truth": false, "lead_time": 4.288, "completed_by": 10
  }],
  "predictions": [{
    "model_version": "model 1",
    "result": [{
      "from_name": "sentiment_class", "to_name": "message",
      "type": "choices", "value": {"choices": ["Neutral"]}
    }],
    "score": 0.95
  }]
}, {
  "id": 18,
  "data": {"my_text": "Opossums like to be aloft in trees.", "ref_id": 457},
  "annotations": [],
  "predictions": [{
    "model_version": "model 1", "score": 0.5,
    "result": [{
      "from_name": "sentiment_class", "to_name": "message",
      "type": "choices", "value": {"choices": ["Negative"]}
    }]
  }]
}]
"""


def choice(*names, control="topic", **value):
    return {
        "from_name": control,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": list(names), **value},
    }


def task(*annotations, text="Late again", **fields):
    return {"data": {"text": text}, "annotations": list(annotations), **fields}


def annotation(*results, **fields):
    return {"result": list(results), **fields}


@pytest.fixture
def label_studio(tmp_path):
    """Write tasks; return the path."""

    def write(*tasks):
        path = tmp_path / "tasks.json"
        path.write_text(json.dumps(list(tasks)), encoding="utf-8")
        return path

    return write


@pytest.fixture
def doccano(tmp_path):
    """Write lines; return the path."""

    def write(*lines):
        path = tmp_path / "lines.jsonl"
        text = "".join(
            (each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines
        )
        path.write_text(text, encoding="utf-8")
        return path

    return write


def small_project():
    texts = ["My parcel is late", "Charged twice", "Parcel never came", "Wrong charge", "Hm"]
    project = Project.create(None, texts)
    for name in ("delivery", "billing"):
        project.add_class(name)
    project.label(0, 1)
    project.label(1, 2)
    project.mark_undecided(4)
    return project


def answers_of(first, second, confidence):
    first, second = np.array(first), np.array(second)
    confidence = np.array(confidence)
    return Answers(first, second, confidence, 1 - confidence)


class TestReadLabelStudio:
    def test_the_documented_example(self, tmp_path):
        path = tmp_path / "tasks.json"
        path.write_text(DOCUMENTED, encoding="utf-8")
        texts, labels = read_tasks(path, "label-studio")
        assert texts == ["Opossums are great", "Opossums like to be aloft in trees."]
        assert labels == ["Positive", None]  # the prediction "Negative" is not a label

    @pytest.mark.parametrize("indent", [None, 2])
    def test_one_task_without_a_list_and_a_byte_order_mark(self, tmp_path, indent):
        path = tmp_path / "task.json"
        content = json.dumps(task(annotation(choice("mail"))), indent=indent)
        path.write_text(content, encoding="utf-8-sig")
        assert read_tasks(path, "label-studio") == (["Late again"], ["mail"])

    def test_many_small_tasks(self, tmp_path, monkeypatch):
        """Finding: 150,000 tasks were too many lists and objects for their length."""
        result = '{"type":"choices","from_name":"a","value":{"choices":["b"]}}'
        small = f'{{"data":{{"text":"c"}},"annotations":[{{"result":[{result}]}}]}}'
        (path := tmp_path / "tasks.json").write_text(f"[{','.join([small] * 200)}]")
        monkeypatch.setattr("honeybayes.tables._json.MOST_BRACKETS", 1000)
        texts, labels = read_tasks(path, "label-studio")
        assert (len(texts), {*labels}) == (200, {"b"})

    @pytest.mark.parametrize(
        ("annotations", "label"),
        [
            ([], None),
            ([annotation()], None),
            ([annotation(choice())], None),
            ([annotation(choice(" "))], None),
            ([annotation(choice(" post  mail "))], "post mail"),
            ([annotation(choice("mail"), was_cancelled=True)], None),
            (
                [annotation(choice("mail"), was_cancelled=True), annotation(choice("phone"))],
                "phone",
            ),
            ([annotation(choice("mail")), annotation(choice("mail"))], "mail"),
            ([annotation(choice("mail")), annotation()], "mail"),
            (
                [annotation(choice("mail")), annotation(choice("phone"), ground_truth=True)],
                "phone",
            ),
            # a choice for a part of the text is not about the text
            ([annotation(choice("mail"), choice("phone", start=0, end=4))], "mail"),
            ([annotation(choice("mail"), {"type": "rating", "value": {"rating": 3}})], "mail"),
        ],
    )
    def test_which_annotations_count(self, label_studio, annotations, label):
        assert read_tasks(label_studio(task(*annotations)), "label-studio") == (
            ["Late again"],
            [label],
        )

    @pytest.mark.parametrize(
        "annotations",
        [
            [annotation(choice("mail", "phone"))],
            [annotation(choice("mail")), annotation(choice("phone"))],
        ],
    )
    def test_several_labels_are_counted_and_left_out(self, label_studio, annotations):
        clear = task(annotation(choice("mail")), text="On time")
        path = label_studio(clear, task(*annotations, id=41), *[task(*annotations)] * 2)
        with pytest.warns(UserWarning, match=r"Number of such texts: 3\.") as caught:
            texts, labels = read_tasks(path, "label-studio")
        assert texts == ["On time", "Late again", "Late again", "Late again"]
        assert labels == ["mail", None, None, None]
        assert "tasks.json, task 2 (id 41): the text has several" in str(caught[0].message)
        assert "(mail, phone)" in str(caught[0].message)

    def test_two_kinds_of_choices(self, label_studio):
        both = annotation(choice("mail"), choice("angry", control="mood"))
        path = label_studio(task(both))
        with pytest.raises(ValueError, match=r"several kinds of choices: mood, topic. Choose one"):
            read_tasks(path, "label-studio")
        assert read_tasks(path, "label-studio", label="mood")[1] == ["angry"]
        with pytest.raises(ValueError, match=r"no choices named 'moods'.* Did you mean 'mood'"):
            read_tasks(path, "label-studio", label="moods")

    def test_the_field_of_the_text(self, label_studio):
        path = label_studio({"data": {"title": "Hello", "body": "Late again"}})
        with pytest.raises(ValueError, match=r"task 1: several fields are texts: title, body"):
            read_tasks(path, "label-studio")
        assert read_tasks(path, "label-studio", text="body") == (["Late again"], [None])
        with pytest.raises(ValueError, match=r"task 1: .* the field 'bdy'.* title, body"):
            read_tasks(path, "label-studio", text="bdy")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("[", r"tasks.json, character 2: not valid JSON \(Expecting value\)\."),
            ("[]", r"tasks.json contains no texts. Export as JSON from Label Studio"),
            ("3", r"tasks.json must contain a list of objects.* Export as JSON from Label Studio"),
            ('{"tasks": []}', r"task 1: .* is not a task: 'data' is missing"),
            ("[3]", r"tasks.json, row 1: every row must contain one object"),
            ("[" * 100_000, r"tasks.json: .* nested too deeply"),
            (f"[{'9' * 5000}]", r"tasks.json: .*Exceeds the limit"),
            (
                '[{"data": {"text": "a"}}, {"id": 5, "text": "a", "topic": "mail"}]',
                r"tasks.json, task 2 \(id 5\): .* is not a task: 'data' is missing\..* JSON-MIN",
            ),
            ('[{"data": null}]', r"task 1: .* is not a task"),
            (
                '[{"data": {}}]',
                r"task 1: .* in the field 'text'. The fields are: none",
            ),
            ('[{"data": {"text": 3}}]', r"task 1: there is no text in the field 'text'"),
            ('[{"data": {"text": "\\ud800"}}]', r"not valid Unicode \(at 0\)"),
            (
                '[{"data": {"text": "a"}, "annotations": {}}]',
                r"task 1: .* is not a task: 'annotations' is not a list",
            ),
            ('[{"data": {"text": "a"}, "annotations": [7]}]', r"task 1: .* is not a task"),
            (
                '[{"data": {"text": "a"}, "annotations": [{"result": "x"}]}]',
                r"task 1: .* is not a task",
            ),
            (
                '[{"data": {"text": "a"}, "annotations": [{"result": [1]}]}]',
                r"task 1: .* is not a task",
            ),
            (
                '[{"data": {"text": "a"}, "annotations": [{"result": [{"type": "choices"}]}]}]',
                r"task 1: .* is not a task",
            ),
            *(
                (
                    json.dumps([task(annotation({"type": "choices", "value": value}))]),
                    r"task 1.*: .* is not a task",
                )
                for value in ({}, {"choices": None}, {"taxonomy": [["a"]]}, "start", ["start"])
            ),
            (
                json.dumps([task(annotation(choice({"a": 1})))]),
                r"is not the name of a class",
            ),
            (
                json.dumps([task(annotation(choice(None)))]),
                r"None is not the name of a class",
            ),
            (
                json.dumps([task(annotation({"type": "labels", "from_name": "ner"}))]),
                r"no choices for whole texts, only: labels",
            ),
        ],
    )
    def test_wrong_files_name_the_task(self, tmp_path, content, message):
        path = tmp_path / "tasks.json"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=message) as error:
            read_tasks(path, "label-studio")
        assert str(path) in str(error.value)

    def test_files_that_are_not_there_or_no_text(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="There is no file"):
            read_tasks(tmp_path / "tasks.json", "label-studio")
        (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff")
        with pytest.raises(ValueError, match=r"picture.json, line 1, byte 1: 0x89"):
            read_tasks(tmp_path / "picture.json", "label-studio")


class TestReadDoccano:
    def test_the_documented_example(self, doccano):
        path = doccano(
            '{"text": "Terrible customer service.", "label": ["negative"]}',
            '{"text": "Really great transaction.", "label": ["positive"]}',
            '{"text": "Great price.", "label": ["positive"]}',
        )
        texts = ["Terrible customer service.", "Really great transaction.", "Great price."]
        assert read_tasks(path, "doccano") == (texts, ["negative", "positive", "positive"])

    @pytest.mark.parametrize(
        ("line", "label"),
        [
            ({"id": 1, "text": "a", "label": [], "Comments": ["why?"]}, None),
            ({"text": "a"}, None),
            ({"text": "a", "label": None}, None),
            ({"text": "a", "label": ""}, None),
            ({"text": "a", "label": "mail"}, "mail"),
            ({"text": "a", "label": 3}, "3"),
            ({"text": "a", "label": ["mail", "mail"]}, "mail"),
            ({"text": "a", "labels": ["mail"], "meta": {"wikiPageID": 1}}, "mail"),
            ({"id": 1, "data": "a", "label": ["mail"]}, "mail"),
        ],
    )
    def test_which_labels_count(self, doccano, line, label):
        assert read_tasks(doccano(line), "doccano") == (["a"], [label])

    def test_other_names_of_fields(self, doccano):
        path = doccano({"body": "a", "text": "b", "cats": ["mail"], "label": ["x"]})
        assert read_tasks(path, "doccano", text="body", label="cats") == (["a"], ["mail"])

    def test_several_labels_are_counted_and_left_out(self, doccano):
        lines = [{"text": "a", "label": ["x"]}, "", {"text": "b", "label": ["y", "x"]}]
        with pytest.warns(UserWarning, match=r"lines.jsonl, line 3: .* labels \(x, y\)"):
            assert read_tasks(doccano(*lines), "doccano") == (["a", "b"], ["x", None])

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("{", r"line 2, character \d: not valid JSON"),
            ("[1]", r"line 2: every line must contain one object"),
            (
                {"label": ["x"]},
                r"line 2: .* in the field 'text'. The fields are: label",
            ),
            ({"text": ["a"]}, r"line 2: there is no text in the field 'text'"),
            ({"text": "a", "label": [[0, 2, "ORG"]]}, r"line 2: .* Labels of parts of a text"),
            ({"text": "a", "label": [True]}, r"line 2: True is not the name of a class"),
            (
                {"text": "a", "annotations": [{"id": 1, "label": 1, "user": 1}]},
                r"line 2: the labels are numbers without names",
            ),
        ],
    )
    def test_wrong_files_name_the_line(self, doccano, line, message):
        path = doccano({"text": "a", "label": ["x"]}, line)
        with pytest.raises(ValueError, match=message) as error:
            read_tasks(path, "doccano")
        assert str(path) in str(error.value)

    def test_blank_file(self, doccano):
        with pytest.raises(ValueError, match="contains no texts"):
            read_tasks(doccano("", ""), "doccano")


class TestWriting:
    def test_tasks_of_label_studio(self):
        """Written out by hand: labels are annotations, answers of the model are predictions."""
        answers = answers_of([1, 2, 1, 2, 2], [2, 1, 2, 1, 1], [0.9, 0.8, 0.7, 0.66666, 0.6])
        file = io.StringIO()
        write_label_studio(small_project(), answers, file)
        tasks = json.loads(file.getvalue())
        assert [each["data"] for each in tasks] == [
            {"text": "My parcel is late"},
            {"text": "Charged twice"},
            {"text": "Parcel never came"},
            {"text": "Wrong charge"},
            {"text": "Hm"},
        ]
        result = {"from_name": "label", "to_name": "text", "type": "choices"}
        assert tasks[0]["annotations"] == [
            {
                "result": [{"id": "person-1", **result, "value": {"choices": ["delivery"]}}],
                "was_cancelled": False,
            }
        ]
        assert tasks[0]["predictions"] == []
        assert tasks[3]["annotations"] == []
        [prediction] = tasks[3]["predictions"]
        assert prediction.pop("model_version").startswith("honeybayes ")
        assert prediction == {
            "score": 0.6667,
            "result": [{"id": "model-4", **result, "value": {"choices": ["billing"]}}],
        }
        assert tasks[4]["annotations"] == [{"result": [], "was_cancelled": True}]

    def test_all_ids_differ(self):
        answers = answers_of([1] * 5, [2] * 5, [0.9] * 5)
        file = io.StringIO()
        write_label_studio(small_project(), answers, file)
        tasks = json.loads(file.getvalue())
        ids = [each["id"] for each in tasks]
        for each in tasks:
            for part in (*each["annotations"], *each["predictions"]):
                ids += [result["id"] for result in part["result"]]
        assert len(set(ids)) == len(ids) == 5 + 2 + 2  # an undecided text has no answer

    def test_without_a_model(self):
        file = io.StringIO()
        write_label_studio(small_project(), None, file)
        assert all(not each["predictions"] for each in json.loads(file.getvalue()))

    def test_the_configuration_is_xml_with_all_classes(self):
        project = Project.create(None, ["a"])
        names = ["delivery", 'R&D "<new>"']
        for name in names:
            project.add_class(name)
        view = ElementTree.fromstring(label_studio_config(project))
        assert view.find("Text").attrib == {"name": "text", "value": "$text"}
        choices = view.find("Choices")
        assert choices.attrib == {"name": "label", "toName": "text", "choice": "single"}
        assert [each.get("value") for each in choices] == names

    @pytest.mark.filterwarnings("ignore")  # of the imported package
    def test_label_studio_accepts_the_tasks(self):
        """The oracle is the validation of Label Studio itself."""
        sdk = pytest.importorskip(
            "label_studio_sdk.label_interface", reason="needs label-studio-sdk"
        )
        project = small_project()
        project.change_class(2, name='R&D "<new>"')
        interface = sdk.LabelInterface(label_studio_config(project))
        file = io.StringIO()
        write_label_studio(project, answers_of([1, 2, 1, 2, 2], [2, 1, 2, 1, 1], [1.0] * 5), file)
        for each in json.loads(file.getvalue()):
            assert interface.validate_task({"data": each["data"]})
            for part in each["annotations"]:
                assert interface.validate_annotation(part)
            for part in each["predictions"]:
                assert interface.validate_prediction(part)
                part["result"][0]["value"]["choices"] = ["unknown"]
                assert not interface.validate_prediction(part)

    def test_lines_of_doccano(self):
        file = io.StringIO()
        write_doccano(small_project(), file)
        assert file.getvalue().splitlines()[1:3] == [
            '{"text": "Charged twice", "label": ["billing"]}',
            '{"text": "Parcel never came", "label": []}',
        ]

    def test_identical_texts_share_a_label(self):
        project = Project.create(None, ["Late", "late ", "Other"])
        project.add_class("delivery")
        project.label(1, 1)
        file = io.StringIO()
        write_doccano(project, file)
        labels = [json.loads(line)["label"] for line in file.getvalue().splitlines()]
        assert labels == [["delivery"], ["delivery"], []]

    @pytest.mark.parametrize("as_dict", [False, True])
    def test_other_columns_are_kept(self, as_dict):
        columns, rows = ["id", "body", "text"], [["7", "Late", "x"], ["8", "Wrong", "y"]]
        cells = [dict(zip(columns, row, strict=True)) for row in rows] if as_dict else rows
        settings = {} if as_dict else {"columns": columns}
        project = Project.create(None, ["Late", "Wrong"], cells=cells, settings=settings)
        file = io.StringIO()
        write_label_studio(project, None, file)
        assert [each["data"] for each in json.loads(file.getvalue())] == [
            {"text": "Late", "id": "7", "table_text": "x"},
            {"text": "Wrong", "id": "8", "table_text": "y"},
        ]
        file = io.StringIO()
        write_doccano(project, file)
        assert json.loads(file.getvalue().splitlines()[0]) == {
            "text": "Late",
            "id": "7",
            "table_text": "x",
            "label": [],
        }


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.sampled_from(["mail", "phone", 'R&D "<new>"', "straße", "3", "\N{FAMILY}"])
WRITERS = {
    "label-studio": (lambda project, file: write_label_studio(project, None, file)),
    "doccano": write_doccano,
}


@pytest.mark.parametrize("format", WRITERS)
@given(labeled=st.lists(st.tuples(TEXTS, st.none() | NAMES), min_size=1, max_size=8))
def test_round_trip(format, labeled):
    """What is written is read again, labels of identical texts included."""
    texts, labels = (list(each) for each in zip(*labeled, strict=True))
    project = Project.create(None, texts)
    import_labels(project, labels)
    expected = [answer.label for answer in answer_rows(project, None)]
    with TemporaryDirectory() as folder:
        path = Path(folder, "exchanged")
        with path.open("w", encoding="utf-8", newline="") as file:
            WRITERS[format](project, file)
        assert read_tasks(path, format) == (texts, expected)
        again = import_tasks(path, None, format)
    assert again.texts == texts
    assert [answer.label for answer in answer_rows(again, None)] == expected


class TestImport:
    def test_labels_and_fields_come_along(self, tmp_path, doccano):
        path = doccano(
            {"id": 7, "text": "Late", "label": ["delivery"]},
            {"id": 8, "text": "Wrong", "label": []},
        )
        target = tmp_path / "mail.hbproject"
        with import_tasks(
            path, target, "doccano", settings={"language": "german"}, who="me"
        ) as project:
            [label] = project.ledger.state.labels.values()
            assert (label.purpose, label.who) == ("imported", "me")
            assert project.records() == [{"id": 7, "text": "Late"}, {"id": 8, "text": "Wrong"}]
        with Project.open(target) as project:
            assert project.settings["language"] == "german"
            assert [each.name for each in project.classes] == ["delivery"]

    def test_texts_without_labels(self, doccano):
        project = import_tasks(doccano({"text": "a"}, {"text": "b"}), None, "doccano")
        assert project.classes == []

    def test_wrong_names_of_classes_leave_no_file(self, tmp_path, doccano):
        path = doccano({"text": "a", "label": "mail"}, {"text": "b", "label": "x" * 201})
        target = tmp_path / "mail.hbproject"
        with pytest.raises(ValueError, match=r"lines.jsonl, names of classes: .* 1 to 200"):
            import_tasks(path, target, "doccano")
        assert not target.exists()

    def test_unknown_format(self, doccano):
        with pytest.raises(ValueError, match=r"Unknown format 'docano'.*Did you mean 'doccano'"):
            import_tasks(doccano({"text": "a"}), None, "docano")

    def test_an_existing_project_is_kept(self, tmp_path, doccano):
        target = tmp_path / "mail.hbproject"
        Project.create(target, ["old"]).close()
        with pytest.raises(FileExistsError):
            import_tasks(doccano({"text": "a"}), target, "doccano")
        with Project.open(target) as project:
            assert project.texts == ["old"]


def test_predictions_of_a_real_model_come_back_as_no_labels(tmp_path):
    texts = ["late parcel", "parcel lost", "wrong charge", "charge twice", "parcel", "charge"]
    session = LabelingSession(texts, labels=["delivery", None, "billing", None, None, None])
    path = tmp_path / "tasks.json"
    with path.open("w", encoding="utf-8") as file:
        write_label_studio(session.project, session.refit().answers, file)
    tasks = json.loads(path.read_text(encoding="utf-8"))
    assert sum(len(each["predictions"]) for each in tasks) == 4
    labels = ["delivery", None, "billing", None, None, None]
    assert read_tasks(path, "label-studio") == (texts, labels)
