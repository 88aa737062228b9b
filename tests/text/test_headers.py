"""HeaderFilter: what a header is, and what stays of it."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from honeybayes.text import HeaderFilter

MESSAGE = (
    "Xref: cantaloupe sci.space:1\r\n"
    "Newsgroups: sci.space,\r\n"
    "\tsci.misc\r\n"
    "FROM: eve@example.org\r\n"
    "Article-I.D.: 1qpf1r$9ti\r\n"
    "Subject: Re: Mars\r\n"
    "  and back\r\n"
    "\r\n"
    "Note: it is far.\r\nFrom: here\r\n"
)
BODY = "\r\nNote: it is far.\r\nFrom: here\r\n"


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ((), BODY),
        (("from",), "FROM: eve@example.org\r\n" + BODY),
        (("Subject",), "Subject: Re: Mars\r\n  and back\r\n" + BODY),
        (("from", "subject", "xref", "newsgroups", "article-i.d."), MESSAGE),
    ],
)
def test_header_lines_go_with_the_lines_that_continue_them(keep, expected):
    assert HeaderFilter(keep=keep).transform([MESSAGE]) == [expected]


def test_order_does_not_matter():
    texts = ["From: a\nSubject: b\n\nc", "Subject: b\nFrom: a\n\nc"]
    assert HeaderFilter(keep=["subject"]).transform(texts) == ["Subject: b\n\nc"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "From: a\nSubject: b",
        "Attention: one line is no header\n\nAt all.",
        "From: a\nSubject: b\nno blank line",
        "\nFrom: a\nSubject: b\n\n",
        "Two words: a\nSubject: b\n\n",
    ],
)
def test_other_texts_stay_as_they_are(text):
    assert HeaderFilter(keep=()).transform([text]) == [text]


@given(st.text(st.sampled_from("ab: \n\t\r")))
def test_what_is_left_is_the_end_of_the_text(text):
    [left] = HeaderFilter(keep=()).transform([text])
    assert text.endswith(left)
    assert HeaderFilter(keep=["a", "b", "ab", "ba"]).transform([left]) == [left]


def test_it_is_copied_and_pickled():
    header_filter = HeaderFilter(keep=("from",))
    for copied in (clone(header_filter), pickle.loads(pickle.dumps(header_filter))):
        assert copied.keep == ("from",)


def test_a_string_is_no_collection_of_names():
    with pytest.raises(ValueError, match="keep must be a collection of names, got 'fr"):
        HeaderFilter(keep="from").transform(["x"])
