"""A sample of texts that does not depend on how the texts are split, ordered or distributed."""

from typing import Any, Self

from honeybayes.utils.parameters import documented
from honeybayes.utils.texts import check_texts, digest_texts
from honeybayes.utils.validation import check_integer


@documented
class TextSample:
    """A random sample of texts that come in parts.

    Each text has a random number: a digest of the text and the seed. The sample is the texts with
    the smallest numbers. So it is the same for any split into parts, any order of the texts, and in
    any process, and every text has the same chance to be in it.

    Texts that differ only in upper and lower case or in white space count as one text, however
    often they occur. The one that comes first in the order of strings stays.

    Parameters
    ----------
    size : int
        Largest number of texts in the sample, 1 or more. Not more than twice as many are kept in
        memory, besides the part that is added.
    seed : int, default=0
        Another seed gives another sample.

    Examples
    --------
    >>> from honeybayes.scale import TextSample
    >>> one = TextSample(2).add(["cheap pills", "see you at noon"])
    >>> other = TextSample(2).add(["see you at noon", "minutes of the meeting"])
    >>> one.merge(other).finish()
    ['see you at noon', 'cheap pills']
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        check_integer("size", size, least=1)
        check_integer("seed", seed)
        self.size, self.seed = size, seed
        self._kept: dict[int, str] = {}  # texts by their digests
        self._below = 2**64  # no digest of the sample is as large

    def add(self, texts: Any) -> Self:
        """Add texts.

        Parameters
        ----------
        texts : array-like of str
            A part of the texts. It may be empty.
        """
        checked = check_texts(texts, "texts", allow_empty=True)
        for digest, text in zip(digest_texts(checked, self.seed).tolist(), checked, strict=True):
            self._keep(digest, text)
        return self

    def merge(self, other: "TextSample") -> Self:
        """Add the texts of another sample of the same size and seed.

        Parameters
        ----------
        other : TextSample
            It is not changed.
        """
        if (other.size, other.seed) != (self.size, self.seed):
            raise ValueError(
                f"A sample of size {other.size} and seed {other.seed} cannot be merged with one of "
                f"size {self.size} and seed {self.seed}. Use the same size and seed for all parts."
            )
        for digest, text in list(other._kept.items()):
            self._keep(digest, text)
        return self

    def finish(self) -> list[str]:
        """Return the sample.

        Returns
        -------
        list of str
            At most ``size`` different texts, in the order of their random numbers.
        """
        return [self._kept[digest] for digest in self._smallest()]

    def _keep(self, digest: int, text: str) -> None:
        if digest < self._below:
            self._kept[digest] = min(text, self._kept.get(digest, text))
            if len(self._kept) > 2 * self.size:
                smallest = self._smallest()
                self._kept = {each: self._kept[each] for each in smallest}
                self._below = smallest[-1] + 1

    def _smallest(self) -> list[int]:
        return sorted(self._kept)[: self.size]
