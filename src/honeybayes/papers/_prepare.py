"""From a corpus of a paper to the matrix that its models were given."""

import re

import numpy as np
from scipy import sparse

from honeybayes.data import Corpus, load_corpus
from honeybayes.evaluate._splits import draw_from_each_class, random_for
from honeybayes.papers._rules import LANGUAGES, describe_paper
from honeybayes.text import paper_preprocessing

TAG = re.compile(r"<[^>]*>")


def prepare(paper: str, dataset: str, seed: int = 0) -> Corpus:
    """Load a dataset of a paper as the paper's models were given it, before any split.

    The choice of terms sees all labels, those of the later test part included: the figures that
    come of it are for comparing with the paper, and flatter every model.

    Parameters
    ----------
    paper : str
        One of `list_papers`.
    dataset : str
        As the paper calls it.
    seed : int, default=0
        For the papers that draw 500 documents of each class.

    Returns
    -------
    Corpus
        Of counts or presence.
    """
    rule = describe_paper(paper)
    if dataset not in rule.corpora:
        raise ValueError(f"{paper} has no dataset {dataset!r}; it has {', '.join(rule.corpora)}.")
    corpus = load_corpus(rule.corpora[dataset])
    X, y = corpus.documents, corpus.labels
    if dataset in rule.drawn_first:
        taken = np.flatnonzero(np.isin(y, rule.drawn_first[dataset]))
        rows, _ = draw_from_each_class(y[taken], lambda n: rule.draw, random_for(seed, corpus.name))
        X, y = [X[row] for row in taken[rows]], y[taken[rows]]
    if isinstance(X, list):
        language = LANGUAGES.get(corpus.name, "english")
        chain = paper_preprocessing(rule.chain or paper, language)
        if dataset in rule.all_headers:
            chain = chain[1:]
        if dataset in rule.without_tags:
            X = [TAG.sub(" ", text) for text in X]
        X = sparse.csr_array(chain.fit_transform(X, y))
    if dataset in rule.drawn:
        rows, _ = draw_from_each_class(y, lambda n: rule.draw, random_for(seed, corpus.name))
        X, y = X[rows], y[rows]
    return Corpus(corpus.name, sparse.csr_array(X), np.asarray(y))
