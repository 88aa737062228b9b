"""What scripts that measure accuracy share: whole files, repeatable random numbers, documents."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.data import Corpus, load_corpus
from honeybayes.evaluate._records import rewrite_results, write_whole
from honeybayes.evaluate._splits import draw_from_each_class, random_for
from honeybayes.text import paper_preprocessing

__all__ = ["draw_documents", "random_for", "rewrite_results", "write_whole"]


def draw_documents(paper: str, name: str, **parameters: Any) -> Corpus:
    """500 documents of each newsgroup after the chain of a paper with other parameters.

    `honeybayes.papers.prepare` follows the rule of the paper; this is for leaving it. Published
    matrices are taken as they are.
    """
    corpus = load_corpus(name)
    X, y = corpus.documents, corpus.labels
    if isinstance(X, list):
        X = paper_preprocessing(paper).set_params(**parameters).fit_transform(X, y)
        rows, _ = draw_from_each_class(y, lambda n: 500, random_for(0, name))
        X, y = X[rows], y[rows]
    return Corpus(name, sparse.csr_array(X), np.asarray(y))
