"""Class names and seed words as weights of terms."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from honeybayes.text._analyzer import TextAnalyzer

SHORTEST_PREFIX = 3  # letters
# names are split at signs and at capital letters: "sci.med", "machineLearning"
NEW_WORD = re.compile(r"(?<=[^\W\d_])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])|[\W_]+")


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
            raise ValueError(
                f"The seeds of class {label!r} must be words in a string or a list; got {words!r}."
            )
        name = NEW_WORD.sub(" ", str(label)).strip()
        texts[label] = " ".join([name, *listed]).strip()
    return texts


def match_seeds(
    texts: Mapping[Any, str], terms: Iterable[str], analyzer: TextAnalyzer
) -> tuple[dict[Any, np.ndarray], dict[Any, list[str]]]:
    """Turn seed words into weights of terms.

    A word that m of k classes share has the weight 1 - log m / log k. A word that is no term stands
    for all terms that begin with it ("med": medicine, medical), in equal parts. Words that the
    analyzer leaves out, such as stop words, are ignored.
    """
    column = {term: index for index, term in enumerate(terms)}
    analyzer = replace(analyzer, ngram_range=(1, 1))
    words_of = {
        label: {term: word for word in analyzer.words(text) for term in analyzer.terms([word])}
        for label, text in texts.items()
    }
    n_shared = Counter(term for words in words_of.values() for term in words)
    weights = {label: np.zeros(len(column)) for label in texts}
    missing: dict[Any, list[str]] = {label: [] for label in texts}
    for label, words in words_of.items():
        for term, word in words.items():
            found = [column[term]] if term in column else []
            if not found and len(word) >= SHORTEST_PREFIX:
                found = [index for known, index in column.items() if known.startswith(word)]
            if not found:
                missing[label].append(word)
                continue
            weight = 1 - np.log(n_shared[term]) / np.log(max(len(texts), 2))
            weights[label][found] = np.maximum(weights[label][found], weight / len(found))
    return weights, missing
