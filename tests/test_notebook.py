"""Things that users of scikit-learn try in a notebook, each with the result they expect."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
)
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline

from honeybayes import (
    TextClassifier,
    TextVectorizer,
    explain_decision,
    list_models,
    load_model,
    make_model,
    save_model,
)
from honeybayes.evaluate import LabeledFolds, RandomSplits, check_new_texts, compare
from honeybayes.labeling import LabelingSession
from honeybayes.tables import load_corpus

CORPUS = load_corpus("messages").keep_classes(["billing", "cancellation", "delivery"])
TABLE = pd.DataFrame({"text": CORPUS.documents, "queue": CORPUS.labels})
TABLE = TABLE.sample(frac=1, random_state=0, ignore_index=True)
TRAIN, TEST = TABLE[:120], TABLE[120:]
X, Y = TRAIN["text"], TRAIN["queue"]
SOME = Y.where(np.arange(len(Y)) % 4 == 0, None)  # a quarter of the labels
QUICK = TextClassifier(encoder=None)


@pytest.fixture(scope="module")
def fitted():
    return clone(QUICK).fit(X, Y)


def test_a_series_of_texts_and_a_series_of_labels(fitted):
    assert is_classifier(fitted)
    assert fitted.classes_.tolist() == ["billing", "cancellation", "delivery"]
    assert fitted.score(TEST["text"], TEST["queue"]) > 0.7
    assert fitted.choice_["model"] == "LinearSVC-tfidf"


def test_a_one_column_frame_is_texts(fitted):
    for one_column in (TEST[["text"]], TEST[["text"]].to_numpy()):
        assert (fitted.predict(one_column) == fitted.predict(TEST["text"])).all()
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"text": TEST["text"]})
    assert (fitted.predict(table) == fitted.predict(TEST["text"])).all()


def test_polars(fitted):
    polars = pytest.importorskip("polars")
    table = polars.from_pandas(TEST)
    for texts in (table["text"], table[["text"]]):
        assert (fitted.predict(texts) == fitted.predict(TEST["text"])).all()
    learned = clone(QUICK).fit(
        polars.from_pandas(TRAIN)["text"], polars.from_pandas(TRAIN)["queue"]
    )
    assert (learned.predict(TEST["text"]) == fitted.predict(TEST["text"])).all()


def test_dask(fitted):
    frames = pytest.importorskip("dask.dataframe")
    table = frames.from_pandas(TRAIN, npartitions=2)
    learned = clone(QUICK).fit(table["text"], table["queue"])
    answers = learned.predict(frames.from_pandas(TEST, npartitions=2)["text"]).compute()
    assert answers.index.equals(TEST.index)
    assert (answers == fitted.predict(TEST["text"])).all()


def test_a_generator_an_array_and_a_tuple(fitted):
    for texts in ((text for text in X), X.to_numpy(), tuple(X)):
        assert (fitted.predict(texts) == fitted.predict(X)).all()


def test_categories_integers_and_booleans_stay_what_they_are():
    for y in (
        Y.astype("category"),
        Y.map({"billing": 3, "delivery": 5, "cancellation": 9}),
        Y == "billing",
    ):
        predicted = clone(QUICK).fit(X, y).predict(TEST["text"])
        assert set(predicted.tolist()) <= set(y.tolist())
        assert predicted.dtype == np.unique(y).dtype or y.dtype == "category"


def test_booleans_with_a_pool():
    classifier = clone(QUICK).fit(X[:40], Y[:40] == "billing", pool=X)
    assert classifier.predict(TEST["text"]).dtype == bool


def test_missing_labels_are_unlabeled_texts():
    classifier = clone(QUICK).fit(X, SOME)
    assert classifier.choice_["model"] == "FewLabels"
    assert "without a label" in classifier.choice_["reason"]
    assert classifier.score(TEST["text"], TEST["queue"]) > 0.45


def test_unlabeled_texts_as_a_pool():
    classifier = clone(QUICK).fit(X[:30], Y[:30], pool=X[30:])
    assert classifier.choice_["model"] == "FewLabels"


def test_sources_in_a_data_frame_are_split_like_the_texts():
    answers = pd.DataFrame({"rules": Y.where(np.arange(len(Y)) % 3 > 0), "poor": "delivery"})
    params = {"sources": answers.set_index(X.index + 7)}  # rows count, not names of rows
    scores = cross_validate(QUICK, X, SOME, cv=LabeledFolds(3), params=params)["test_score"]
    assert scores.mean() > cross_validate(QUICK, X, SOME, cv=LabeledFolds(3))["test_score"].mean()
    with sklearn.config_context(enable_metadata_routing=True):
        routed = clone(QUICK).set_fit_request(sources=True)
        again = cross_validate(routed, X, SOME, cv=LabeledFolds(3), params=params)["test_score"]
    np.testing.assert_allclose(again, scores)
    fitted = clone(QUICK).fit(X, SOME, sources=answers)
    assert fitted.sources_["rules"]["accuracy"]["accuracy"] == 1
    assert fitted.combine(X, answers).shape == (len(X), 3)


def test_class_names_and_no_label():
    names = ["billing", "cancellation", "delivery"]
    classifier = clone(QUICK).fit(X, seeds=names)
    assert classifier.classes_.tolist() == names


def test_the_tunable_that_everyone_tries():
    search = GridSearchCV(QUICK, {"model__C": [0.1, 10], "ngram_range": [(1, 1), (1, 2)]}, cv=3)
    search.fit(X, Y)
    assert set(search.best_params_) == {"model__C", "ngram_range"}
    assert search.best_params_["model__C"] == search.best_estimator_.model_[-1].C


def test_a_search_over_models():
    search = GridSearchCV(QUICK, {"model": ["CNB", "auto"]}, cv=2).fit(X, Y)
    assert search.best_params_["model"] in ("CNB", "auto")


def test_a_pool_as_long_as_x_is_not_split_silently():
    search = GridSearchCV(QUICK, {"stem": [True]}, cv=2)
    with pytest.warns(UserWarning, match="pass a function"):
        search.fit(X[:40], Y[:40], pool=X[40:80].tolist())
    search.fit(X[:40], Y[:40], pool=lambda: X[40:80].tolist())


def test_missing_labels_in_a_cross_validation():
    scores = cross_validate(QUICK, X, SOME, cv=LabeledFolds(3))["test_score"]
    assert scores.shape == (3,)
    assert scores.mean() > 0.4
    fitted = clone(QUICK).fit(X, Y)
    with pytest.warns(UserWarning, match="LabeledFolds"):
        fitted.score(["a parcel"], ["other"])


def test_cross_validation_and_learning_curves():
    assert cross_val_score(QUICK, X, Y, cv=3).mean() > 0.6
    assert cross_val_predict(QUICK, X, Y, cv=3, method="predict_proba").shape == (len(X), 3)
    sizes, _, scores = learning_curve(QUICK, X, Y, cv=3, train_sizes=[0.5, 1.0])
    assert len(sizes) == len(scores) == 2


def test_train_test_split():
    parts = train_test_split(TABLE["text"], TABLE["queue"], stratify=TABLE["queue"], random_state=0)
    assert clone(QUICK).fit(parts[0], parts[2]).score(parts[1], parts[3]) > 0.6


def test_texts_with_other_columns():
    price = (Y == "delivery") + np.random.default_rng(0).normal(size=len(Y))
    table = TRAIN.assign(price=price, shop=Y.str[:1], day=["mon", "tue"] * (len(TRAIN) // 2))
    columns = {"text": "text", "numbers": ["price"], "categories": ["shop", "day"]}
    classifier = clone(QUICK).set_params(columns=columns).fit(table, Y)
    kept = ["price", "shop=b", "shop=c", "shop=d"]  # the day has nothing to do with the queue
    assert classifier.column_features_.tolist() == kept
    assert "price (column)" in str(explain_decision(classifier, table[:1]))
    assert cross_val_score(classifier, table, Y, cv=2).mean() > 0.45


def test_abstaining(fitted):
    answers = fitted.predict(TEST["text"], target_accuracy=0.8)
    given = answers != ""
    assert 0 < given.sum() < len(answers)
    assert (answers[given] == TEST["queue"][given]).mean() > fitted.score(
        TEST["text"], TEST["queue"]
    )
    threshold = fitted.find_threshold(0.8).threshold
    same = fitted.predict(TEST["text"], min_confidence=threshold)
    assert (same == answers).all()
    numbers = clone(QUICK).fit(X, np.unique(Y, return_inverse=True)[1])
    assert None in numbers.predict(["", *TEST["text"]], min_confidence=0.9).tolist()
    with pytest.warns(
        UserWarning, match=r"No text gets an answer. To be 99.9 % right \(80 % sure\): no threshold"
    ):
        assert set(fitted.predict(TEST["text"], target_accuracy=0.999)) == {""}


def test_sets_of_classes(fitted):
    assert fitted.predict_set(TEST["text"], coverage=0.9).shape == (len(TEST), 3)


def test_clone_pickle_and_joblib(fitted, tmp_path):
    assert repr(clone(QUICK)) == "TextClassifier(encoder=None)"
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        assert (copy.predict(X) == fitted.predict(X)).all()


def test_saving_loading_and_the_expected_kind(fitted, tmp_path):
    save_model(fitted, tmp_path / "model.hb")
    assert (load_model(tmp_path / "model.hb").predict(X) == fitted.predict(X)).all()
    loaded = load_model(tmp_path / "model.hb", kind=TextClassifier)
    assert type(loaded) is TextClassifier
    with pytest.raises(ValueError, match="contains a TextClassifier, not a TextVectorizer"):
        load_model(tmp_path / "model.hb", kind=TextVectorizer)


def test_weights(fitted):
    weights = np.where(Y == "billing", 50.0, 1.0)
    heavy = clone(QUICK).fit(X, Y, sample_weight=weights)
    assert (heavy.predict(TEST["text"]) == "billing").sum() >= (
        fitted.predict(TEST["text"]) == "billing"
    ).sum()


def test_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        routed = (
            clone(QUICK).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        )
        search = GridSearchCV(routed, {"stem": [True]}, cv=2)
        assert search.fit(X, Y, sample_weight=np.ones(len(X))).best_score_ > 0.5


def test_calibrated_stacked_and_voting():
    members = [("auto", clone(QUICK)), ("counts", TextClassifier("CNB"))]
    for ensemble in (
        CalibratedClassifierCV(clone(QUICK), cv=2),
        StackingClassifier(members, cv=2),
        VotingClassifier(members, voting="soft"),
    ):
        assert ensemble.fit(X.tolist(), Y).predict_proba(X[:3].tolist()).shape == (3, 3)


def test_several_outputs():
    y = np.column_stack([Y == "billing", Y == "delivery"])
    assert MultiOutputClassifier(clone(QUICK)).fit(X, y).predict(TEST["text"]).shape == (
        len(TEST),
        2,
    )


def test_parts_in_pipelines_unions_and_column_transformers():
    words = make_pipeline(TextVectorizer(), make_model("HCNB")).fit(X, Y)
    assert words.predict(TEST["text"]).shape == (len(TEST),)
    union = FeatureUnion([("one", TextVectorizer()), ("two", TextVectorizer(ngram_range=(2, 2)))])
    assert make_pipeline(union, LogisticRegression()).fit(X, Y).score(X, Y) > 0.9
    by_column = ColumnTransformer([("words", TextVectorizer(), "text")])
    assert make_pipeline(by_column, LogisticRegression()).fit(TRAIN, Y).score(TRAIN, Y) > 0.9


def test_names_of_features(fitted):
    names = TextVectorizer().fit(X).get_feature_names_out()
    assert len(names) == len(set(names))
    assert len(fitted.terms_) == len(fitted.spellings_)


def test_a_notebook_shows_the_steps(fitted):
    assert "LinearSVC" in fitted._repr_html_()
    assert "TextVectorizer" in QUICK._repr_html_()


def test_an_own_strategy():
    def longest(situation, n, rng):
        lengths = X.str.len().to_numpy()[situation.candidates]
        return situation.candidates[np.argsort(-lengths)][:n]

    session = LabelingSession(X, strategy=longest, audit_share=0.0, encoder=None)
    assert session.suggest()[0].row == X.str.len().to_numpy().argmax()


def test_the_surface_is_small(fitted):
    parameters = make_model("FewLabels").get_params()
    assert set(parameters) == {"max_pool", "n_dense", "outliers", "unlabeled", "warm_start"}
    assert "n_jobs" not in QUICK.get_params(deep=False)
    assert not any(hasattr(fitted, name) for name in ("salt_", "digests_", "table_"))


def test_what_a_session_and_a_comparison_show():
    session = LabelingSession(X, classes=["billing", "delivery"], encoder=None)
    assert repr(session) == "LabelingSession(120 texts, 2 classes, 0 labels, in memory)"
    compared = compare(["NB", "CNB"], "messages", RandomSplits(per_class=5, repetitions=2))
    assert repr(compared).startswith(
        "Comparison of 2 models, 4 results\n  messages, 5 per class: NB"
    )


def test_the_list_of_models():
    assert list_models()[0] == "FewLabels"
    assert "MVNB" not in list_models()
    assert make_model("MVNB").get_params() == make_model("NB").get_params()


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="put it in a list"):
        QUICK.fit("one text", ["a"])
    with pytest.raises(ValueError, match=r"X\[1\] is not a text but nan"):
        clone(QUICK).fit(["a", float("nan")], ["x", "y"])
    with pytest.raises(ValueError, match="cannot learn from a pool"):
        TextClassifier("CNB").fit(X, Y, pool=["a"])
    search = GridSearchCV(QUICK, {"model__C": [1, 10]}, cv=2, error_score="raise")
    with pytest.raises(ValueError, match=r"LogisticRegression, which .*such as model__C has set"):
        search.fit(X, Y, pool=lambda: ["a parcel"])
    with pytest.raises(ValueError, match="remember_texts"):
        check_new_texts(clone(QUICK).fit(X, Y), ["a parcel"])
    with pytest.raises(AttributeError, match="has no attribute"):
        TextClassifier("CNB").decision_function  # noqa: B018


def test_set_params_after_fit_changes_nothing_before_the_next_fit(fitted):
    changed = pickle.loads(pickle.dumps(fitted)).set_params(stem=False, model="CNB")
    assert (changed.predict(X) == fitted.predict(X)).all()
