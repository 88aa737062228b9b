import re
import subprocess
import sys

import numpy as np
import pytest

from honeybayes import CountNB, FewLabelsClassifier, TextClassifier
from honeybayes.evaluate import Comparison
from honeybayes.report import (
    examine,
    plot_learning_curves,
    write_model_report,
    write_report,
)
from honeybayes.tables import Corpus
from tests.encoders import hash_words
from tests.report.pages import ReportPage

pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")
pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib (extra: report)")
SECTIONS = ["models", "classes", "coverage", "more-labels", "documents", "words", "use", "about"]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def test_the_page_has_all_sections_and_loads_nothing(page):
    read = ReportPage(page[1])
    assert read.sections == SECTIONS
    outside = [link for link in read.loaded if not link.startswith(("#", "data:"))]
    assert outside == []
    assert "url(" not in page[1]
    assert "@import" not in page[1]
    assert "<script" not in page[1]
    assert read.open == []


def test_links_lead_to_sections(page):
    read = ReportPage(page[1])
    inside = {link[1:] for link in read.loaded if link.startswith("#")}
    assert inside == set(SECTIONS)


def test_two_numbers_of_labels_make_no_curve(corpus, comparison, splits, tmp_path):
    sizes = {split.label for split in splits[1:]}
    two = Comparison(tuple(each for each in comparison.results if each.cell.split in sizes))
    write_report(tmp_path / "two.html", two, corpus, splits[1:])
    read = ReportPage((tmp_path / "two.html").read_text(encoding="utf-8"))
    assert read.sections == [each for each in SECTIONS if each != "more-labels"]
    assert {link[1:] for link in read.loaded if link.startswith("#")} == set(read.sections)
    [(_, note)] = [told for name, told in read.tiles.items() if "to check" in name]
    assert note.endswith("a wrong label, or an unusual document")


def test_pictures_and_tables_are_described_for_those_who_do_not_see_them(page):
    read = ReportPage(page[1])
    assert len(read.images) == 4
    assert all(len(description) > 20 for description in read.images)
    assert len(read.tables) == 8
    assert all(table.caption for table in read.tables)
    # a card on a narrow screen stays a table for a screen reader
    assert {"table", "row", "rowheader", "columnheader", "cell"} <= read.roles


def test_texts_of_the_corpus_cannot_become_markup(page):
    assert "&lt;script&gt;alert(" in page[1]
    assert "&lt;i&gt;" in page[1]  # of a hard document
    assert "<i>" not in page[1]
    assert "honeybayes compare &lt;x&gt;" in page[1]


def test_the_answer_names_the_best_model_with_its_figure(page, comparison):
    place = ("mail", "12 per class")
    means = {model: comparison.scores(model, place).mean() for model in comparison.models}
    best = max(means, key=means.get)
    assert f"With 12 labels per class, {best} did best: {100 * means[best]:.1f} %" in page[2]
    assert page[2] in page[1]


def test_the_figures_of_the_table_are_those_of_the_comparison(page, comparison):
    for summary in comparison.summaries():
        assert f"{100 * summary.mean:.1f} ± {100 * summary.deviation:.1f}" in page[1]


def test_the_same_comparison_makes_the_same_page(page, corpus, comparison, splits, tmp_path):
    write_report(
        tmp_path / "again.html", comparison, corpus, splits, command="honeybayes compare <x>"
    )
    seconds = re.compile(r'data-name="seconds to fit">[^<]*<')
    again = (tmp_path / "again.html").read_text(encoding="utf-8")
    assert seconds.sub("", again) == seconds.sub("", page[1])


def test_a_report_that_fails_leaves_nothing(corpus, comparison, splits, tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"):
        write_report(tmp_path / "none" / "report.html", comparison, corpus, splits)
    with pytest.raises(ValueError, match="language"):
        write_report(tmp_path / "r.html", comparison, corpus, splits, language="klingon")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_named_with_its_extra(
    corpus, comparison, splits, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"needs jinja2.*pip install 'honeybayes\[report\]'"):
        write_report(tmp_path / "report.html", comparison, corpus, splits)
    assert list(tmp_path.iterdir()) == []


def test_a_plot_without_matplotlib_names_its_extra(comparison, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"needs matplotlib.*pip install 'honeybayes\[report\]'"):
        plot_learning_curves(comparison)


def test_a_report_needs_no_matplotlib(corpus, comparison, splits, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    write_report(tmp_path / "report.html", comparison, corpus, splits)
    assert (tmp_path / "report.html").exists()


@pytest.mark.process
def test_importing_the_report_loads_no_package_of_an_extra():
    code = "import sys, honeybayes.report; print({'jinja2', 'matplotlib'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_an_examination_keeps_the_answers_to_held_out_documents(corpus, splits):
    examination = examine(TextClassifier("CNB"), corpus, splits[0], seed=3)
    drawn = list(splits[0].split(corpus.labels, corpus.name, 3))
    np.testing.assert_array_equal(examination.rows, np.concatenate([s.test for s in drawn]))
    train = drawn[1].train
    model = TextClassifier("CNB").fit([corpus.documents[r] for r in train], corpus.labels[train])
    expected = model.predict_proba([corpus.documents[row] for row in drawn[1].test])
    np.testing.assert_allclose(examination.probabilities[len(drawn[0].test) :], expected)


@pytest.mark.parametrize("model", ["FewLabels", FewLabelsClassifier(unlabeled="?"), CountNB()])
def test_texts_without_a_label_are_the_pool_of_models_that_can_use_them(corpus, splits, model):
    labels = corpus.labels.copy()
    labels[::4] = ""
    partly = Corpus("mail", corpus.documents, labels)
    examination = examine(TextClassifier(model), partly, splits[0])
    assert examination.with_pool == (not isinstance(model, CountNB))
    assert (labels[examination.rows] != "").all()


def test_the_hardest_documents_are_those_whose_class_gets_least(corpus, splits):
    examination = examine(TextClassifier("CNB"), corpus, splits[0])
    hardest = examination.documents(corpus).sort_values("probability", kind="stable").head(3)
    hardest = list(hardest.itertuples())
    given = {}
    for row, label, own in zip(
        examination.rows, examination.truth, examination.probabilities, strict=True
    ):
        given.setdefault(row, []).append(own[examination.classes.tolist().index(label)])
    least = sorted((np.mean(values), row) for row, values in given.items())[:3]
    assert [hard.text for hard in hardest] == [corpus.documents[row] for _, row in least]
    np.testing.assert_allclose([hard.probability for hard in hardest], [mean for mean, _ in least])
    assert [hard.row for hard in hardest] == [row + 2 for _, row in least]  # one row was empty


def test_the_curves_show_the_numbers(comparison):
    _, given = pyplot.subplots()
    ax = plot_learning_curves(comparison, ax=given)
    assert ax is given
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    for model in comparison.models:
        means = [100 * s.mean for s in comparison.summaries() if s.model == model]
        np.testing.assert_allclose(lines[model], means)


@pytest.mark.parametrize("encoder", [None, hash_words])
@pytest.mark.parametrize("language", ["english", None])
def test_what_a_word_stands_for_and_vectors_are_said_where_it_is_so(
    corpus, tmp_path, language, encoder
):
    classifier = TextClassifier("FewLabels", language=language, encoder=encoder)
    write_model_report(tmp_path / "r.html", classifier, corpus, folds=2)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    [caption] = re.findall(r"The words that speak most for each class[^<]*", page)
    assert ("with the same stem" in caption) is (language == "english")
    assert ("vectors" in caption) is (encoder is not None)
    assert ("<dt>Vectors</dt><dd>tests.encoders.hash_words, " in page) is (encoder is not None)


def test_words_of_scripts_without_spaces_are_whole(tmp_path):
    texts = [f"{n}科学技术" for n in range(9)] + [f"{n}足球比赛" for n in range(9)]
    chinese = Corpus("news", texts, np.repeat(["science", "sports"], 9))
    write_model_report(tmp_path / "r.html", TextClassifier("CNB"), chinese, folds=2)
    page = ReportPage((tmp_path / "r.html").read_text(encoding="utf-8"))
    words = page.table("The words that speak most").body
    assert words == {"science": ["科学技术"], "sports": ["足球比赛"]}
