"""Texts with numbers and categories of their table."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from honeybayes import TextClassifier, explain_decision, load_model, save_model
from honeybayes.classifier.columns import ColumnFeatures, read_rows
from honeybayes.tables import load_corpus

COLUMNS = {"text": "body", "numbers": ["price"], "categories": ["shop"]}
CORPUS = load_corpus("messages")
RANDOM = np.random.default_rng(0)
KIND = np.searchsorted(np.unique(CORPUS.labels), CORPUS.labels)
TABLE = pd.DataFrame(
    {  # numbers first, and a column that nobody names
        "price": KIND + RANDOM.normal(0, 1, len(KIND)),
        "shop": np.where(RANDOM.random(len(KIND)) < 0.8, (KIND % 3).astype(str), "x"),
        "noise": "?",
        "body": CORPUS.documents,
    }
)
TRAIN, TEST = TABLE.iloc[::3], TABLE.iloc[1::3]
Y, Y_TEST = CORPUS.labels[::3], CORPUS.labels[1::3]


def test_features_are_those_of_scikit_learn():
    features = ColumnFeatures(**COLUMNS).fit(read_rows(TRAIN, COLUMNS))
    numbers = StandardScaler().fit(TRAIN[["price"]])
    shops = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(TRAIN[["shop"]])
    new = TEST.assign(shop=["never seen", *TEST["shop"][1:]])
    expected = np.hstack([numbers.transform(new[["price"]]), shops.transform(new[["shop"]])])
    np.testing.assert_allclose(features.transform(read_rows(new, COLUMNS)), expected)
    assert features.get_feature_names_out()[:2].tolist() == ["price", "shop=0"]


@pytest.mark.parametrize("n_labels", [len(Y), 60])
def test_only_columns_that_differ_between_classes_stay(n_labels):
    rng = np.random.default_rng(4)
    noise = {"a": rng.normal(size=len(Y)), "b": rng.normal(size=len(Y))}
    table = TRAIN.assign(**noise, c=rng.choice([*"xyz"], len(Y)))
    some = np.where(rng.permutation(len(Y)) < n_labels, Y, "")
    every = {"text": "body", "numbers": ["a", "price", "b"], "categories": ["c", "shop", "noise"]}
    features = ColumnFeatures(**every, unlabeled="").fit(read_rows(table, every), some)
    kept = [name.partition("=")[0] for name in features.get_feature_names_out()]
    assert kept == ["price", *["shop"] * 4]
    assert features.left_out_.tolist() == ["a", "b", "c", "noise"]
    only_noise = {"text": "body", "numbers": ["a", "b"], "categories": ["c"]}
    words = TextClassifier(encoder=None).fit(TRAIN["body"], some)
    with pytest.warns(UserWarning, match=r"No other column is used \(a, b, c\)"):
        classifier = TextClassifier(encoder=None, columns=only_noise).fit(table, some)
    assert classifier.n_dense_ == 0
    assert classifier.columns_left_out_.tolist() == ["a", "b", "c"]
    assert words.columns_left_out_.tolist() == []
    expected = words.predict_proba(table["body"])
    np.testing.assert_allclose(classifier.predict_proba(table), expected)


def test_missing_cells_are_the_mean_and_no_category():
    holes = TRAIN.astype({"price": object}).copy()
    holes.iloc[0, 0], holes.iloc[1, 1] = None, None
    features = ColumnFeatures(**COLUMNS).fit_transform(read_rows(holes, COLUMNS))
    assert features[0, 0] == 0
    assert not features[1, 1:].any()


@pytest.mark.parametrize("model", ["auto", "LogisticRegression-tfidf", "FewLabels"])
def test_columns_help_and_survive_a_file(model, tmp_path):
    words = TextClassifier(model, encoder=None).fit(TRAIN["body"], Y)
    both = TextClassifier(model, encoder=None, columns=COLUMNS).fit(TRAIN, Y)
    assert both.score(TEST, Y_TEST) > words.score(TEST["body"], Y_TEST) + 0.1
    assert both.n_dense_ == 5
    save_model(both, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb")
    np.testing.assert_array_equal(loaded.predict_proba(TEST), both.predict_proba(TEST))
    np.testing.assert_array_equal(both.predict(TEST[["body", "shop", "price"]]), both.predict(TEST))
    with pytest.warns(UserWarning, match="price, shop are taken as missing"):
        explained = explain_decision(both, TEST["body"].iloc[0])
    assert "meaning of the text" not in {each.word for each in explained.contributions}


@pytest.mark.parametrize("model", ["auto", "FewLabels"])
@pytest.mark.parametrize("encoder", [None, lambda texts: np.array([[len(t), 1.0] for t in texts])])
def test_a_row_is_explained_by_its_words_and_columns(model, encoder):
    classifier = TextClassifier(model, encoder=encoder, columns=COLUMNS).fit(TRAIN, Y)
    row = TEST.iloc[[3]]
    explained = explain_decision(classifier, row)
    assert explained.label == classifier.predict(row)[0]
    assert explained == explain_decision(classifier, TEST.iloc[3])
    columns = classifier.columns
    assert explained == explain_decision(classifier.set_params(columns=None), row)
    classifier.set_params(columns=columns)
    added = {each.word: each.lead for each in explained.contributions}
    assert ("meaning of the text" in added) == (encoder is not None)
    assert {"price (column)", f"shop={row['shop'].item()} (column)"} <= set(added)
    words = [each.spelling for each in explained.contributions if "(column)" not in each.word]
    assert set(words) & set(row["body"].item().split())
    assert sum(added.values()) + explained.baseline_lead == pytest.approx(explained.lead)
    if model == "auto":  # linear: without the price, only what the price adds is missing
        other = explain_decision(classifier, row.assign(price=None), against=explained.against)
        assert explained.lead - other.lead == pytest.approx(added["price (column)"])


def test_pools_frames_and_cross_validation():
    few = TextClassifier(encoder=None, columns=COLUMNS).fit(TRAIN[::5], Y[::5], pool=TRAIN)
    assert few.choice_["model"] == "FewLabels"
    assert few.has_seen(TRAIN[::5]).all()
    assert cross_val_score(TextClassifier(columns=COLUMNS), TRAIN, Y, cv=2).min() > 0.5


@pytest.mark.parametrize(
    ("columns", "model", "table", "message"),
    [
        ({"text": "body"}, "auto", TRAIN, "columns must name the text and others"),
        ({**COLUMNS, "dates": []}, "auto", TRAIN, "columns must name the text and others"),
        ({**COLUMNS, "numbers": "price"}, "auto", TRAIN, "numbers must be a list of names"),
        (COLUMNS, "auto", TRAIN.drop(columns="price"), "X has no column 'price'"),
        (COLUMNS, "CNB", TRAIN, "cannot learn from other columns"),
        ({**COLUMNS, "numbers": ["noise"]}, "auto", TRAIN, r"'noise' has '\?' in row 0"),
    ],
)
def test_what_cannot_be_used(columns, model, table, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier(model, columns=columns).fit(table, Y)


def test_the_row_of_a_wrong_number_is_that_of_the_table():
    table = TRAIN.astype({"price": object}).copy()
    table.iloc[12, 0] = "cheap"
    some = np.where(np.arange(len(Y)) < 10, "", Y)
    with pytest.raises(ValueError, match="'price' has 'cheap' in row 12, which is not a number"):
        TextClassifier("FewLabels", encoder=None, columns=COLUMNS).fit(table, some)


def test_seeds_and_batches_refuse():
    with pytest.raises(ValueError, match="Seeds say nothing about other columns"):
        TextClassifier(columns=COLUMNS).fit(TRAIN, Y, seeds=["billing", "delivery"])
    with pytest.raises(ValueError, match="partial_fit adds every term"):
        TextClassifier("CNB", columns=COLUMNS).partial_fit(TRAIN, Y, np.unique(Y))


def test_whole_numbers_are_the_same_categories_beside_a_missing_cell():
    columns = {"text": "body", "categories": ["shop"]}
    training = pd.DataFrame({"body": ["a", "b"], "shop": [1, 2]})
    features = ColumnFeatures(**columns).fit(read_rows(training, columns))
    holes = pd.DataFrame({"body": ["a", "b", "c"], "shop": [1, 2, None]})
    found = features.transform(read_rows(holes, columns)).tolist()
    assert found == [[1, 0], [0, 1], [0, 0]]


def test_columns_and_sources():
    rows = [(f"late parcel {n}", "x") for n in "abcdef"] + [(f"bill {n}", "y") for n in "abcdef"]
    table = pd.DataFrame(rows, columns=["body", "shop"])
    answers = ["delivery"] * 6 + ["billing"] * 6
    columns = {"text": "body", "categories": ["shop"]}
    classifier = TextClassifier("FewLabels", columns=columns, encoder=None)
    classifier.fit(table, ["delivery", *[""] * 10, "billing"], sources={"gpt4": answers})
    assert classifier.sources_["gpt4"]["coverage"] == 1
    assert classifier.combine(table, {"gpt4": answers}).shape == (12, 2)
