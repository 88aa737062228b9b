"""The bundled messages: what docs/corpora.md promises about them."""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest

QUEUES = [
    "billing",
    "delivery",
    "returns",
    "account access",
    "technical fault",
    "product question",
    "complaint",
    "cancellation",
]

CONTENT = files("honeybayes.tables").joinpath("messages.jsonl").read_bytes()
LINES = CONTENT.decode("utf-8", errors="strict").removesuffix("\n").split("\n")
MESSAGES = [json.loads(line) for line in LINES]
TEXTS = [message["text"] for message in MESSAGES]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower())


WORDS = [words(text) for text in TEXTS]


def runs(message: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(message[i : i + length]) for i in range(len(message) - length + 1))


def runs_with_a_slot(message: list[str], length: int) -> Iterator[tuple[str, ...]]:
    """Runs with one inner word left open, as a filled-in template has them."""
    for run in runs(message, length):
        for slot in range(1, length - 1):
            yield (*run[:slot], "...", *run[slot + 1 :])


def shared(find_runs, messages: list[list[str]], length: int) -> dict[str, list[int]]:
    """Runs that occur in more than one message, with the numbers of these messages."""
    numbers_of = defaultdict(set)
    for number, message in enumerate(messages):
        for run in find_runs(message, length):
            numbers_of[run].add(number)
    return {" ".join(run): sorted(found) for run, found in numbers_of.items() if len(found) > 1}


def alike(messages: list[list[str]], limit: float) -> list[tuple[int, int]]:
    """Pairs of messages whose sets of words have a Jaccard similarity above the limit."""
    return [
        (i, j)
        for (i, a), (j, b) in combinations(enumerate(map(set, messages)), 2)
        if len(a & b) > limit * len(a | b)
    ]


def test_the_checks_find_what_they_look_for():
    order, chair, other = map(
        words,
        [
            "I ordered a table last week and it isn't here",
            "I ordered a chair last week and it isn't here",
            "My order isn't here",
        ],
    )
    assert alike([order, other, chair], 0.5) == [(0, 2)]
    assert shared(runs, [order, other, chair], 6) == {"last week and it isn't here": [0, 2]}
    assert shared(runs_with_a_slot, [order[:6], chair[:6]], 6) == {
        "i ordered a ... last week": [0, 1]
    }
    assert not shared(runs, [order[:6], chair[:6]], 6)


def test_every_line_is_an_object_of_text_and_label():
    assert CONTENT.endswith(b"}\n")
    assert not CONTENT.startswith(b"\xef\xbb\xbf")
    assert all(list(message) == ["text", "label"] for message in MESSAGES)
    assert all(isinstance(text, str) and text == " ".join(text.split()) for text in TEXTS)


def test_each_queue_has_75_messages_in_the_documented_order():
    assert [message["label"] for message in MESSAGES] == [q for q in QUEUES for _ in range(75)]


def test_no_message_occurs_twice():
    assert max(Counter(map(tuple, WORDS)).values()) == 1


def test_lengths_vary_as_those_of_real_messages():
    lengths = [len(message) for message in WORDS]
    assert min(lengths) >= 4
    assert max(lengths) <= 100
    assert 22 <= median(lengths) <= 28
    assert sum(length < 10 for length in lengths) >= 30
    assert sum(length > 50 for length in lengths) >= 30


def test_no_two_messages_share_half_of_their_words():
    assert alike(WORDS, 0.5) == []


def test_no_two_messages_share_a_run_of_six_words():
    assert shared(runs, WORDS, 6) == {}


def test_no_template_with_a_slot_filled_in():
    assert shared(runs_with_a_slot, WORDS, 6) == {}


def test_openings_differ():
    openings = Counter(tuple(message[:3]) for message in WORDS)
    assert {" ".join(opening) for opening, times in openings.items() if times > 6} == set()


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(r"@", id="e-mail address"),
        pytest.param(r"\d{6}", id="long number"),
        pytest.param(r"\d[\d ()/-]{6,}\d", id="telephone number"),
        pytest.param(r"https?:|www\.", id="web address"),
        pytest.param(r"[^ -~£€]", id="odd character"),
    ],
)
def test_no_text_contains_an(trace):
    assert [text for text in TEXTS if re.search(trace, text)] == []


def test_the_page_quotes_the_corpus():
    root = Path(__file__).parents[2]
    page = root.joinpath("docs", "corpora.md").read_text("utf-8")
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    with root.joinpath("corpora", "messages", "ambiguous.csv").open(encoding="utf-8") as file:
        _, *ambiguous = csv.reader(file)
    assert len(ambiguous) == 54
    for line, opening, label, other in ambiguous:
        message = MESSAGES[int(line) - 1]
        assert message["text"].startswith(opening.removesuffix(" ..."))
        assert message["label"] == label
        assert other in set(QUEUES) - {label}
    examples = [row for row in cells if len(row) == 2 and row[1] in QUEUES]
    assert [label for _, label in examples] == QUEUES
    assert all({"text": text, "label": label} in MESSAGES for text, label in examples)
    counts = [row for row in cells if len(row) == 5 and row[0] in QUEUES]
    assert [row[0] for row in counts] == QUEUES
    for queue, _, messages, lengths, n_ambiguous in counts:
        sizes = [len(w) for w, m in zip(WORDS, MESSAGES, strict=True) if m["label"] == queue]
        assert len(sizes) == int(messages)
        assert f"{min(sizes)}, {int(median(sizes))}, {max(sizes)}" == lengths
        assert sum(label == queue for _, _, label, _ in ambiguous) == int(n_ambiguous)
