"""TextVectorizer: counts of terms from raw text.

Words are numbered first, so stop words and stems cost nothing per token.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from honeybayes.text._analyzer import ATTRIBUTES, TextAnalyzer, WordCache
from honeybayes.text._detection import UNKNOWN, look_at
from honeybayes.utils.labels import is_auto
from honeybayes.utils.parameters import described_like, estimator
from honeybayes.utils.state import Instance, State, Strings
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import FromOne, TextInputMixin


class CountedWords:
    """The tokens of texts, numbered by first occurrence, and their terms.

    ``times`` is how often each word occurs that spells a term, or a part of it. ``names`` are the
    terms of the lengths that are asked for, by first occurrence.
    """

    def __init__(self, texts: Iterable[str], analyzer: TextAnalyzer) -> None:
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        self.numbers, self.lengths = _number_tokens(texts, analyzer, number)
        self.tokens = list(number)
        self.terms = [analyzer._term(token) for token in number]
        # not of several words; the lines of records may have spaces, too
        is_single = [analyzer.language == ATTRIBUTES or " " not in token for token in number]
        times = np.bincount(self.numbers, minlength=len(number)).tolist()
        counted = zip(number, self.terms, is_single, times, strict=True)
        self.times = {token: n for token, term, single, n in counted if term and single}
        self.to_count = self.terms
        if analyzer.ngram_range[0] > 1:
            found = zip(self.terms, is_single, strict=True)
            self.to_count = ["" if single else term for term, single in found]
        self.names = [term for term in dict.fromkeys(self.to_count) if term]

    def count_terms(self) -> tuple[np.ndarray, sparse.csr_matrix]:
        """Return the sorted terms, and their counts in each text.

        The entries of a row are in the order in which the corpus first used the terms, as from
        CountVectorizer, so that sums of floats are rounded in the same way.
        """
        names = self.names
        column_of = {"": -1} | {name: column for column, name in enumerate(names)}
        of_tokens = np.array([column_of[term] for term in self.to_count], dtype=np.int32)
        columns = of_tokens[self.numbers]
        rows = np.repeat(np.arange(len(self.lengths), dtype=np.int32), self.lengths)[columns >= 0]
        columns = columns[columns >= 0]
        ones, shape = np.ones(len(columns), dtype=np.int64), (len(self.lengths), len(names))
        counts = sparse.coo_matrix((ones, (rows, columns)), shape=shape).tocsr()
        by_name = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
        renamed = np.argsort(by_name).astype(np.int32)[counts.indices]
        sorted_terms = np.array(names, dtype=object)[by_name]
        return sorted_terms, sparse.csr_matrix((counts.data, renamed, counts.indptr), shape=shape)


def spell_terms(
    terms: Iterable[str], times: Mapping[str, int], analyzer: TextAnalyzer
) -> np.ndarray:
    """Return the most frequent spelling of each term; in a tie the shortest, then the last."""
    ranked = sorted(times, key=lambda word: (times[word], -len(word), word))
    best = {analyzer._terms[word]: word for word in ranked}
    spelled = [
        # one word, or a line, which may have spaces; otherwise several words
        best[term] if term in best else " ".join(best.get(part, part) for part in term.split(" "))
        for term in terms
    ]
    return np.array(spelled, dtype=object)


def _number_tokens(
    texts: Iterable[str], analyzer: TextAnalyzer, number: dict[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each token of all texts, and how many tokens each text has.

    Tokens are the words of a text, and then the terms of several words.
    """
    numbers, lengths = array("i"), []
    for text in texts:
        tokens = analyzer.words(text)
        if analyzer.ngram_range[1] > 1:
            single = [term for term in map(analyzer._terms.__getitem__, tokens) if term]
            tokens = tokens + analyzer._longer_terms(single)
        numbers.fromlist(list(map(number.__getitem__, tokens)))  # faster than extend
        lengths.append(len(tokens))
    return np.asarray(numbers), np.array(lengths)


# Outside of the estimators, whose attributes are all stored in model files.
_COLUMNS: WeakKeyDictionary[Any, tuple[np.ndarray, WordCache[int]]] = WeakKeyDictionary()


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
    clean_html: Any = "auto"

    fitted_attributes = State(
        terms_=Strings("terms"), spellings_=Strings("terms"), _analyzer=Instance(TextAnalyzer)
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the terms; y is ignored. `TermSelector` selects terms by labels."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> sparse.csr_matrix:
        """Learn the terms, and count them; y is ignored.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
        """
        self._check_parameters()
        texts = check_texts(X)
        is_settled = not (is_auto(self.language) or is_auto(self.clean_html))
        analyzer = self._new_analyzer(UNKNOWN if is_settled else look_at(texts))
        words = CountedWords(texts, analyzer)
        terms, counts = words.count_terms()
        in_documents = np.bincount(counts.indices, minlength=len(terms))
        if in_documents.max(initial=0) < self.min_df:
            spelled = spell_terms(terms, words.times, analyzer)
            documents = dict(zip(spelled, in_documents.tolist(), strict=True))
            raise ValueError(why_no_terms(len(texts), documents, analyzer, self.min_df))
        if self.min_df > 1:
            frequent = in_documents >= self.min_df
            counts, terms = counts[:, frequent], terms[frequent]
        self._analyzer, self.terms_ = analyzer, terms
        self.spellings_ = spell_terms(terms, words.times, analyzer)
        return counts

    @available_if(lambda self: self.min_df == 1)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Add the terms of more texts. New columns are appended after the old columns.

        Available with ``min_df=1``.
        """
        if not hasattr(self, "terms_"):
            return self.fit(X)
        if self._new_analyzer(self._analyzer) != self._analyzer:
            raise ValueError(
                "The vectorizer was fitted with other parameters: partial_fit continues with the "
                "same ones. Call fit to start again."
            )
        known, words = set(self.terms_), CountedWords(check_texts(X), self._analyzer)
        new = np.array([term for term in words.names if term not in known], dtype=object)
        spelled = spell_terms(new, words.times, self._analyzer)
        self.terms_ = np.append(self.terms_, new)
        self.spellings_ = np.append(self.spellings_, spelled)
        return self

    def transform(self, X: Any) -> sparse.csr_matrix:
        """Count the terms; unknown words are ignored.

        Returns
        -------
        csr_matrix of shape (n_samples, n_terms)
        """
        if not hasattr(self, "terms_"):  # which is faster than the check for one text
            check_is_fitted(self)
        texts, term_of = check_texts(X), self._analyzer._term
        terms, column_of = _COLUMNS.get(self, (None, None))
        if column_of is None or terms is not self.terms_:
            known = {term: column for column, term in enumerate(self.terms_)}
            column_of = WordCache(lambda token: known.get(term_of(token), -1))
            _COLUMNS[self] = self.terms_, column_of
        columns, lengths = _number_tokens(texts, self._analyzer, column_of)
        is_known, ends = columns >= 0, np.concatenate(([0], np.cumsum(lengths)))
        indptr, columns = np.concatenate(([0], np.cumsum(is_known)))[ends], columns[is_known]
        ones, shape = np.ones(len(columns), dtype=np.int64), (len(lengths), len(self.terms_))
        counts = sparse.csr_matrix((ones, columns, indptr), shape=shape)
        counts.sum_duplicates()
        return counts

    def build_analyzer(self) -> TextAnalyzer:
        """Return the function that splits a text into terms: that of the last call to ``fit``.

        Before ``fit``, it is built from the current parameters, without a language if it is "auto".
        """
        return self._analyzer if hasattr(self, "terms_") else self._new_analyzer()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the terms."""
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

    def _check_state(self) -> None:
        if len(set(self.terms_)) != len(self.terms_):
            raise ValueError("terms_ contains a term twice")


def why_no_terms(
    n_texts: int, documents: dict[str, int], analyzer: TextAnalyzer, min_df: int
) -> str:
    """Return a message; ``documents`` is the number of texts by the spelling of a term."""
    if documents:
        spelled = min(documents, key=lambda name: (-documents[name], name))
        most = f"{spelled!r}, occurs in only {documents[spelled]} of {n_texts}"
        return (
            f"No terms left: min_df={min_df} requires a term to occur in at least {min_df} "
            f"documents, and the most frequent term, {most}. Lower this number, or add documents."
        )
    no_words, advice = "digits, punctuation, single letters", "Use other texts"
    if analyzer.stop_words is not False:
        no_words += ", stop words"
        advice += ", or keep the stop words with stop_words=False"
    advice += ", or a lower ngram_range" if analyzer.ngram_range[0] > 1 else ""
    return f"No terms left in {n_texts} documents after removing {no_words}. {advice}."
