"""TextVectorizer: counts of terms from raw text."""

from itertools import chain
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._detection import UNKNOWN, look_at
from honeybayes.text._selection import TermSelector
from honeybayes.text._term_counting import CountedWords, TermCounter
from honeybayes.utils.labels import is_auto
from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.state import Instance, State, Strings
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import FromOne, TextInputMixin

# Outside of the estimators, whose attributes are all stored in model files.
_COUNTERS: WeakKeyDictionary[Any, tuple[np.ndarray, TermCounter]] = WeakKeyDictionary()


@described_like(TextAnalyzer)
@estimator
class TextVectorizer(TextInputMixin, TransformerMixin, BaseEstimator):
    """Count the terms of raw texts: words, without stop words, stemmed.

    Parameters
    ----------
    language : str or None, default="auto"
        Language of the stop words and stems, as in `honeybayes.text.TextAnalyzer`. "auto" finds it
        in the texts of ``fit``, or of the first ``partial_fit``: see ``language_`` and
        `honeybayes.text.detect_language`. None, or a language that is not found, has no stop words
        and no stems.
    clean_html : "auto" or bool, default="auto"
        Remove tags, scripts and comments of HTML, and replace entities by their characters. "auto"
        does so if more than a fifth of the texts of ``fit`` contain a tag or an entity.
    min_df : int, default=1
        Leave out terms that occur in fewer than this number of documents.
    n_terms : int or None, default=None
        Number of terms to keep: the terms with the highest information gain. ``fit`` then requires
        y. None keeps all terms.

    Attributes
    ----------
    language_ : str or None
        The language that was given or found; None if it is unknown.
    terms_ : ndarray of str, shape (n_terms,)
        The terms, in the order of the columns.
    spellings_ : ndarray of str, shape (n_terms,)
        For each term, its most frequent spelling in the texts of ``fit``: "delivery" for
        "deliveri". After ``partial_fit``, the most frequent spelling in the first batch that
        contains the term.

    Examples
    --------
    >>> from honeybayes import TextVectorizer
    >>> vectorizer = TextVectorizer()
    >>> vectorizer.fit_transform(["Late deliveries", "My delivery is late", "Delivery"]).toarray()
    array([[1, 1],
           [1, 1],
           [1, 0]])
    >>> vectorizer.terms_, vectorizer.spellings_
    (array(['deliveri', 'late'], dtype=object), array(['delivery', 'late'], dtype=object))
    """

    language: str | None = "auto"
    stop_words: Any = True
    stem: bool = True
    min_df: FromOne = 1
    ngram_range: tuple[int, int] = (1, 1)
    n_terms: FromOne | None = None
    clean_html: Any = "auto"

    fitted_attributes = State(
        terms_=Strings("terms"), spellings_=Strings("terms"), _analyzer=Instance(TextAnalyzer)
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the terms.

        Parameters
        ----------
        y : array-like of shape (n_samples,), default=None
            Label of each text; only ``n_terms`` requires it.
        """
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> sparse.csr_matrix:
        """Learn the terms, and count them.

        Parameters
        ----------
        y : array-like of shape (n_samples,), default=None
            Label of each text; only ``n_terms`` requires it.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
        """
        self._check_parameters()
        texts = check_texts(X)
        is_settled = not (is_auto(self.language) or is_auto(self.clean_html))
        analyzer = self._new_analyzer(UNKNOWN if is_settled else look_at(texts))
        if self.n_terms is not None and y is None:
            raise ValueError(
                f"n_terms={self.n_terms} requires y to be passed, but the target y is None: terms "
                "are selected with the labels. Pass y, or set n_terms=None."
            )
        words = CountedWords(texts, analyzer)
        terms, counts = words.count_terms()
        in_documents = np.bincount(counts.indices, minlength=len(terms))
        if in_documents.max(initial=0) < self.min_df:
            documents = dict(zip(words.spell(terms), in_documents.tolist(), strict=True))
            raise ValueError(why_no_term_is_left(len(texts), documents, analyzer, self.min_df))
        if self.min_df > 1:
            frequent = in_documents >= self.min_df
            counts, terms = counts[:, frequent], terms[frequent]
        if self.n_terms is not None:
            selector = TermSelector(n_terms=self.n_terms).fit(counts, y)
            counts, terms = selector.transform(counts), terms[selector.get_support()]
        self._learn(analyzer, terms, words.spell(terms))
        return counts

    @available_if(lambda self: self.min_df == 1 and self.n_terms is None)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Add the terms of more texts. New columns are appended after the old columns.

        Available with ``min_df=1`` and ``n_terms=None``.

        Parameters
        ----------
        y : object, default=None
            Ignored.
        """
        if not hasattr(self, "terms_"):
            return self.fit(X)
        if self._new_analyzer(self._analyzer) != self._analyzer:
            raise ValueError(
                "The vectorizer was fitted with other parameters: partial_fit continues with the "
                "same ones. Call fit to start again."
            )
        texts, known = check_texts(X), self._counter.columns
        terms = chain.from_iterable(map(self._analyzer, texts))
        new = np.array([*dict.fromkeys(term for term in terms if term not in known)], dtype=object)
        spelled = CountedWords(texts, self._analyzer).spell(new)
        all_terms, spellings = np.append(self.terms_, new), np.append(self.spellings_, spelled)
        self._learn(self._analyzer, all_terms, spellings)
        return self

    def transform(self, X: Any) -> sparse.csr_matrix:
        """Count the terms; unknown words are ignored.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
        """
        if not hasattr(self, "terms_"):  # which is faster than the check for one text
            check_is_fitted(self)
        return self._counter(check_texts(X))

    def build_analyzer(self) -> TextAnalyzer:
        """Return the function that splits a text into terms.

        Returns
        -------
        TextAnalyzer
            The analyzer of the last call to ``fit``. Before ``fit``, an analyzer built from the
            current parameters, without a language if that is "auto".
        """
        return self._analyzer if hasattr(self, "terms_") else self._new_analyzer()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the terms.

        Returns
        -------
        ndarray of str, shape (n_terms,)
        """
        check_is_fitted(self)
        return self.terms_

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._new_analyzer()

    def settle(self, found: Any) -> Self:
        """Set parameters that are "auto" to those of an analyzer, or what was found in texts.

        Parameters
        ----------
        found : object
            Has a language and clean_html.
        """
        if is_auto(self.language):
            self.language = found.language
        if is_auto(self.clean_html):
            self.clean_html = found.clean_html
        return self

    @property
    def language_(self) -> str | None:
        """The language that was given or found."""
        check_is_fitted(self)
        return self._analyzer.language

    def _new_analyzer(self, found: Any = UNKNOWN) -> TextAnalyzer:
        """Return an analyzer; ``found``, perhaps another one, has what "auto" stands for."""
        return TextAnalyzer(
            language=found.language if is_auto(self.language) else self.language,
            stop_words=self.stop_words,
            stem=self.stem,
            ngram_range=self.ngram_range,
            clean_html=found.clean_html if is_auto(self.clean_html) else self.clean_html,
        )

    def _learn(self, analyzer: TextAnalyzer, terms: np.ndarray, spellings: np.ndarray) -> None:
        self._analyzer, self.terms_, self.spellings_ = analyzer, terms, spellings

    @property
    def _counter(self) -> TermCounter:
        """The object that counts the terms. It is built from them, not stored."""
        terms, counter = _COUNTERS.get(self, (None, None))
        if counter is None or terms is not self.terms_:
            counter = TermCounter(self.terms_, self._analyzer)
            _COUNTERS[self] = self.terms_, counter
        return counter

    def _check_state(self) -> None:
        if len(set(self.terms_)) != len(self.terms_):
            raise ValueError("terms_ contains a term twice")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.n_terms is not None
        tags.transformer_tags.preserves_dtype = []
        return tags


def why_no_term_is_left(
    n_texts: int, documents: dict[str, int], analyzer: TextAnalyzer, min_df: int
) -> str:
    """Return a message; ``documents`` is the number of texts by the spelling of a term."""
    if documents:
        spelled = min(documents, key=lambda name: (-documents[name], name))
        return (
            f"No terms left: min_df={min_df} requires a term to occur in at least {min_df} "
            f"documents, but the most frequent term, {spelled!r}, occurs in only "
            f"{documents[spelled]} of {n_texts}. Lower this number, or use more documents."
        )
    removed, advice = "digits, punctuation and single letters", ""
    if analyzer.stop_words is not False:
        removed = "digits, punctuation, single letters and stop words"
        advice = ", or keep the stop words with stop_words=False"
    if analyzer.ngram_range[0] > 1:
        advice += ", or a lower ngram_range"
    return (
        f"No terms left in {n_texts} documents after removing {removed}. Use other texts{advice}."
    )
