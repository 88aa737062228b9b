"""Headers: what a header is, and what stays of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproduction.headers import filter_headers

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
    assert filter_headers([MESSAGE], keep=keep) == [expected]


def test_order_does_not_matter():
    texts = ["From: a\nSubject: b\n\nc", "Subject: b\nFrom: a\n\nc"]
    assert filter_headers(texts, keep=["subject"]) == ["Subject: b\n\nc"] * 2


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
    assert filter_headers([text], keep=()) == [text]


@given(st.text(st.sampled_from("ab: \n\t\r")))
def test_what_is_left_is_the_end_of_the_text(text):
    [left] = filter_headers([text], keep=())
    assert text.endswith(left)
    assert filter_headers([left], keep=["a", "b", "ab", "ba"]) == [left]
