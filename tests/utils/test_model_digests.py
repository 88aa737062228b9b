"""Digests: what differs is not taken for the same, and finished results stay known."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from honeybayes.utils.digests import digest_of_documents, settings_text
from honeybayes.zoo import list_models, make_model

WORDS = [f"word{number}" for number in range(40)]


def power(x, exponent=2):
    return x**exponent


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (CountVectorizer(stop_words=WORDS), CountVectorizer(stop_words=[*WORDS[:-1], "other"])),
        (FunctionTransformer(lambda x: x + 1), FunctionTransformer(lambda x: x + 2)),
        (FunctionTransformer(lambda x: x + 1), FunctionTransformer(lambda x: x - 1)),
        (FunctionTransformer(partial(power, exponent=3)), FunctionTransformer(partial(power))),
        (
            MultinomialNB(class_prior=np.array([0.5, 0.5])),
            MultinomialNB(class_prior=np.array([0.5 + 1e-12, 0.5 - 1e-12])),
        ),
        (
            make_pipeline(CountVectorizer(stop_words=WORDS), MultinomialNB()),
            make_pipeline(CountVectorizer(stop_words=WORDS[::-1]), MultinomialNB()),
        ),
        (MultinomialNB(), MultinomialNB(alpha=0.5)),
    ],
)
def test_models_that_differ_are_described_otherwise(one, other):
    assert settings_text(one) != settings_text(other)
    assert settings_text(one) == settings_text(one)


def test_equal_contents_are_described_alike():
    def made(exponent):
        return FunctionTransformer(lambda x: x**exponent, kw_args={"a": [exponent] * 40})

    assert settings_text(made(2)) == settings_text(made(2)) != settings_text(made(3))


def test_what_cannot_be_written_is_never_the_same():
    model = MultinomialNB(class_prior=(number for number in (0.5, 0.5)))
    assert settings_text(model) != settings_text(model)


def test_models_of_the_zoo_are_described_by_their_repr():
    """Results that were measured with the repr alone are still recognized."""
    model = make_pipeline(TfidfTransformer(), MultinomialNB(alpha=2))
    expected = (
        "Pipeline(steps=[('tfidftransformer', TfidfTransformer()),\n"
        "                ('multinomialnb', MultinomialNB(alpha=2))])"
    )
    assert settings_text(model) == expected
    for name in list_models():
        assert settings_text(make_model(name)).endswith(")")


@pytest.mark.process
def test_another_process_describes_alike():
    code = (
        "from sklearn.feature_extraction.text import CountVectorizer;"
        "from honeybayes.utils.digests import settings_text;"
        "words = {f'word{number}' for number in range(40)};"
        "print(settings_text(CountVectorizer(stop_words=words)).split()[-1])"
    )
    # another seed gives the words of a set another order
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
    assert done.stdout.strip() == settings_text(CountVectorizer(stop_words=set(WORDS))).split()[-1]


def test_empty_columns_count_where_they_are_kept():
    narrow = sparse.csr_array(np.eye(3))
    wide = sparse.csr_array((narrow.data, narrow.indices, narrow.indptr), shape=(3, 5))
    y = np.array(["a", "b", "c"])
    for unseen_terms, differ in (("keep", True), ("drop", False)):
        digests = {digest_of_documents(X, y, unseen_terms=unseen_terms) for X in (narrow, wide)}
        assert (len(digests) == 2) == differ
