"""Short digests of texts, by which a model knows its training texts without holding them.

Texts that differ only in upper and lower case or in white space have the same digest. The salt
makes the digests of two models different, so that one table of digests does not serve for all.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

MAX_DIGESTS = 100_000
N_BYTES = 8


def make_digests(texts: Sequence[str]) -> tuple[int, NDArray[np.uint64]]:
    """Return a salt and the digests; the same texts give the same salt, so fits are repeatable."""
    together = blake2b(b"\0".join(map(_encode, texts)), digest_size=N_BYTES)
    salt = int.from_bytes(together.digest(), "little") >> 1  # fits in int64
    return salt, add_digests(np.zeros(0, dtype=np.uint64), digest_texts(texts, salt))


def digest_texts(texts: Iterable[str], salt: int) -> NDArray[np.uint64]:
    """Return a digest of 64 bits for each text."""
    key = (salt % 2 ** (8 * N_BYTES)).to_bytes(N_BYTES, "little")
    digests = [blake2b(_encode(text), digest_size=N_BYTES, key=key).digest() for text in texts]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def add_digests(known: NDArray[np.uint64], new: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return sorted digests without repetitions; new ones only as long as there is room."""
    new = np.setdiff1d(new, known)
    return np.union1d(known, new[: MAX_DIGESTS - len(known)])


def _encode(text: str) -> bytes:
    return " ".join(text.casefold().split()).encode("utf-8", "surrogatepass")
