"""The headers of newsgroup messages, mails and web pages."""

import re
from collections.abc import Collection, Iterable
from typing import Any, Self

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from honeybayes.utils.state import State

# A name without spaces, a colon, and the rest, with indented lines that continue it.
FIELD = r"([!-9;-~]+):.*\n(?:[ \t]+\S.*\n)*"
# At least two fields, because a text can begin with a word and a colon.
HEADER = re.compile(rf"\A(?:{FIELD}){{2,}}(?=[ \t\r]*\n|\Z)")


# The output is a list of texts, which scikit-learn cannot wrap in a data frame.
class HeaderFilter(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    r"""Remove the header lines of messages and web pages, except the lines in ``keep``.

    A header is two or more lines such as ``Subject: lunch`` at the beginning of a text, up to a
    blank line. A text without a header is not changed. Header lines should be removed if they
    reveal the class: ``Newsgroups:`` always does, and the name in ``From:`` often does.

    Parameters
    ----------
    keep : collection of str, default=("from", "subject")
        Names of the header lines to keep, in upper or lower case.

    Examples
    --------
    >>> from honeybayes.text import HeaderFilter
    >>> message = "From: eve\nNewsgroups: sci.space\nSubject: Mars\n\nHow far is it?"
    >>> HeaderFilter(keep=["subject"]).transform([message])
    ['Subject: Mars\n\nHow far is it?']
    """

    fitted_attributes = State()

    def __init__(self, *, keep: Collection[str] = ("from", "subject")) -> None:
        self.keep = keep

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters; there is nothing to learn.

        Parameters
        ----------
        X : iterable of str
            The texts.
        y : object, default=None
            Ignored.

        Returns
        -------
        HeaderFilter
            This object.
        """
        self._check_parameters()
        return self

    def transform(self, X: Iterable[str]) -> list[str]:
        """Drop the header lines.

        Parameters
        ----------
        X : iterable of str
            The texts.

        Returns
        -------
        list of str
            The texts, without the header lines that are not in ``keep``.
        """
        self._check_parameters()
        kept = {name.lower() for name in self.keep}

        def kept_field(field: re.Match[str]) -> str:
            return field[0] if field[1].lower() in kept else ""

        texts = []
        for text in X:
            header = HEADER.match(text)
            end = header.end() if header else 0
            texts.append(re.sub(FIELD, kept_field, text[:end]) + text[end:])
        return texts

    def _check_parameters(self) -> None:
        if isinstance(self.keep, str) or not all(isinstance(name, str) for name in self.keep):
            raise ValueError(f"keep must be a collection of names, got {self.keep!r}.")

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names unchanged; texts have none, but a pipeline asks every step.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of columns.

        Returns
        -------
        array-like of str or None
            The same names.
        """
        return input_features

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags
