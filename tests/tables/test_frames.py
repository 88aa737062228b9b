"""Data frames of any library wherever a table is taken."""

import numpy as np
import pandas as pd
import pytest

from honeybayes import TextClassifier
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.tables import Corpus, load_corpus, read_corpus

MAIL = {"body": ["Late again", "Charged twice", "Lost"], "queue": ["post", "money", None]}


class Column:
    """A column as polars has it."""

    def __init__(self, cells):
        self.cells = cells

    def to_list(self):
        return list(self.cells)

    def __iter__(self):
        return iter(self.cells)


class Frame:
    """A frame as polars has it: ``columns`` is a list of names."""

    def __init__(self, columns):
        self.data = columns

    @property
    def columns(self):
        return list(self.data)

    def __getitem__(self, name):
        return Column(self.data[name])


class Query:
    """A query that is not run yet, as of polars."""

    def __init__(self, columns):
        self.data, self.columns = columns, list(columns)

    def __getitem__(self, name):
        raise TypeError("LazyFrame object is not subscriptable")

    def collect(self):
        return Frame(self.data)


class Stream:
    """Offers itself only as Arrow, as a relation of DuckDB."""

    def __init__(self, columns):
        self.data = columns

    def __arrow_c_stream__(self, requested_schema=None):
        import pyarrow

        return pyarrow.table(self.data).__arrow_c_stream__(requested_schema)


def arrow(columns):
    return pytest.importorskip("pyarrow", reason="needs pyarrow").table(columns)


def polars(columns):
    return pytest.importorskip("polars", reason="needs polars").DataFrame(columns)


def stream(columns):
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    return Stream(columns)


KINDS = pytest.mark.parametrize("make", [pd.DataFrame, arrow, polars, Frame, Query, stream])


@KINDS
def test_every_kind_of_frame_is_a_corpus(make):
    corpus = read_corpus(make(MAIL), text="body", label="queue")
    assert corpus.documents == MAIL["body"]
    assert corpus.labels.tolist() == ["post", "money", ""]
    assert read_corpus(make(MAIL), "body", "queue", name="mail").name == "mail"


@KINDS
def test_compare_takes_it(make):
    messages = load_corpus("messages")
    frame = make({"text": messages.documents, "label": messages.labels.tolist()})
    splits = RandomSplits(per_class=4, repetitions=2)
    found = compare(["NB"], frame, splits, metrics=["accuracy"])
    corpus = Corpus("frame", messages.documents, messages.labels)
    expected = compare(["NB"], corpus, splits, metrics=["accuracy"])
    assert [r.scores["accuracy"] for r in found.results] == [
        r.scores["accuracy"] for r in expected.results
    ]


@pytest.mark.parametrize("make", [pd.DataFrame, arrow, polars, Frame])
def test_a_classifier_takes_its_columns(make):
    messages = load_corpus("messages").keep_classes(["billing", "delivery"])
    frame = make({"text": messages.documents, "label": messages.labels.tolist()})
    model = TextClassifier("CNB", calibrate=None).fit(frame["text"], frame["label"])
    plain = TextClassifier("CNB", calibrate=None).fit(messages.documents, messages.labels)
    np.testing.assert_array_equal(model.classes_, ["billing", "delivery"])
    np.testing.assert_array_equal(
        model.predict_proba(frame["text"]), plain.predict_proba(messages.documents)
    )


def test_numbers_are_labels_also_beside_missing_ones():
    """pandas turns integers with a gap into floats."""
    frame = pd.DataFrame({"text": ["a", "b", "c"], "label": [1, None, 20]})
    assert read_corpus(frame).labels.tolist() == ["1", "", "20"]
    with pytest.raises(ValueError, match=r"row 1, column 'label': the label is empty"):
        read_corpus(frame, keep_unlabeled=False)


def test_labels_of_a_model_are_set_aside_on_request():
    frame = pd.DataFrame({"text": ["a", "b"], "label": ["x", "y"], "source": ["person", "model"]})
    assert read_corpus(frame).labels.tolist() == ["x", "y"]
    with pytest.warns(UserWarning, match="1 label is set aside"):
        assert read_corpus(frame, keep_model_labels=False).labels.tolist() == ["x", ""]


def test_several_columns_of_text():
    frame = pd.DataFrame({"subject": ["Hi", "Re"], "body": ["there", "you"], "label": ["a", "b"]})
    assert read_corpus(frame, text=["subject", "body"]).documents == ["Hi\n\nthere", "Re\n\nyou"]


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ({"txt": ["a"], "label": ["x"]}, {}, "there is no column 'text'. .* Did you mean 'txt'"),
        ({"text": ["a", 0.5], "label": ["x", "y"]}, {}, "row 1, column 'text': a text must be"),
        ({"text": [None, " "], "label": ["x", "y"]}, {}, "no row has a text"),
        ({"text": ["a"], "label": [0.5]}, {}, "row 0, column 'label': a label must be"),
        ({"text": ["a"], "label": ["x"]}, {"delimiter": ";"}, "where `delimiter` has no meaning"),
    ],
)
def test_refusals(frame, options, message):
    with pytest.raises(ValueError, match=message):
        read_corpus(pd.DataFrame(frame), **options)


def test_blank_texts_are_left_out_in_frames_as_in_files(tmp_path):
    frame = pd.DataFrame({"text": ["a", None, " ", "b"], "label": [*"xyyx"]})
    frame.to_csv(tmp_path / "mail.csv", index=False)
    frame.to_json(tmp_path / "mail.jsonl", orient="records", lines=True)
    for source in (frame, tmp_path / "mail.csv", tmp_path / "mail.jsonl"):
        with pytest.warns(UserWarning, match="2 rows have no text and are left out"):
            corpus = read_corpus(source)
        assert (corpus.documents, corpus.rows.tolist()) == (["a", "b"], [0, 3])
        assert len(read_corpus(source, keep_blank=True)) == 4


def test_two_columns_of_one_name():
    frame = pd.DataFrame([["a", "x", "y"]], columns=["text", "label", "label"])
    with pytest.raises(ValueError, match="Two columns are called 'label'"):
        read_corpus(frame)


def test_other_objects_are_told_what_to_do():
    with pytest.raises(
        ValueError, match="corpus must be a Corpus, a name or a data frame; got int"
    ):
        compare(["NB"], 3)


def test_a_column_can_name_the_rows():
    frame = pd.DataFrame({"nr": [7, 8], "text": ["late", "lost"], "label": ["a", "b"]})
    assert read_corpus(frame, id="nr").ids.tolist() == ["7", "8"]
    with pytest.raises(ValueError, match="no column 'number'"):
        read_corpus(frame, id="number")


def test_the_only_text_column_may_not_be_the_label():
    frame = pd.DataFrame({"label": ["a", "b"]})
    for text in ("label", ["label"], ("label",)):
        with pytest.raises(ValueError, match="'label' cannot be both the text and the label"):
            read_corpus(frame, text=text)
