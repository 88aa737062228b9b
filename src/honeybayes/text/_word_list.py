"""Lists of words for people."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice

from honeybayes.text._analyzer import NO_SPACES

TERMS_PER_WORD = 5  # looked at in scripts without spaces: three characters, and their pairs


def list_words(ranked: Iterable[str], n: int, texts: Sequence[str] = ()) -> list[str]:
    """Return the first n words, of scripts without spaces no parts of words.

    Their terms are characters and pairs of these. Terms that a listed word contains are left out,
    and two that overlap become one word if they mostly stand together in the texts.
    """
    listed: list[str] = []
    count = cache(lambda part: sum(part in text for text in texts))
    for word in islice(ranked, TERMS_PER_WORD * n):
        place = len(listed)
        for at in reversed(range(len(listed))):
            if joined := _join(listed[at], word, count):
                word, place = joined, at
                del listed[at]
        listed.insert(place, word)
    return listed[:n]


def _join(one: str, two: str, count: Callable[[str], int]) -> str:
    """Return the word whose parts these are, or "" if they are different words."""
    if not (NO_SPACES.fullmatch(one) and NO_SPACES.fullmatch(two)):
        return ""
    if one in two or two in one:
        return max(one, two, key=len)
    for first, second in ((one, two), (two, one)):
        for n_shared in range(min(len(first), len(second)) - 1, 0, -1):
            if first.endswith(second[:n_shared]):
                joined = first + second[n_shared:]
                if 2 * count(joined) >= max(count(first), count(second), 1):
                    return joined
    return ""
