"""What is known about each corpus: a table of plain data."""

from dataclasses import dataclass, replace

from honeybayes.data._fetch import Fetcher, newsgroups_by_date, openml


@dataclass(frozen=True)
class Source:
    """A published collection.

    ``files`` are the names under which it is looked for: the form used here first, then the
    publisher's own, where the readers know it.
    """

    summary: str
    published: str
    citation: str
    files: tuple[str, ...] = ()
    fetch: Fetcher | None = None

    @property
    def sha256(self) -> str | None:
        """Digest of the first file, where one is known."""
        return SHA256.get(self.files[0]) if self.files else None


@dataclass(frozen=True)
class Entry:
    """A corpus: a source, what must be in it, and the part that makes the corpus.

    ``only`` names its classes, all by default; ``per_class`` documents are drawn of each.
    """

    source: Source
    documents: int
    classes: int
    terms: int | None = None
    part: str = ""
    only: tuple[str, ...] = ()
    per_class: int | None = None


# Of the files that the figures of this project were measured on.
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

BUNDLED = Source(
    "short customer messages, written for honeybayes",
    "with honeybayes, under CC0",
    "the honeybayes project",
    ("messages.jsonl",),
)
_NEWS = Source(
    "20 Newsgroups without cross-posts",
    f"{_NEWS_PAGE}, as 20news-18828",
    _LANG,
    ("20news-18828.jsonl.gz", "20news-18828"),
)
_NEWS_BY_DATE = Source(
    "20 Newsgroups sorted by date, with all headers",
    f"{_NEWS_PAGE}, as 20news-bydate",
    _LANG,
    fetch=newsgroups_by_date,
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
_CLUTO_PAGE = "the data sets of CLUTO, Karypis Lab, University of Minnesota"
_LA1 = Source(
    _LA,
    f"{_CLUTO_PAGE}, as la1",
    _HAN,
    ("wc-la1.npz",),
)
_LA2 = Source(
    _LA,
    f"{_CLUTO_PAGE}, as la2",
    _HAN,
    ("wc-la2.npz",),
)


def _counts(name: str, summary: str, documents: int, classes: int, terms: int) -> Entry:
    """Return one of the sets of word counts that the WEKA project publishes."""
    source = Source(
        f"{summary}, counts of words",
        f"the WEKA project, text data sets of George Forman, and OpenML, as {name}.wc",
        _HAN,
        (f"wc-{name}.npz", f"{name}.wc.arff"),
        openml(f"{name}.wc"),
    )
    return Entry(source, documents, classes, terms)


def _groups(subject: str, documents: int, *groups: str) -> Entry:
    """Return one of the four subsets of Ganiz, Lytkin and Pottenger (2009), Table 1."""
    part = f"its {len(groups)} groups on {subject}"
    return Entry(_NEWS, documents, len(groups), part=part, only=groups)


ENTRIES = {
    "messages": Entry(BUNDLED, 600, 8),
    "20news-18828": Entry(_NEWS, 18_828, 20),
    "religion": _groups(
        "religion", 2_424, "alt.atheism", "soc.religion.christian", "talk.religion.misc"
    ),
    "science": _groups("science", 3_949, "sci.crypt", "sci.electronics", "sci.med", "sci.space"),
    "politics": _groups(
        "politics", 2_625, "talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"
    ),
    "comp": _groups(
        "computers",
        4_881,
        "comp.graphics",
        "comp.os.ms-windows.misc",
        "comp.sys.ibm.pc.hardware",
        "comp.sys.mac.hardware",
        "comp.windows.x",
    ),
    "20news-bydate": Entry(_NEWS_BY_DATE, 18_846, 20),
    "mini-newsgroups": Entry(_MINI_NEWS, 2_000, 20),
    "webkb-pages": Entry(_WEBKB_PAGES, 8_282, 7),
    "webkb5": Entry(
        _WEBKB_PAGES,
        4_336,
        5,
        part="without the classes department and other",
        only=("course", "faculty", "project", "staff", "student"),
    ),
    "webkb4-pages": Entry(
        _WEBKB_PAGES,
        4_199,
        4,
        part="without the classes department, other and staff",
        only=("course", "faculty", "project", "student"),
    ),
    "webkb4": Entry(_WEBKB4, 4_199, 4),
    "webkb": Entry(_WEBKB_LINKED, 877, 5, 1_703),
    "1150haber": Entry(_HABER, 1_150, 5),
    "citeseer": Entry(_CITESEER, 3_312, 6, 3_703),
    "cora-7": Entry(_CORA, 2_708, 7, 1_433),
    "cora-6": Entry(
        _CORA,
        2_528,
        6,
        1_433,
        part="without the class Rule_Learning",
        only=(
            "Case_Based",
            "Genetic_Algorithms",
            "Neural_Networks",
            "Probabilistic_Methods",
            "Reinforcement_Learning",
            "Theory",
        ),
    ),
    "la1": Entry(_LA1, 3_204, 6, 31_472),
    "la2": Entry(_LA2, 3_075, 6, 31_472),
    "fbis": _counts("fbis", "TREC, Foreign Broadcast Information Service", 2_463, 17, 2_000),
    "la1s": _counts("la1s", "TREC, Los Angeles Times", 3_204, 6, 13_195),
    "la2s": _counts("la2s", "TREC, Los Angeles Times", 3_075, 6, 12_432),
    "oh0": _counts("oh0", "OHSUMED, medical abstracts", 1_003, 10, 3_182),
    "oh5": _counts("oh5", "OHSUMED, medical abstracts", 918, 10, 3_012),
    "oh10": _counts("oh10", "OHSUMED, medical abstracts", 1_050, 10, 3_238),
    "oh15": _counts("oh15", "OHSUMED, medical abstracts", 913, 10, 3_100),
    "ohscal": _counts("ohscal", "OHSUMED, medical abstracts", 11_162, 10, 11_465),
    "re0": _counts("re0", "Reuters-21578, news", 1_504, 13, 2_886),
    "re1": _counts("re1", "Reuters-21578, news", 1_657, 25, 3_758),
    "wap": _counts("wap", "WebACE, web pages", 1_560, 20, 8_460),
}

# What the 2009 paper classified: 500 documents of each group.
for _name in ("religion", "science", "politics", "comp"):
    _whole = ENTRIES[_name]
    ENTRIES[f"{_name}-500"] = replace(
        _whole,
        documents=500 * _whole.classes,
        part=f"{_whole.part}, 500 documents of each",
        per_class=500,
    )
