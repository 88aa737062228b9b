"""A sample of texts is the same for any split, and is what a sort of all digests gives."""

import pickle
import subprocess
import sys
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.scale import TextSample

texts_with_repeats = st.lists(st.text("aAbß \n", max_size=4), max_size=60)


def by_sorting(texts, size, seed):
    """Sort the digests of all texts, the definition."""
    smallest = {}
    for text in texts:
        plain = " ".join(text.casefold().split())
        key = seed.to_bytes(8, "little")
        digest = blake2b(plain.encode(), digest_size=8, key=key).digest()
        number = int.from_bytes(digest, "little")
        smallest[number] = min(text, smallest.get(number, text))
    return [smallest[number] for number in sorted(smallest)[:size]]


@given(texts_with_repeats, st.integers(1, 8), st.integers(0, 2**64 - 1), st.data())
def test_a_sample_is_the_start_of_all_sorted_digests(texts, size, seed, data):
    expected = by_sorting(texts, size, seed)
    assert TextSample(size, seed).add(texts).finish() == expected

    shuffled = data.draw(st.permutations(texts))
    ends = sorted(data.draw(st.lists(st.integers(0, len(texts)), max_size=4)))
    bounds = zip([0, *ends], [*ends, len(texts)], strict=True)
    parts = [TextSample(size, seed).add(shuffled[start:end]) for start, end in bounds]
    merged = TextSample(size, seed)
    for part in data.draw(st.permutations(parts)):
        assert len(part._kept) <= 2 * size
        merged.merge(pickle.loads(pickle.dumps(part)))  # as from another process
    assert len(merged._kept) <= 2 * size
    assert merged.finish() == merged.merge(merged).finish() == expected


def test_every_text_has_the_same_chance():
    texts = [f"text {number}" for number in range(10)]
    samples = [TextSample(5, seed).add(texts).finish() for seed in range(1000)]
    for text in texts:
        assert sum(text in sample for sample in samples) == pytest.approx(500, abs=80)  # 5 sigma


def test_a_sample_is_the_same_in_another_process():
    code = (
        "from honeybayes.scale import TextSample;"
        "print(TextSample(3).add([f'text {number}' for number in range(50)]).finish())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = TextSample(3).add([f"text {number}" for number in range(50)]).finish()
    assert done.stdout.strip() == repr(own)


def test_texts_keep_their_own_form():
    assert TextSample(5).add(["  Hello \n WORLD "]).finish() == ["  Hello \n WORLD "]
    assert TextSample(5).add(["hello world", "Hello  world"]).finish() == ["Hello  world"]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="size must be"):
        TextSample(0)
    with pytest.raises(ValueError, match="seed must be"):
        TextSample(3, seed=1.5)
    with pytest.raises(ValueError, match="got a single text"):
        TextSample(3).add("text")
    with pytest.raises(ValueError, match=r"texts\[1\] is not a text but None"):
        TextSample(3).add(["text", None])
    with pytest.raises(ValueError, match="Use the same size and seed"):
        TextSample(3).merge(TextSample(3, seed=1))
