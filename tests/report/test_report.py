import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from honeybayes import CountNB, FewLabelsClassifier, TextClassifier
from honeybayes.data import Corpus, load_corpus
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.report import (
    examine,
    plot_confusion,
    plot_learning_curves,
    plot_reliability,
    write_report,
)

pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")
pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib (extra: report)")
SPLITS = [RandomSplits(per_class=size, repetitions=2) for size in (3, 6)]
NASTY = r"<script>alert('$\foo$')</script>"  # markup, and mathematics that matplotlib refuses
SECTIONS = ["curves", "numbers", "confusion", "confidence", "words", "hard", "use", "about"]


@pytest.fixture(scope="module")
def corpus():
    kept = load_corpus("messages").keep_classes(["billing", "delivery", "returns"], name="mail")
    labels = np.where(kept.labels == "billing", NASTY, kept.labels)
    # a class that no word tells from another: its documents are the hardest
    texts = [
        f"<i>{text}" if label == NASTY else text
        for text, label in zip(kept.documents, labels, strict=True)
    ]
    return Corpus("mail", texts, labels)


@pytest.fixture(scope="module")
def comparison(corpus):
    return compare(["NB", "CNB"], corpus, SPLITS)


@pytest.fixture(scope="module")
def page(corpus, comparison, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    answer = write_report(path, comparison, corpus, SPLITS, command="honeybayes compare <x>")
    return path, path.read_text(encoding="utf-8"), answer


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


class Outline(HTMLParser):
    """What a reader of the page depends on, screen reader or browser."""

    def __init__(self):
        super().__init__()
        self.open, self.sections, self.links, self.loaded = [], [], [], []
        self.images, self.tables, self.captions = [], 0, 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in ("meta", "link", "br", "path", "use", "image", "rect", "circle"):
            self.open.append(tag)
        self.loaded += [attributes[name] for name in ("src", "href") if name in attributes]
        if tag == "section":
            self.sections.append(attributes["id"])
        if tag == "svg":
            self.images.append((attributes.get("role"), attributes.get("aria-label")))
        self.tables += tag == "table"
        self.captions += tag == "caption"

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def test_the_page_has_all_sections_and_loads_nothing(page):
    outline = Outline()
    outline.feed(page[1])
    assert outline.sections == SECTIONS
    outside = [link for link in outline.loaded if not link.startswith(("#", "data:"))]
    assert outside == []
    assert "<script" not in page[1]
    assert outline.open == []


def test_pictures_and_tables_are_described_for_those_who_do_not_see_them(page):
    outline = Outline()
    outline.feed(page[1])
    assert len(outline.images) == 3
    assert all(role == "img" and len(label) > 20 for role, label in outline.images)
    assert outline.tables == outline.captions == 4


def test_texts_of_the_corpus_cannot_become_markup(page, corpus):
    assert "&lt;script&gt;alert(" in page[1]
    assert "&lt;i&gt;" in page[1]  # of a hard document
    assert "<i>" not in page[1]
    assert "honeybayes compare &lt;x&gt;" in page[1]


def test_the_answer_names_the_best_model_with_its_figure(page, comparison):
    place = ("mail", "6 per class")
    means = {model: comparison.scores(model, place).mean() for model in comparison.models}
    best = max(means, key=means.get)
    assert f"With 6 labels per class, {best} did best: {100 * means[best]:.1f} %" in page[2]
    assert page[2] in page[1]


def test_the_figures_of_the_table_are_those_of_the_comparison(page, comparison):
    for summary in comparison.summaries():
        assert f"{100 * summary.mean:.1f} ± {100 * summary.deviation:.1f}" in page[1]


def test_the_same_comparison_makes_the_same_page(page, corpus, comparison, tmp_path):
    write_report(
        tmp_path / "again.html", comparison, corpus, SPLITS, command="honeybayes compare <x>"
    )
    seconds = re.compile(r"<td>0\.\d{3}</td>")
    again = (tmp_path / "again.html").read_text(encoding="utf-8")
    assert seconds.sub("", again) == seconds.sub("", page[1])


def test_a_report_that_fails_leaves_nothing(corpus, comparison, tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"):
        write_report(tmp_path / "none" / "report.html", comparison, corpus, SPLITS)
    with pytest.raises(ValueError, match="language"):
        write_report(tmp_path / "r.html", comparison, corpus, SPLITS, language="klingon")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_named_with_its_extra(
    corpus, comparison, tmp_path, monkeypatch, package
):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"needs {package}.*pip install 'honeybayes\[report\]'"):
        write_report(tmp_path / "report.html", comparison, corpus, SPLITS)
    assert list(tmp_path.iterdir()) == []


def test_importing_the_report_loads_no_package_of_an_extra():
    code = "import sys, honeybayes.report; print({'jinja2', 'matplotlib'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_an_examination_keeps_the_answers_to_held_out_documents(corpus):
    examination = examine(TextClassifier("CNB"), corpus, SPLITS[0], seed=3)
    splits = list(SPLITS[0].split(corpus.labels, corpus.name, 3))
    np.testing.assert_array_equal(examination.rows, np.concatenate([s.test for s in splits]))
    train = splits[1].train
    model = TextClassifier("CNB").fit([corpus.documents[r] for r in train], corpus.labels[train])
    expected = model.predict_proba([corpus.documents[row] for row in splits[1].test])
    np.testing.assert_allclose(examination.probabilities[len(splits[0].test) :], expected)


@pytest.mark.parametrize("model", ["FewLabels", FewLabelsClassifier(unlabeled="?"), CountNB()])
def test_texts_without_a_label_are_the_pool_of_models_that_can_use_them(corpus, model):
    labels = corpus.labels.copy()
    labels[::4] = ""
    partly = Corpus("mail", corpus.documents, labels)
    examination = examine(TextClassifier(model), partly, SPLITS[0])
    assert examination.with_pool == (not isinstance(model, CountNB))
    assert (labels[examination.rows] != "").all()


def test_the_hardest_documents_are_those_whose_class_gets_least(corpus):
    examination = examine(TextClassifier("CNB"), corpus, SPLITS[0])
    hardest = examination.hardest(corpus, 3)
    given = {}
    for row, label, own in zip(
        examination.rows, examination.truth, examination.probabilities, strict=True
    ):
        given.setdefault(row, []).append(own[examination.classes.tolist().index(label)])
    least = sorted((np.mean(values), row) for row, values in given.items())[:3]
    assert [hard.text for hard in hardest] == [corpus.documents[row] for _, row in least]
    np.testing.assert_allclose([hard.probability for hard in hardest], [mean for mean, _ in least])


def test_plots_return_axes_that_show_the_numbers(comparison):
    _, given = pyplot.subplots()
    ax = plot_learning_curves(comparison, ax=given)
    assert ax is given
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    for model in comparison.models:
        means = [100 * s.mean for s in comparison.summaries() if s.model == model]
        np.testing.assert_allclose(lines[model], means)

    ax = plot_confusion(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    shares = [text.get_text() for text in ax.texts]
    assert shares == ["50", "50", "100"]

    ax = plot_reliability(["a", "b"], [[0.9, 0.1], [0.8, 0.2]], ["a", "b"])
    np.testing.assert_allclose(ax.collections[0].get_offsets(), [[0.8, 0.0], [0.9, 1.0]])


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.skipif(
    "HONEYBAYES_BROWSER" not in os.environ, reason="set HONEYBAYES_BROWSER=1 to open a browser"
)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_opens_the_page_without_complaint(page, tmp_path, width):
    shot = tmp_path / "shot.png"
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    done = subprocess.run(
        [*command, f"--screenshot={shot}", f"--window-size={width},2000", page[0].as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    assert shot.stat().st_size > 10_000
