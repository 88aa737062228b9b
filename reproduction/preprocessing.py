"""From the texts of a corpus to the matrix that the models of a paper were given."""

import re
import zlib
from typing import Any

from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
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


def paper_preprocessing(
    paper: str, language: str = "english", stem: bool = True, digits: bool = False
) -> Pipeline:
    """Return the steps from raw text to a matrix of terms that a paper used, not fitted.

    ``headers`` keeps some header lines, ``counts`` counts the terms that are in three or more
    documents, ``terms`` keeps the 2,000 terms with the highest information gain. With ``digits``,
    words may contain them; the rule of a paper says for which datasets. The papers fitted
    the steps to all documents, so the choice of terms saw the labels of the test documents. In a
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
    counts = CountVectorizer(analyzer=analyzer, min_df=MIN_DOCUMENTS, binary=binary)
    return Pipeline(
        [
            ("headers", filtering),
            ("counts", counts),
            ("terms", TermSelector(n_terms=N_TERMS)),
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
    if dataset in rule.drawn_first:
        corpus = draw(corpus.keep_classes(rule.drawn_first[dataset]), rule.draw, seed)
    if isinstance(corpus.documents, list):
        language = LANGUAGES.get(corpus.name, "english")
        chain = paper_preprocessing(
            rule.chain or paper,
            language,
            stem=dataset not in rule.unstemmed,
            digits=dataset in rule.digits,
        )
        if dataset in rule.all_headers:
            chain = chain[1:]
        if dataset in rule.without_tags:
            texts = [TAG.sub(" ", text) for text in corpus.documents]
            corpus = Corpus(corpus.name, texts, corpus.labels)
        corpus = count_terms(corpus, chain)
    if dataset in rule.drawn:
        corpus = draw(corpus, rule.draw, seed)
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
