"""The corpora of the papers: where each is published, which file holds it, what must be in it.

``python -m reproduction.corpora`` prints them all. The files are searched for in the folder that
HONEYBAYES_DATA names, then in the cache folder of honeybayes.
"""

import hashlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse

from honeybayes.tables import Corpus, find_data_file, read_corpus
from honeybayes.utils.messages import did_you_mean
from reproduction.readers import read_linqs, read_npz


@dataclass(frozen=True)
class Source:
    """A published collection.

    ``files`` are the accepted file names: the format used here first, then the publisher's own.
    ``openml`` is its name on OpenML, from where scikit-learn can fetch it.
    """

    summary: str
    published: str
    citation: str
    files: tuple[str, ...]
    openml: str = ""


@dataclass(frozen=True)
class Entry:
    """A corpus: a source, what it must contain, and the part that is used.

    ``only`` names the classes to keep (all if empty); ``per_class`` documents of each are drawn.
    """

    source: Source
    documents: int
    classes: int
    terms: int | None = None
    part: str = ""
    only: tuple[str, ...] = ()
    per_class: int | None = None


# Of the files on which the recorded results were measured.
SHA256 = {
    "1150haber.jsonl.gz": "f1e343a6618ed346c8ee4c38d89728020574fff2c4b6b7a6a0b20174b90d5caa",
    "20news-18828.jsonl.gz": "4e80dacb2ab1d805f0961c576b6c2a6ae3543931c516608a5d1a39c665622ae9",
    "linqs-citeseer.npz": "2baee102f18fa70f1aa7746cfffe3fa2550e570659f76f321b773f28756a6da3",
    "linqs-cora.npz": "c688fe31e0c222d288816c896da0175f7a7195e7cdb2561f77e5a63f14abde3d",
    "linqs-webkb.npz": "4042461f813c3f789403d8065d8f28de1586a5e3a66680fbe74162e4daa02262",
    "mini-newsgroups.jsonl.gz": "5bee5c052f5d7e443427866228bf5e7a3d19fdb8d9f87b69b262b2637887655a",
    "wc-fbis.npz": "989a998f13b1c5c6d6e7ec9514c9832b5f22f4c2832a0845ce54ebbd6ee20c81",
    "wc-la1.npz": "7ed3324b3ef7bbe45d17506e579d35d9adde9fe398c60f7125f7853aae38de20",
    "wc-la1s.npz": "5ba155b5113357482065629e98ef68907337864e9e5f055d045ac7795e94c9bc",
    "wc-la2.npz": "6fdf0c19629e99a09e02cec3f5688f915f4cd7de2872c1b86dc51f74c5206f24",
    "wc-la2s.npz": "b56ad49b74be0945f85ce1a8ef3f128987f2e264617ad30a5d8011081b64ba39",
    "wc-oh0.npz": "6072a4c6030924a18b596566264f0c9639a3c3f385cfdb191d4beff1ed094546",
    "wc-oh10.npz": "8e5db78800238a95aaa6cdbd3312c0fc6a5ea81fc938db3060556e6c93c04342",
    "wc-oh15.npz": "dd18861ae45c573df316e3a8a66d2c66808f7196377015d59eee85a9a9e31124",
    "wc-oh5.npz": "1d6f5c0e09d3fd12fc548d47414c6929484b8cd34810ff2646ec70a779fa3003",
    "wc-ohscal.npz": "a10d32687a0b988d79fd13a88d041d122d6a8250d82a42a72f5581cef55554d6",
    "wc-re0.npz": "429feefeec411781b3d4732622e27138ab67ff714195ce769c4c1943c2620e68",
    "wc-re1.npz": "4f6ee14ca6cc41fbb8f35650385fad56e38655ec2e78fae229ec3a3d0ca321fd",
    "wc-wap.npz": "69ef4b065c8cb06bff46bcdb284361856ec1fd2d75f80b3af69d96bad3de7260",
    "webkb-pages.jsonl.gz": "6191b72c917a3bd4d75a29041eb2e2b9dc5a71a1efd96829156141087e0f4974",
    "webkb4-stemmed.jsonl.gz": "5088cd9c0b1f073ae23e34b860d0074b203f54a6f87173342320550717c58790",
}

_NEWS_PAGE = "the 20 Newsgroups page of Jason Rennie, http://qwone.com/~jason/20Newsgroups/"
_WEBKB_PAGE = "CMU World Wide Knowledge Base project, http://www.cs.cmu.edu/~webkb/"
_LINQS_PAGE = "LINQS, University of California, Santa Cruz, https://linqs.org/datasets/"
_CLUTO_PAGE = "the data sets of CLUTO, Karypis Lab, University of Minnesota"
_LANG = (
    "Lang, K. (1995). NewsWeeder: Learning to filter netnews. Proceedings of the 12th "
    "International Conference on Machine Learning, 331-339."
)
_CRAVEN = (
    "Craven, M. et al. (1998). Learning to extract symbolic knowledge from the World Wide Web. "
    "Proceedings of the 15th National Conference on Artificial Intelligence, 509-516."
)
_SEN = (
    "Sen, P. et al. (2008). Collective classification in network data. AI Magazine 29(3), 93-106."
)
_HAN = (
    "Han, E.-H. and Karypis, G. (2000). Centroid-based document classification: Analysis and "
    "experimental results. Principles of Data Mining and Knowledge Discovery, 424-431."
)

_NEWS = Source(
    "20 Newsgroups without cross-posts",
    f"{_NEWS_PAGE}, as 20news-18828",
    _LANG,
    ("20news-18828.jsonl.gz", "20news-18828"),
)
_MINI_NEWS = Source(
    "100 messages of each of the 20 newsgroups, with all headers",
    "UCI Machine Learning Repository, Twenty Newsgroups, as mini_newsgroups",
    _LANG,
    ("mini-newsgroups.jsonl.gz", "mini_newsgroups"),
)
_WEBKB_PAGES = Source(
    "WebKB, pages of four universities with their HTTP headers and HTML",
    f"{_WEBKB_PAGE}, as The 4 Universities Data Set",
    _CRAVEN,
    ("webkb-pages.jsonl.gz", "webkb"),
)
_WEBKB4 = Source(
    "WebKB, four classes, stemmed",
    "Ana Cardoso-Cachopo's page Datasets for single-label text categorization",
    "Cardoso-Cachopo, A. (2007). Improving methods for single-label text categorization. PhD "
    "thesis, Universidade Tecnica de Lisboa.",
    ("webkb4-stemmed.jsonl.gz",),
)
_HABER = Source(
    "Turkish news",
    "the Kemik natural language processing group, Yildiz Technical University, as 1150haber",
    "Amasyali, M. F. and Beken, A. (2009). Measurement of Turkish word semantic similarity and "
    "text categorization application. IEEE Signal Processing and Communications Applications "
    "Conference (SIU).",
    ("1150haber.jsonl.gz",),
)
_CORA = Source(
    "papers on machine learning, presence of words",
    f"{_LINQS_PAGE}, as cora",
    _SEN,
    ("linqs-cora.npz", "cora.content"),
)
_CITESEER = Source(
    "papers on computer science, presence of words",
    f"{_LINQS_PAGE}, as citeseer",
    _SEN,
    ("linqs-citeseer.npz", "citeseer.content"),
)
_WEBKB_LINKED = Source(
    "WebKB, linked pages of four universities, presence of words",
    f"{_LINQS_PAGE}, as WebKB",
    _SEN,
    ("linqs-webkb.npz",),
)
_LA = "TREC, Los Angeles Times, counts of words"
_LA1 = Source(_LA, f"{_CLUTO_PAGE}, as la1", _HAN, ("wc-la1.npz",))
_LA2 = Source(_LA, f"{_CLUTO_PAGE}, as la2", _HAN, ("wc-la2.npz",))


def _counts(name: str, summary: str, documents: int, classes: int, terms: int) -> Entry:
    """One of the word count corpora that the WEKA project publishes."""
    source = Source(
        f"{summary}, counts of words",
        f"the WEKA project, text data sets of George Forman, and OpenML, as {name}.wc",
        _HAN,
        (f"wc-{name}.npz", f"{name}.wc.arff"),
        f"{name}.wc",
    )
    return Entry(source, documents, classes, terms)


def _groups(subject: str, documents: int, *groups: str) -> Entry:
    """One of the four subsets of Ganiz, Lytkin and Pottenger (2009), Table 1."""
    part = f"its {len(groups)} groups on {subject}"
    return Entry(_NEWS, documents, len(groups), part=part, only=groups)


def _pages(documents: int, without: str, *classes: str) -> Entry:
    part = f"without the classes {without}"
    return Entry(_WEBKB_PAGES, documents, len(classes), part=part, only=classes)


_RELIGION = ("alt.atheism", "soc.religion.christian", "talk.religion.misc")
_POLITICS = ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc")
_COMP = (
    *("comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"),
    *("comp.sys.mac.hardware", "comp.windows.x"),
)
_CORA_6 = (
    *("Case_Based", "Genetic_Algorithms", "Neural_Networks", "Probabilistic_Methods"),
    *("Reinforcement_Learning", "Theory"),
)
_OHSUMED = "OHSUMED, medical abstracts"
ENTRIES = {
    "20news-18828": Entry(_NEWS, 18_828, 20),
    "religion": _groups("religion", 2_424, *_RELIGION),
    "science": _groups("science", 3_949, "sci.crypt", "sci.electronics", "sci.med", "sci.space"),
    "politics": _groups("politics", 2_625, *_POLITICS),
    "comp": _groups("computers", 4_881, *_COMP),
    "mini-newsgroups": Entry(_MINI_NEWS, 2_000, 20),
    "webkb-pages": Entry(_WEBKB_PAGES, 8_282, 7),
    "webkb5": _pages(
        4_336, "department and other", "course", "faculty", "project", "staff", "student"
    ),
    "webkb4-pages": _pages(
        4_199, "department, other and staff", "course", "faculty", "project", "student"
    ),
    "webkb4": Entry(_WEBKB4, 4_199, 4),
    "webkb": Entry(_WEBKB_LINKED, 877, 5, 1_703),
    "1150haber": Entry(_HABER, 1_150, 5),
    "citeseer": Entry(_CITESEER, 3_312, 6, 3_703),
    "cora-7": Entry(_CORA, 2_708, 7, 1_433),
    "cora-6": Entry(_CORA, 2_528, 6, 1_433, "without the class Rule_Learning", _CORA_6),
    "la1": Entry(_LA1, 3_204, 6, 31_472),
    "la2": Entry(_LA2, 3_075, 6, 31_472),
    "fbis": _counts("fbis", "TREC, Foreign Broadcast Information Service", 2_463, 17, 2_000),
    "la1s": _counts("la1s", "TREC, Los Angeles Times", 3_204, 6, 13_195),
    "la2s": _counts("la2s", "TREC, Los Angeles Times", 3_075, 6, 12_432),
    "oh0": _counts("oh0", _OHSUMED, 1_003, 10, 3_182),
    "oh5": _counts("oh5", _OHSUMED, 918, 10, 3_012),
    "oh10": _counts("oh10", _OHSUMED, 1_050, 10, 3_238),
    "oh15": _counts("oh15", _OHSUMED, 913, 10, 3_100),
    "ohscal": _counts("ohscal", _OHSUMED, 11_162, 10, 11_465),
    "re0": _counts("re0", "Reuters-21578, news", 1_504, 13, 2_886),
    "re1": _counts("re1", "Reuters-21578, news", 1_657, 25, 3_758),
    "wap": _counts("wap", "WebACE, web pages", 1_560, 20, 8_460),
}
# The 2009 paper classified 500 documents of each group.
for _name in ("religion", "science", "politics", "comp"):
    _whole = ENTRIES[_name]
    ENTRIES[f"{_name}-500"] = replace(
        _whole,
        documents=500 * _whole.classes,
        part=f"{_whole.part}, 500 documents of each",
        per_class=500,
    )


def list_corpora() -> list[str]:
    """Return the names that `load_corpus` knows, sorted."""
    return sorted(ENTRIES)


def describe_corpus(name: str) -> str:
    """Return what a corpus is, where it is published, and which file it is read from."""
    key, entry = _find_entry(name)
    source = entry.source
    return "\n".join(
        [
            f"{key}: {', '.join(filter(None, [source.summary, entry.part]))}",
            f"  {_sizes(entry.documents, entry.classes, entry.terms)}",
            f"  published: {source.published}",
            f"  cite: {source.citation}",
            f"  file: {' or '.join(source.files)}",
            *(["  fetched by scikit-learn if there is no file"] if source.openml else []),
        ]
    )


def load_corpus(name: str, download_if_missing: bool = True) -> Corpus:
    """Load a corpus of the papers; the case of the name does not matter.

    Raises an error if the numbers of documents, classes and terms are not the published ones, and
    warns if the file is not the one on which the recorded results were measured.
    """
    key, entry = _find_entry(name)
    corpus, origin = _read_or_fetch(key, entry.source, download_if_missing)
    corpus = corpus.keep_classes(entry.only or corpus.classes, name=key)
    if entry.per_class:
        corpus = corpus.draw(entry.per_class, seed=0)
    found = (len(corpus), len(corpus.classes), corpus.n_terms)
    if found != (entry.documents, entry.classes, entry.terms):
        raise ValueError(
            f"{origin} is not the published corpus {key!r}: expected "
            f"{_sizes(entry.documents, entry.classes, entry.terms)}; found {_sizes(*found)}."
        )
    if isinstance(origin, Path) and origin.name in SHA256:
        _compare_digest(origin)
    return corpus


def _sizes(documents: int, classes: int, terms: int | None) -> str:
    content = "texts" if terms is None else f"counts of {terms:,} terms"
    return f"{documents:,} documents in {classes} classes, {content}"


def _find_entry(name: str) -> tuple[str, Entry]:
    key = name.lower()
    if key not in ENTRIES:
        hint = did_you_mean(name, ENTRIES, n=3) or " See list_corpora()."
        raise ValueError(f"There is no corpus {name!r}.{hint}")
    return key, ENTRIES[key]


def _read_or_fetch(key: str, source: Source, download: bool) -> tuple[Corpus, Path | str]:
    """Return all documents of the source, and where they came from."""
    try:
        path = find_data_file(*source.files)
    except FileNotFoundError as error:
        reason = ""
        if source.openml and download:
            try:
                return _fetch(source.openml), "What scikit-learn fetched"
            except (OSError, ValueError) as failure:  # no network; no such data set on the server
                reason = f" and could not be fetched ({failure})"
        raise FileNotFoundError(
            f"The corpus {key!r} is not on this machine{reason}. {error} "
            f"It is published here: {source.published}."
        ) from None
    readers: dict[str, Callable[[Path], Corpus]] = {".npz": read_npz, ".content": read_linqs}
    reader = readers.get(path.suffix, partial(read_corpus, keep_blank=True))  # as the papers did
    return reader(path), path


def _fetch(name: str) -> Corpus:
    from sklearn.datasets import fetch_openml

    bunch = fetch_openml(name=name, version=1, as_frame=False, parser="liac-arff", n_retries=1)
    counts = sparse.csr_array(bunch.data)
    counts.sum_duplicates()
    vocabulary = np.array(bunch.feature_names, dtype=np.str_)
    return Corpus(name, counts, np.asarray(bunch.target, dtype=np.str_), vocabulary)


def _compare_digest(path: Path) -> None:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256[path.name]:
        warnings.warn(
            f"{path} has the right numbers of documents and classes, but its SHA-256 is {digest}, "
            f"not {SHA256[path.name]}: results may differ from the recorded ones.",
            UserWarning,
            stacklevel=3,
        )


if __name__ == "__main__":
    print("\n".join(map(describe_corpus, list_corpora())))
