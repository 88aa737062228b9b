"""From text to the terms that each paper used."""

from dataclasses import dataclass

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import Pipeline

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._headers import HeaderFilter
from honeybayes.text._selection import TermSelector

MIN_DOCUMENTS = 3
N_TERMS = 2000


@dataclass(frozen=True)
class _Chain:
    """Where the papers differ: header lines that stay, and presence or counts of terms."""

    headers: tuple[str, ...]
    binary: bool


# None for a paper that takes published counts as they are.
_CHAINS = {
    "honb-2009": _Chain(("subject",), binary=True),
    "honb-tkde": _Chain(("from", "subject"), binary=True),
    "hos-2012": _Chain(("from", "subject"), binary=False),
    "ihosk-2014": _Chain(("from", "subject"), binary=False),
    "hmnb": None,
}


def paper_preprocessing(paper: str, language: str = "english", stem: bool = True) -> Pipeline:
    """Return the way from raw text to a matrix of terms that a paper took.

    The steps are ``headers`` (:class:`HeaderFilter`), ``counts``
    (:class:`~sklearn.feature_extraction.text.CountVectorizer` with a :class:`TextAnalyzer`, terms
    in three or more documents) and ``terms`` (:class:`TermSelector`, the 2,000 best by information
    gain).

    Parameters
    ----------
    paper : {"honb-2009", "honb-tkde", "hos-2012", "ihosk-2014", "hmnb"}
        ``honb-2009`` drops ``From:``, the reading that fits its tables; the others keep ``From:``
        and ``Subject:``. The two HONB papers record the presence of a term, the others its count.
        ``hmnb`` takes published counts as they are: its chain passes a matrix through.
    language : str, default="english"
        ``"turkish"`` for 1150Haber.
    stem : bool, default=True
        False for a corpus that is published stemmed, WebKB4.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Not fitted. The papers fitted it to all documents, so that the choice of terms saw the
        labels of the test part; in a pipeline with a model, it sees the training part alone.

    Examples
    --------
    >>> from honeybayes.text import paper_preprocessing
    >>> chain = paper_preprocessing("hos-2012")
    >>> list(chain.named_steps)
    ['headers', 'counts', 'terms']
    >>> texts = ["red apples", "red plums", "a red apple", "blue seas", "blue sea", "blue apple"]
    >>> chain.fit_transform(texts, [0, 0, 0, 1, 1, 1]).toarray()[0].tolist()
    [1, 0, 1]
    >>> chain.get_feature_names_out().tolist()
    ['appl', 'blue', 'red']
    """
    if paper not in _CHAINS:
        raise ValueError(f"Unknown paper {paper!r}. The papers are: {', '.join(_CHAINS)}.")
    chain = _CHAINS[paper]
    if chain is None:
        return Pipeline([("counts", "passthrough")])
    analyzer = TextAnalyzer(language=language, stem=stem)
    return Pipeline(
        [
            ("headers", HeaderFilter(keep=chain.headers)),
            (
                "counts",
                CountVectorizer(analyzer=analyzer, min_df=MIN_DOCUMENTS, binary=chain.binary),
            ),
            ("terms", TermSelector(n_terms=N_TERMS)),
        ]
    )
