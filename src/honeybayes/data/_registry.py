"""The corpora of the papers by name."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from honeybayes.data._corpus import Corpus
from honeybayes.data._folder import find_data_file
from honeybayes.data._readers import read_json_lines, read_npz


@dataclass(frozen=True)
class _Entry:
    """Where a corpus is, and what must be in it.

    ``only`` names the classes of the file that make the corpus; None takes all.
    """

    file: str
    documents: int
    classes: int
    only: tuple[str, ...] | None = None

    @property
    def reader(self) -> Callable[[Path], Corpus]:
        return read_npz if self.file.endswith(".npz") else read_json_lines


_NEWS = "20news-18828.jsonl.gz"

_ENTRIES = {
    "20news-18828": _Entry(_NEWS, 18_828, 20),
    # The four subsets of 20 Newsgroups: Ganiz, Lytkin and Pottenger (2009), Table 1.
    "religion": _Entry(
        _NEWS, 2_424, 3, ("alt.atheism", "soc.religion.christian", "talk.religion.misc")
    ),
    "science": _Entry(_NEWS, 3_949, 4, ("sci.crypt", "sci.electronics", "sci.med", "sci.space")),
    "politics": _Entry(
        _NEWS, 2_625, 3, ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc")
    ),
    "comp": _Entry(
        _NEWS,
        4_881,
        5,
        (
            "comp.graphics",
            "comp.os.ms-windows.misc",
            "comp.sys.ibm.pc.hardware",
            "comp.sys.mac.hardware",
            "comp.windows.x",
        ),
    ),
    "mini-newsgroups": _Entry("mini-newsgroups.jsonl.gz", 2_000, 20),
    "webkb-pages": _Entry("webkb-pages.jsonl.gz", 8_282, 7),
    "webkb5": _Entry(
        "webkb-pages.jsonl.gz", 4_336, 5, ("course", "faculty", "project", "staff", "student")
    ),
    "webkb4": _Entry("webkb4-stemmed.jsonl.gz", 4_199, 4),
    "webkb": _Entry("linqs-webkb.npz", 877, 5),
    "1150haber": _Entry("1150haber.jsonl.gz", 1_150, 5),
    "citeseer": _Entry("linqs-citeseer.npz", 3_312, 6),
    "cora-7": _Entry("linqs-cora.npz", 2_708, 7),
    "cora-6": _Entry(
        "linqs-cora.npz",
        2_528,
        6,
        (
            "Case_Based",
            "Genetic_Algorithms",
            "Neural_Networks",
            "Probabilistic_Methods",
            "Reinforcement_Learning",
            "Theory",
        ),
    ),
    "fbis": _Entry("wc-fbis.npz", 2_463, 17),
    "la1": _Entry("wc-la1.npz", 3_204, 6),
    "la1s": _Entry("wc-la1s.npz", 3_204, 6),
    "la2": _Entry("wc-la2.npz", 3_075, 6),
    "la2s": _Entry("wc-la2s.npz", 3_075, 6),
    "oh0": _Entry("wc-oh0.npz", 1_003, 10),
    "oh5": _Entry("wc-oh5.npz", 918, 10),
    "oh10": _Entry("wc-oh10.npz", 1_050, 10),
    "oh15": _Entry("wc-oh15.npz", 913, 10),
    "ohscal": _Entry("wc-ohscal.npz", 11_162, 10),
    "re0": _Entry("wc-re0.npz", 1_504, 13),
    "re1": _Entry("wc-re1.npz", 1_657, 25),
    "wap": _Entry("wc-wap.npz", 1_560, 20),
}


def list_corpora() -> list[str]:
    """Return the names that :func:`load_corpus` knows, sorted.

    Returns
    -------
    list of str
        One name for each corpus of the papers.

    Examples
    --------
    >>> from honeybayes.data import list_corpora
    >>> "20news-18828" in list_corpora()
    True
    """
    return sorted(_ENTRIES)


def load_corpus(name: str) -> Corpus:
    """Load a corpus of the papers from the folder that HONEYBAYES_DATA names.

    Parameters
    ----------
    name : str
        One of :func:`list_corpora`, in any case: the papers' ``"RELIGION"`` is ``"religion"``.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts where only that is published.

    Raises
    ------
    FileNotFoundError
        The file is not there; says where it was looked for.
    ValueError
        No such corpus, or the file does not hold the documents and classes that it should.
    """
    key = name.lower()
    if key not in _ENTRIES:
        near = get_close_matches(key, _ENTRIES)
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See list_corpora()."
        raise ValueError(f"There is no corpus {name!r}. {hint}")
    entry = _ENTRIES[key]
    path = find_data_file(entry.file)
    corpus = entry.reader(path)
    corpus = corpus.keep_classes(entry.only or corpus.classes, name=key)
    if (len(corpus), len(corpus.classes)) != (entry.documents, entry.classes):
        raise ValueError(
            f"{path} is not the published corpus {key!r}: {entry.documents} documents in "
            f"{entry.classes} classes are expected, {len(corpus)} in {len(corpus.classes)} found."
        )
    return corpus
