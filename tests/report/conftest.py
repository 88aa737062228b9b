import numpy as np
import pytest

from honeybayes.evaluate import RandomSplits, compare
from honeybayes.report import write_report
from honeybayes.tables import Corpus, load_corpus

SPLITS = [RandomSplits(per_class=size, repetitions=2) for size in (3, 6, 12)]
NASTY = r"<script>alert('$\foo$')</script>"  # markup, and mathematics that matplotlib refuses


@pytest.fixture(scope="session")
def splits():
    return SPLITS


@pytest.fixture(scope="session")
def nasty():
    return NASTY


@pytest.fixture(scope="session")
def corpus():
    kept = load_corpus("messages").keep_classes(["billing", "delivery", "returns"], name="mail")
    labels = np.where(kept.labels == "billing", NASTY, kept.labels)
    # a class that no word tells from another: its documents are the hardest
    texts = [
        f"<i>{text}" if label == NASTY else text
        for text, label in zip(kept.documents, labels, strict=True)
    ]
    return Corpus("mail", texts, labels, rows=np.arange(1, 1 + len(texts)))  # one row was empty


@pytest.fixture(scope="session")
def comparison(corpus):
    return compare(["NB", "CNB"], corpus, SPLITS)


@pytest.fixture(scope="session")
def page(corpus, comparison, tmp_path_factory):
    """The path of a report, its content, and what `write_report` returned."""
    pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")
    path = tmp_path_factory.mktemp("report") / "report.html"
    answer = write_report(path, comparison, corpus, SPLITS, command="honeybayes compare <x>")
    return path, path.read_text(encoding="utf-8"), answer


@pytest.fixture(scope="session")
def uneven():
    """A corpus in which one class is three times as large as another."""
    mail = load_corpus("mailbox").keep_classes(["heating", "rent", "keys", "parking"], name="house")
    rows = [np.flatnonzero(mail.labels == label)[:100] for label in mail.classes]
    kept = np.sort(np.concatenate(rows))
    return Corpus("house", [mail.documents[row] for row in kept], mail.labels[kept])


@pytest.fixture(scope="session")
def uneven_comparison(uneven):
    return compare(["NB", "CNB"], uneven, SPLITS, metrics=["accuracy", "macro_f1"])


@pytest.fixture(scope="session")
def uneven_page(uneven, uneven_comparison, tmp_path_factory):
    pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")
    path = tmp_path_factory.mktemp("report") / "uneven.html"
    write_report(path, uneven_comparison, uneven, SPLITS)
    return path
