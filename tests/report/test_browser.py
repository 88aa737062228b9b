"""The report in a real browser: nothing is loaded, nothing overflows, everybody can read it."""

from pathlib import Path

import pytest

from honeybayes.labeling import LabelingSession
from honeybayes.report import write_labeling_report
from tests.page.browser import CHROMIUM, open_browser, open_page

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe (extra: dev)")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
SCREENS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def browser():
    with open_browser() as started:
        yield started


@pytest.fixture(scope="module")
def labeling_page(uneven, tmp_path_factory):
    session = LabelingSession(uneven.documents, classes=list(uneven.classes), batch=20)
    for row in range(60):
        session.record(row, str(uneven.labels[row]))
    path = tmp_path_factory.mktemp("report") / "labeling.html"
    write_labeling_report(path, session)
    return path


@pytest.fixture(params=["compared", "labeling"])
def path(request, page, labeling_page):
    return {"compared": page[0], "labeling": labeling_page}[request.param]


def open_report(browser, path: Path, width: int, scheme: str):
    opened = open_page(browser, path.as_uri(), width=width, color_scheme=scheme)
    opened.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    return opened


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_a_browser_shows_the_page_without_complaint(browser, path, width, scheme):
    opened = open_report(browser, path, width, scheme)
    assert opened.watch.troubles == []  # also requests and dialogs
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    hidden = (
        "[...document.querySelectorAll('.frame')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    )
    assert opened.evaluate(f"{hidden}.length") == 0  # no table has to be moved sideways
    smallest = (
        "Math.min(...[...document.querySelectorAll('main *')].filter(e => e.offsetParent && "
        "[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => "
        "parseFloat(getComputedStyle(e).fontSize)))"
    )
    assert opened.evaluate(smallest) >= 12
    opened.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_no_serious_error(browser, path, width, scheme):
    opened = open_report(browser, path, width, scheme)
    found = axe.Axe().run(opened).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
    assert found == []
    opened.context.close()


def test_names_of_classes_do_not_become_markup(browser, page, nasty):
    opened = open_report(browser, page[0], 1280, "light")
    assert opened.locator("script").count() == 0
    assert opened.locator("main i:not(.dot, .badge)").count() == 0  # of a hard document
    assert opened.locator(f"th:text-is({nasty!r})").count() >= 1
    opened.context.close()


def test_the_colors_follow_the_theme(browser, page):
    color = "getComputedStyle(document.querySelector('.line.c-1')).stroke"
    shown = {}
    for scheme in ("light", "dark"):
        opened = open_report(browser, page[0], 1280, scheme)
        shown[scheme] = opened.evaluate(color)
        opened.context.close()
    assert shown == {"light": "rgb(0, 89, 140)", "dark": "rgb(124, 192, 236)"}


@pytest.mark.parametrize("width", [1280, 390])
def test_a_percentage_stands_behind_an_arabic_name(browser, uneven, tmp_path, width):
    names = dict(zip(uneven.classes, ["رياضة", "سفر", "صحة", "سياسة"], strict=True))
    session = LabelingSession([f"قال {text}" for text in uneven.documents], batch=20)
    for row in range(60):
        session.record(row, names[uneven.labels[row]])
    write_labeling_report(tmp_path / "report.html", session)
    opened = open_report(browser, tmp_path / "report.html", width, "light")
    shares = opened.locator("td.name .share")
    assert shares.count() > 5
    for share in shares.all():
        name = share.locator("xpath=preceding-sibling::bdi").bounding_box()
        assert name["x"] + name["width"] <= share.bounding_box()["x"]
    starts = "all => all.map(one => getComputedStyle(one).textAlign)"
    assert set(opened.locator("td.text[dir]").evaluate_all(starts)) == {"start"}
    opened.context.close()
