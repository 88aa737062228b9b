"""Class names and seed words as weights of terms."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from honeybayes.text._analyzer import NO_SPACES, TextAnalyzer, stop_words_of
from honeybayes.text.encoder import TextEncoder

SHORTEST_PREFIX = 3  # letters
SHORTEST_BEGINNING, MOST_CUT = 5, 3  # letters of a term that a word begins with, and those after it
NEW_WORD = re.compile(r"(?<=[^\W\d_])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")


def check_seeds(seeds: Any) -> dict[Any, str]:
    """Return the words of each class as one text that begins with the name of the class."""
    if not isinstance(seeds, Mapping):
        if not isinstance(seeds, list | tuple | set | frozenset | np.ndarray):
            raise ValueError(
                f"seeds must be a dict from classes to words, or a list of classes; got {seeds!r}."
            )
        seeds = dict.fromkeys(seeds.tolist() if isinstance(seeds, np.ndarray) else seeds)
    texts = {}
    for key, words in seeds.items():
        label = key.item() if isinstance(key, np.generic) else key
        is_class = isinstance(label, str | int | float) and not isinstance(label, bool)
        if not is_class or not str(label).strip():
            raise ValueError(f"seeds must have classes as keys, strings or numbers; got {label!r}.")
        listed = [words or ""] if words is None or isinstance(words, str) else words
        if not isinstance(listed, Iterable) or not all(isinstance(word, str) for word in listed):
            wanted = "words in a string or a list"
            raise ValueError(f"The seeds of class {label!r} must be {wanted}; got {words!r}.")
        texts[label] = " ".join([split_name(label), *listed]).strip()
    return texts


def split_name(label: Any) -> str:
    """Split the name of a class at signs and at capital letters: "sci.med", "machineLearning"."""
    # marks belong to words: most vowels of Hindi, Thai and Khmer are marks
    kept = (c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in str(label))
    return " ".join(NEW_WORD.sub(" ", "".join(kept)).split())


def match_seeds(
    texts: Mapping[Any, str], terms: Iterable[str], analyzer: TextAnalyzer
) -> tuple[dict[Any, np.ndarray], dict[Any, list[str]]]:
    """Turn seed words into weights of terms.

    A word that m of k classes share has the weight 1 - log m / log k. A word that is no term stands
    for all terms that begin with it ("med": medicine, medical), in equal parts, or else for the
    longest term that it begins with ("delivery": "deliv", the stem of delivered). Words that the
    analyzer leaves out, such as stop words, are ignored. Stop words are never missing. A run of a
    script without spaces is missing if none of its pairs of characters is a term.
    """
    column = {term: index for index, term in enumerate(terms)}
    analyzer = replace(analyzer, ngram_range=(1, 1))
    words_of = {
        label: {term: word for word in analyzer.words(text) for term in analyzer.terms([word])}
        for label, text in texts.items()
    }
    n_shared = Counter(term for words in words_of.values() for term in words)
    weights = {label: np.zeros(len(column)) for label in texts}
    missing = {}
    for label, words in words_of.items():
        absent = set()
        for term, word in words.items():
            found = [column[term]] if term in column else []
            if not found and len(word) >= SHORTEST_PREFIX:
                found = [index for known, index in column.items() if known.startswith(word)]
            if not found:
                shortest = max(SHORTEST_BEGINNING, len(term) - MOST_CUT)
                beginnings = (term[:end] for end in range(len(term) - 1, shortest - 1, -1))
                found = [column[each] for each in beginnings if each in column][:1]
            if not found:
                absent.add(word)
                continue
            weight = 1 - np.log(n_shared[term]) / np.log(max(len(texts), 2))
            weights[label][found] = np.maximum(weights[label][found], weight / len(found))
        absent -= stop_words_of(analyzer.language)
        runs = dict(_join_runs(analyzer.words(texts[label])))
        missing[label] = [run for run, parts in runs.items() if absent.issuperset(parts)]
    return weights, missing


def _join_runs(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each word; of a run of a script without spaces, the whole run and its pairs."""
    start = 0
    while start < len(words):
        end = start + 1
        if NO_SPACES.match(words[start]):  # a character, a pair, a character, a pair, ...
            while end + 1 < len(words) and words[end] == words[end - 1] + words[end + 1]:
                end += 2
        yield "".join(words[start:end:2]), words[start + 1 : end : 2] or words[start:end]
        start = end


def encode_names(classes: np.ndarray, encoder: TextEncoder, n_dense: int) -> dict[Any, np.ndarray]:
    """Return the vectors of the names of classes, followed by zeros for other dense features.

    It is empty without a class, and if a class has a name without a word of two letters, such as a
    number: then names mean nothing.
    """
    names = {label: split_name(label) for label in classes.tolist()}
    if not names or not all(TWO_LETTERS.search(name) for name in names.values()):
        return {}
    vectors = encoder.fit_transform(list(names.values()))
    padded = np.pad(vectors, ((0, 0), (0, n_dense - vectors.shape[1])))
    return dict(zip(names, padded, strict=True))


def append_vectors(
    seeds: Mapping[Any, np.ndarray], texts: Mapping[Any, str], encoder: TextEncoder
) -> dict[Any, np.ndarray]:
    """Add the vector of its name and words to the seeds of each class, each word once.

    A repeated name ("world: world war") would have another vector.
    """
    words_of = [{word.lower(): word for word in text.split()[::-1]} for text in texts.values()]
    vectors = encoder.transform([" ".join([*words.values()][::-1]) for words in words_of])
    return {
        label: np.concatenate([seeds[label], vector])
        for label, vector in zip(texts, vectors, strict=True)
    }
