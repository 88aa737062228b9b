"""Small deterministic encoders for the tests."""

import zlib
from collections.abc import Sequence

import numpy as np

WIDTH = 16


def hash_words(texts: Sequence[str]) -> np.ndarray:
    """Return the sum of a random vector per word, which the word alone decides."""
    vectors = np.zeros((len(texts), WIDTH))
    for vector, text in zip(vectors, texts, strict=True):
        for word in text.lower().split():
            vector += np.random.default_rng(zlib.crc32(word.encode())).normal(size=WIDTH)
    return vectors


class PlainWordHasher:
    """`hash_words` as a method, without any state."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return hash_words(texts)

    def __repr__(self) -> str:  # without the address, which would differ in the names of tests
        return "PlainWordHasher()"


class WordHasher:
    """`hash_words` as a method, with a list of the texts that were encoded."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: list[str]) -> np.ndarray:
        self.encoded += texts
        return hash_words(texts)

    def __repr__(self) -> str:  # without the address, which would differ in the names of tests
        return "WordHasher()"
