"""Changed files of the models that keep neighbors, nodes or clusters by number."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from honeybayes import LocallyWeightedNB, TreeNB, WordClusterNB
from honeybayes.files import ModelFileError
from tests.files.test_refusals import ModelFile, put

TEXTS = ["sea boat wave", "sea wave", "hill river", "hill stone", "lake reed", "lake river boat"]
LABELS = ["sea", "sea", "land", "land", "lake", "lake"]


def saved(model, folder):
    pipeline = make_pipeline(CountVectorizer(), model).fit(TEXTS, LABELS)
    return ModelFile(pipeline, folder / "model.hb")


def refuses(file, message):
    with pytest.raises(ModelFileError, match=rf"model\.steps\[1\]\[1\] is invalid.*{message}"):
        file.load()


def test_the_tree_that_is_changed_below(tmp_path):
    file = saved(TreeNB(min_share=0.3), tmp_path)
    assert file.array(1, "split_term_").shape == (5,)
    assert file.array(1, "child_with_").tolist() == [1, -1, 3, -1, -1]
    assert file.array(1, "child_without_").tolist() == [2, -1, 4, -1, -1]
    file.load().predict(TEXTS)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("split_term_", put(99, 0), "split_term_ contains 99"),
        ("split_term_", put(-2, 0), "too small"),
        ("split_term_", put(-1, 0), "each node once"),
        ("split_term_", put(0, 1), "each node once"),
        ("split_term_", lambda a: a.astype(float), "split_term_ is float64"),
        ("split_term_", lambda a: a[:-1], "has shape"),
        ("child_with_", put(0, 2), "each node once"),  # a circle through the root
        ("child_with_", put(2, 2), "each node once"),  # a node that is its own child
        ("child_with_", put(5, 2), "child_with_ contains 5"),
        ("child_with_", put(-1, 2), "each node once"),
        ("child_with_", put(1, 1), "a leaf has a child"),
        ("child_without_", put(4, 0), "each node once"),  # a node with two parents
        ("node_class_count_", put(-1.0, (0, 0)), "too small"),
        ("node_class_count_", lambda a: a[:, :2], "has shape"),
        ("split_gain_", put(np.nan, 0), "NaN"),
        ("_leaf_length", put(np.inf, (1, 0)), "infinity"),
        ("_leaf_term", lambda a: a[::-1], "ascending"),
        ("_leaf_term", lambda a: a[:-1], "has shape"),
        ("_leaf_term", put(-1, 0), "too small"),
        ("_leaf_count", put(-1.0, (0, 0)), "too small"),
    ],
)
def test_trees(name, change, message, tmp_path):
    file = saved(TreeNB(min_share=0.3), tmp_path)
    file.set_array(1, name, change(file.array(1, name)))
    refuses(file, message)


def test_a_child_before_its_parent(tmp_path):
    """Node 1 is a child of node 2, and node 2 of node 1: each is reached once, but not from 0."""
    file = saved(TreeNB(min_share=0.3), tmp_path)
    file.set_array(1, "split_term_", np.array([-1, 0, 0, -1, -1]))
    file.set_array(1, "child_with_", np.array([-1, 2, 1, -1, -1]))
    file.set_array(1, "child_without_", np.array([-1, 3, 4, -1, -1]))
    refuses(file, "before its parent")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("_label", put(3, 0), "_label contains 3"),
        ("_label", put(-1, 0), "too small"),
        ("_length", lambda a: a[:-1], "_length has shape"),
        ("_length", put(np.nan, 0), "NaN"),
        ("_norm", lambda a: a[:-1], "_norm has shape"),
        ("_norm", put(0.0, 0), "_norm is zero"),
        ("_norm", put(-1.0, 0), "too small"),
    ],
)
def test_neighbors(name, change, message, tmp_path):
    file = saved(LocallyWeightedNB(n_neighbors=3), tmp_path)
    file.set_array(1, name, change(file.array(1, name)))
    refuses(file, message)


@pytest.mark.parametrize("number", [0, -1, 7, 10**12, 2.5, "3", None])
def test_numbers_of_neighbors(number, tmp_path):
    file = saved(LocallyWeightedNB(n_neighbors=3), tmp_path)
    file.set_value(1, "_n_neighbors", number)
    refuses(file, "_n_neighbors")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("cluster_labels_", put(3, 0), "cluster_labels_ contains 3"),
        ("cluster_labels_", put(-2, 0), "too small"),
        ("cluster_labels_", lambda a: np.zeros_like(a), "does not name 3 clusters"),
        ("cluster_labels_", lambda a: a[:-1], "has shape"),
        ("feature_count_", lambda a: a[:, :2], "has shape"),
        ("feature_log_prob_", lambda a: a[:, :2], "has shape"),
        ("feature_log_prob_", put(np.nan, (0, 0)), "NaN"),
    ],
)
def test_clusters(name, change, message, tmp_path):
    file = saved(WordClusterNB(n_clusters=3), tmp_path)
    file.set_array(1, name, change(file.array(1, name)))
    refuses(file, message)
