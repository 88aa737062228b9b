"""From the texts of a corpus to the matrix that the models of a paper were given."""

import re
import zlib
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from honeybayes.tables import Corpus
from honeybayes.text import TermSelector, TextAnalyzer
from reproduction.corpora import load_corpus
from reproduction.headers import filter_headers, same_names
from reproduction.rules import LANGUAGES, describe_paper

MIN_DOCUMENTS = 3
N_TERMS = 2000
TAG = re.compile(r"<[^>]*>")
# The header lines that are kept, and whether presence replaces counts. hmnb uses published counts.
STEPS = {
    "honb-2009": (("subject",), True),
    "honb-tkde": (("from", "subject"), True),
    "hos-2012": (("from", "subject"), False),
    "ihosk-2014": (("from", "subject"), False),
    "hmnb": None,
}


class OftenEnough(SelectorMixin, BaseEstimator):
    """Keep the terms that occur three times or more, in one document or in several."""

    def fit(self, X: Any, y: Any = None) -> "OftenEnough":
        """Count the occurrences of each term."""
        self.kept_ = np.asarray(X.sum(axis=0)).ravel() >= MIN_DOCUMENTS
        self.n_features_in_ = X.shape[1]
        return self

    def _get_support_mask(self) -> np.ndarray:
        return self.kept_


def paper_preprocessing(
    paper: str,
    language: str = "english",
    stem: bool = True,
    digits: bool = False,
    occurrences: bool = False,
    weka_gain: bool = False,
) -> Pipeline:
    """Return the steps from raw text to a matrix of terms that a paper used, not fitted.

    ``headers`` keeps some header lines, ``counts`` counts the terms that are in three or more
    documents, ``terms`` keeps the 2,000 terms with the highest information gain. With ``digits``,
    words may contain them. With ``occurrences``, three in one document are enough. ``weka_gain`` is
    the gain of WEKA. The rule of a paper says which datasets these are for. The papers fitted the
    steps to all documents, so the choice of terms saw the labels of the test documents. In a
    pipeline with a model, the steps see the training documents only.

    Examples
    --------
    >>> from reproduction.preprocessing import paper_preprocessing
    >>> chain = paper_preprocessing("hos-2012")
    >>> texts = ["red apples", "red plums", "a red apple", "blue seas", "blue sea", "blue apple"]
    >>> chain.fit_transform(texts, [0, 0, 0, 1, 1, 1]).toarray()[0].tolist()
    [1, 0, 1]
    >>> chain.get_feature_names_out().tolist()
    ['appl', 'blue', 'red']
    """
    describe_paper(paper)  # raises if there is no such paper
    steps = STEPS[paper]
    if steps is None:
        return Pipeline([("counts", "passthrough")])
    headers, binary = steps
    analyzer = TextAnalyzer(language=language, stem=stem, digits=digits)
    filtering = FunctionTransformer(
        filter_headers, kw_args={"keep": headers}, feature_names_out=same_names
    )
    counts = CountVectorizer(
        analyzer=analyzer, min_df=1 if occurrences else MIN_DOCUMENTS, binary=binary
    )
    score = "weka-gain" if weka_gain else "information-gain"
    return Pipeline(
        [
            ("headers", filtering),
            ("counts", counts),
            *([("often", OftenEnough())] if occurrences else []),
            ("terms", TermSelector(score_func=score, n_terms=N_TERMS)),
        ]
    )


def prepare(paper: str, dataset: str, seed: int = 0) -> Corpus:
    """Load a dataset of a paper as its models were given it, before any split.

    The choice of terms sees all labels, including those of the later test documents. Results are
    for comparison with the paper only: they are too high for every model.
    """
    rule = describe_paper(paper)
    if dataset not in rule.corpora:
        raise ValueError(f"{paper} has no dataset {dataset!r}; it has {', '.join(rule.corpora)}.")
    corpus = load_corpus(rule.corpora[dataset])
    if isinstance(corpus.documents, list):
        language = LANGUAGES.get(corpus.name, "english")
        chain = paper_preprocessing(
            rule.chain or paper,
            language,
            stem=dataset not in rule.unstemmed,
            digits=dataset in rule.digits,
            occurrences=dataset in rule.occurrences,
            weka_gain=dataset in rule.weka_gain,
        )
        if dataset in rule.to_blank_line:
            texts = [text.partition("\n\n")[2] or text for text in corpus.documents]
            corpus = Corpus(corpus.name, texts, corpus.labels)
        if dataset in rule.all_headers:
            chain = chain[1:]
        if dataset in rule.without_tags:
            texts = [TAG.sub(" ", text) for text in corpus.documents]
            corpus = Corpus(corpus.name, texts, corpus.labels)
        corpus = count_terms(corpus, chain)
    if dataset in rule.drawn:
        classes = rule.only_classes.get(dataset, corpus.classes)
        corpus = draw(corpus.keep_classes(classes), rule.draw, seed)
    return corpus


def prepare_otherwise(paper: str, name: str, **parameters: Any) -> Corpus:
    """Draw 500 documents per newsgroup after the steps of a paper with other parameters.

    Unlike `prepare`, this does not follow the rule of the paper. A corpus that is published as a
    matrix is returned as it is.
    """
    corpus = load_corpus(name)
    if not isinstance(corpus.documents, list):
        return corpus
    return draw(count_terms(corpus, paper_preprocessing(paper).set_params(**parameters)), 500, 0)


def count_terms(corpus: Corpus, chain: Pipeline) -> Corpus:
    """Apply preprocessing steps, fitted to all documents."""
    X = chain.fit_transform(corpus.documents, corpus.labels)
    return Corpus(corpus.name, sparse.csr_array(X), corpus.labels)


def draw(corpus: Corpus, per_class: int | None, seed: int) -> Corpus:
    """Draw documents of each class; which ones depends on the seed and the name of the corpus."""
    assert per_class is not None
    return corpus.draw(per_class, seed=zlib.crc32(repr((seed, corpus.name)).encode()))
