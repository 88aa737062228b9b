"""Records of nominal attributes as documents, against scikit-learn's encoders."""

import csv
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer
from sklearn.preprocessing import OneHotEncoder

from honeybayes import TextClassifier, TextVectorizer, load_model, save_model
from honeybayes.tables import Attributes, read_attributes, read_table

COLUMNS = ["cap color", "odor", "rings", "class"]
ROWS = [
    ["light red", "none", "1", "edible"],
    ["light red", "foul", "2", "poisonous"],
    ["brown", "none", "1", "edible"],
    ["?", "foul", "", "poisonous"],
    ["Brown", "anise", "2", "edible"],
]


def write(path, rows=ROWS, columns=COLUMNS):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def count(texts):
    vectorizer = TextVectorizer(language="attributes")
    return vectorizer.fit_transform(texts).toarray(), vectorizer.terms_.tolist()


NAMES = st.sampled_from(["color", "cap size", "odor=strong"])
VALUES = st.none() | st.text(st.characters(exclude_categories=("Z", "C")), min_size=1).filter(
    lambda value: value not in ("?", "NA", "nan", "NaN", "N/A", "<NA>", "null")
)


@given(
    st.lists(st.dictionaries(NAMES, VALUES), min_size=1).filter(
        lambda all_: any(value is not None for record in all_ for value in record.values())
    )
)
def test_the_terms_are_those_of_dict_vectorizer(records):
    attributes = Attributes.learn(records)
    expected = DictVectorizer(sparse=False)
    given_values = [{k: v for k, v in each.items() if v is not None} for each in records]
    counts = expected.fit_transform(given_values)
    found, terms = count([attributes.write(record) for record in records])
    assert terms == expected.feature_names_
    np.testing.assert_array_equal(found, counts)


def test_a_new_value_has_no_term_as_with_one_hot_encoder():
    train, new = [["a", "x"], ["b", "y"]], [["a", "z"], ["c", "y"]]
    names = ["first", "second"]
    attributes = Attributes.learn([dict(zip(names, row, strict=True)) for row in train])
    vectorizer = TextVectorizer(language="attributes")
    texts = [attributes.write(dict(zip(names, row, strict=True))) for row in train]
    vectorizer.fit(texts)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(train)
    assert vectorizer.terms_.tolist() == ["first=a", "first=b", "second=x", "second=y"]
    texts = [attributes.write(dict(zip(names, row, strict=True))) for row in new]
    np.testing.assert_array_equal(vectorizer.transform(texts).toarray(), encoder.transform(new))


def write_arff(path):
    lines = ["@relation m", "@attribute 'cap color' {'light red',brown,Brown}"]
    lines += ["@attribute odor {none,foul,anise}", "@attribute rings numeric"]
    lines += ["@attribute class {edible,poisonous}", "@data"]
    lines += [",".join(f"'{c}'" if " " in c else c or "?" for c in row) for row in ROWS]
    path.write_text("\n".join(lines))


def write_json(path):
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    for row in rows:
        row["rings"] = int(row["rings"]) if row["rings"] else None
    path.write_text("\n".join(map(json.dumps, rows)))


def write_parquet(path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = dict(zip(COLUMNS, map(list, zip(*ROWS, strict=True)), strict=True))
    columns["rings"] = [float(each) if each else math.nan for each in columns["rings"]]
    parquet.write_table(pyarrow.table(columns), path)


def write_excel(path):
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [COLUMNS, *ROWS]:
        book.active.append(row)
    book.save(path)


WRITERS = {
    "m.csv": write,
    "m.arff": write_arff,
    "m.jsonl": write_json,
    "m.parquet": write_parquet,
    "m.xlsx": write_excel,
}


def test_arff_is_read_as_a_table_by_its_ending(tmp_path):
    pytest.importorskip("arff")
    write_arff(tmp_path / "m.arff")
    frame = read_table(tmp_path / "m.arff")
    assert list(frame.columns) == COLUMNS
    assert frame["odor"].tolist() == [row[COLUMNS.index("odor")] or None for row in ROWS]


@pytest.mark.parametrize("name", WRITERS)
def test_all_formats_give_the_same_documents(tmp_path, name):
    if name == "m.arff":
        pytest.importorskip("arff")
    WRITERS[name](tmp_path / name)
    corpus, attributes = read_attributes(tmp_path / name, label="class")
    assert corpus.documents == [
        "cap color=light red\nodor=none\nrings=1",
        "cap color=light red\nodor=foul\nrings=2",
        "cap color=brown\nodor=none\nrings=1",
        "odor=foul",
        "cap color=Brown\nodor=anise\nrings=2",
    ]
    assert corpus.labels.tolist() == [row[-1] for row in ROWS]
    assert list(attributes.edges) == COLUMNS[:-1]
    again = Attributes.from_dict(attributes.to_dict())
    assert again == attributes
    other, _ = read_attributes(tmp_path / name, label="class", attributes=["odor"])
    assert other.documents[0] == "odor=none"
    assert read_attributes(tmp_path / name, "class", again)[0].documents == corpus.documents


def test_the_column_of_ids_is_kept_and_not_learned(tmp_path):
    rows = [[f"m{at}", *row] for at, row in enumerate(ROWS)]
    path = write(tmp_path / "m.csv", rows, ["number", *COLUMNS])
    corpus, attributes = read_attributes(path, "class", id="number")
    assert corpus.ids.tolist() == ["m0", "m1", "m2", "m3", "m4"]
    assert "number" not in attributes.edges
    assert corpus.take([3, 1]).ids.tolist() == ["m3", "m1"]


def numbers(n=200):
    return np.random.default_rng(0).exponential(30, n).round(2)


def test_columns_of_numbers_are_refused_unless_there_are_ranges(tmp_path):
    values = numbers()
    rows = [[value, "ab"[at % 2], "xy"[at % 2]] for at, value in enumerate(values.tolist())]
    path = write(tmp_path / "m.csv", rows, ["weight", "kind", "class"])
    with pytest.raises(ValueError, match=r"more than 20 different numbers: 'weight'.*n_bins=5"):
        read_attributes(path, "class")
    corpus, attributes = read_attributes(path, "class", n_bins=4)
    # the method of quantiles that newer versions of KBinsDiscretizer use
    quartiles = np.quantile(values, [0.25, 0.5, 0.75], method="averaged_inverted_cdf")
    expected = np.digitize(values, quartiles)
    edges = attributes.edges["weight"]
    assert edges == pytest.approx(quartiles)
    low, middle, high = (f"{edge:.12g}" for edge in edges)
    names = [f"below {low}", f"{low} to {middle}", f"{middle} to {high}", f"{high} or more"]
    found = [text.split("\n")[0].removeprefix("weight=") for text in corpus.documents]
    assert found == [names[each] for each in expected]
    assert attributes.edges["kind"] == ()
    assert Attributes.from_dict(attributes.to_dict()) == attributes
    assert attributes.write({"weight": "heavy"}) == "weight=heavy"


def test_a_column_that_is_nearly_always_the_same_number_has_two_ranges():
    records = [{"n": max(0, at - 170)} for at in range(200)]
    attributes = Attributes.learn(records, n_bins=2)
    assert attributes.write({"n": 0}) == "n=below 1"
    assert attributes.write({"n": 7.0}) == "n=1 or more"


def test_a_column_of_names_gives_a_warning(tmp_path):
    rows = [[f"Mr. {at}", "ab"[at % 2], "xy"[at % 2]] for at in range(40)]
    path = write(tmp_path / "m.csv", rows, ["who", "kind", "class"])
    with pytest.warns(UserWarning, match="40 of 40 values of 'who' are different"):
        read_attributes(path, "class")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attributes": "odor,smell"}, "no column 'smell'"),
        ({"attributes": ["odor", "class"]}, "'class' cannot be both"),
        ({"id": "nr"}, "no column 'nr'.*--id"),
        ({"label": "kind"}, "no column 'kind'.*--label"),
    ],
)
def test_wrong_columns_are_named(tmp_path, options, message):
    path = write(tmp_path / "m.csv")
    with pytest.raises(ValueError, match=message):
        read_attributes(path, **{"label": "class", **options})


def test_a_list_is_not_one_value(tmp_path):
    (tmp_path / "m.jsonl").write_text('{"odor": ["none", "anise"], "label": "edible"}')
    with pytest.raises(ValueError, match=r"\['none', 'anise'\] is not one value"):
        read_attributes(tmp_path / "m.jsonl")


def test_a_table_with_nothing_but_labels_has_no_attributes(tmp_path):
    path = write(tmp_path / "m.csv", [["a"], ["b"]], ["class"])
    with pytest.raises(ValueError, match="no column but the label"):
        read_attributes(path, "class")


@pytest.mark.parametrize("wrong", [{"stop_words": ["a"]}, {"ngram_range": (1, 2)}])
def test_settings_of_texts_are_refused(wrong):
    with pytest.raises(ValueError, match="takes each line as one term"):
        TextVectorizer(language="attributes", **wrong).fit(["a=b"])


def test_a_classifier_of_records_is_saved_and_loaded(tmp_path):
    records = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS] * 4
    attributes = Attributes.learn(records, COLUMNS[:-1])
    texts, labels = [*map(attributes.write, records)], [each["class"] for each in records]
    classifier = TextClassifier("HONB", language="attributes").fit(texts, labels)
    save_model(classifier, tmp_path / "m.hb")
    loaded = load_model(tmp_path / "m.hb")
    np.testing.assert_array_equal(loaded.predict(texts), classifier.predict(texts))
    assert loaded.spellings_.tolist() == loaded.terms_.tolist()
    assert "cap color=light red" in loaded.terms_


def test_records_have_no_first_words():
    texts = ["a=1\nb=2", "a=2\nb=1"] * 200
    labels = ["x", "y"] * 20 + [""] * 360
    classifier = TextClassifier("FewLabels", language="attributes").fit(texts, labels)
    assert classifier.terms_.tolist() == ["a=1", "a=2", "b=1", "b=2"]
