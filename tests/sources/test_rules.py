"""Rules: reading, applying, and patterns that would never end."""

import re
from types import SimpleNamespace

import pytest

from honeybayes.sources import Rule, apply_rules, read_rules
from honeybayes.sources.rules import describe_rules

LINES = [
    "# rules",
    "",
    'refund: "money back", /charg(e|ed) twice/, refund',
    "delivery: parcel, courier, /track\\/trace/",
]
TEXTS = [
    "I want my Money  back.",
    "You CHARGED twice!",
    "the courier lost my refund",
    "money for the back door",
    "track/trace says nothing",
    "parcel with a refund; money back",
]


def test_reading():
    rules = read_rules(LINES)
    assert [(each.label, str(each), each.line) for each in rules] == [
        ("refund", '"money back"', 3),
        ("refund", "/charg(e|ed) twice/", 3),
        ("refund", '"refund"', 3),
        ("delivery", '"parcel"', 4),
        ("delivery", '"courier"', 4),
        ("delivery", "/track\\/trace/", 4),
    ]


@pytest.mark.parametrize("line", ["refund", "refund:", ": money", 'refund: "money'])
def test_lines_that_cannot_be_read(line):
    with pytest.raises(ValueError, match="Line 1 of the rules"):
        read_rules([line])


def test_phrases_are_found_as_a_plain_search_finds_them():
    rules = read_rules(["a: money back, the, back door, x", "b: door"])
    found = apply_rules(rules, TEXTS)
    for rule, rows in zip(rules, found.hits, strict=True):
        words = r"\W+".join(rule.pattern.split())
        pattern = re.compile(rf"\b{words}\b", re.IGNORECASE)
        assert rows == [row for row, text in enumerate(TEXTS) if pattern.search(text)]


@pytest.mark.process
def test_answers_conflicts_and_accuracy():
    rules = read_rules(LINES)
    found = apply_rules(rules, TEXTS)
    assert found.answers == ["refund", "refund", "", "", "delivery", "refund"]
    assert found.n_conflicts == 2
    assert not found.refused
    told = describe_rules(rules, found, ["refund", "", "delivery", None, "", "delivery"])
    assert [each["texts"] for each in told] == [2, 1, 2, 1, 1, 1]
    assert told[0]["accuracy"]["accuracy"] == 0.5
    assert told[1]["accuracy"] is None


@pytest.mark.process
def test_scripts_without_spaces():
    assert apply_rules(read_rules(["a: 退款"]), ["我要退款谢谢", "你好"]).hits == [[0]]


@pytest.mark.process
def test_patterns_that_would_never_end_are_refused():
    hostile = ["(a+)+$", "(a|a)*b", "(x+x+)+y", "(?:(?:a{1,100}){1,100}){1,100}z"]
    rules = [Rule("h", each, True, at) for at, each in enumerate(hostile)]
    rules += [Rule("bad", "(", True, 8), Rule("good", "charged? twice", True, 9)]
    found = apply_rules(rules, ["a" * 40 + "!", "x" * 50, "charged twice"])
    assert found.answers == ["", "", "good"]
    assert set(found.refused) == {0, 1, 2, 3, 4}
    assert "Line 0, /(a+)+$/: it takes longer than" in found.refused[0]
    assert "not a regular expression (missing )" in found.refused[4]


def test_phrases_with_signs_at_their_ends():
    rules = read_rules(["code: C++, .net", 'rank: "#1", first-class'])
    texts = ["I write c++.", "I see", "the net", "ASP.NET", "a .NET app", "#1!", "1", "first class"]
    assert apply_rules(rules, texts).answers == ["code", "", "", "", "code", "rank", "", "rank"]
    rules = read_rules(['way: "lange straße!", /ß/'])
    texts = ["Lange STRASSE!", "die lange \n\tStraße!", "langestraße", "lange strasse"]
    assert apply_rules(rules, texts).hits == [[0, 1], [1, 2]]


def test_the_unfinished_line_of_a_process_that_was_ended_is_ignored(monkeypatch):
    written = [b'"ready"\n[0, 1]\n[0, 10', b'"ready"\n[1]\n', b'"rea']

    def run(*arguments, **more):
        return SimpleNamespace(stdout=written.pop(0))

    monkeypatch.setattr("honeybayes.sources.rules.subprocess.run", run)
    rules = [Rule("a", each, True) for each in ("x", "y", "z")]
    found = apply_rules(rules, ["text", "other"])
    assert found.hits == [[0, 1], [], [1]]
    assert set(found.refused) == {1}
    with pytest.raises(RuntimeError, match="does not start"):
        apply_rules(rules, ["text"])


def test_many_blanks_are_read_at_once():
    """With a search that goes back, this takes hours."""
    blanks = " " * 100_000
    assert [rule.pattern for rule in read_rules([f"a: b{blanks},{blanks}, c"])] == ["b", "c"]
    with pytest.raises(ValueError, match="Line 1"):
        read_rules([f'a: b{blanks}"c"'])
