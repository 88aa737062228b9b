"""From a table in Windows-1252 to next month, by keyboard and without a terminal; two people."""

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from honeybayes.labeling import Project, krippendorff_alpha
from tests.page.browser import (
    ASK_STATE,
    CHROMIUM,
    open_browser,
    open_page,
    run_label_quickly,
    run_page,
)
from tests.page.test_browser import TOPICS, make_texts, wait_until, write_table

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("uvicorn", reason="the extra 'label' is not installed")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.browser,
]
SOFFICE = shutil.which("soffice")
COLUMNS = ["Nummer", "Datum", "Text"]
N_LABELS = 40
N_EACH = 30  # answers of two people


@pytest.fixture(scope="module")
def browser():
    with open_browser() as started:
        yield started


def make_rows(texts, first=0):
    """Return rows with ids that begin with zeros, dates, and texts with umlauts."""
    return [
        [f"{n:05d}", f"{1 + n % 28:02d}.10.2026", f"Grüße aus Köln; {text}"]
        for n, text in enumerate(texts, start=first)
    ]


def write_cp1252(path, columns, rows):
    with path.open("w", newline="", encoding="cp1252") as file:
        csv.writer(file, delimiter=";").writerows([columns, *rows])
    return path


def best_class(text):
    return max(TOPICS, key=lambda name: sum(word in text for word in TOPICS[name].split()))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def go_to(page, view):
    page.focus(f"nav a[href='#{view}']")
    press(page, "Enter")
    page.wait_for_selector(f"#view-{view}:visible")


def drop(page, path):
    """Drop a file, as a person does from the folder; Chromium cannot do this by keyboard."""
    content = list(path.read_bytes())
    page.evaluate(
        """([name, content]) => {
            const files = new DataTransfer();
            files.items.add(new File([new Uint8Array(content)], name));
            const drop = document.getElementById("drop");
            drop.dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
        }""",
        [path.name, content],
    )
    page.wait_for_selector("#table-form:visible")


def label_by_key(page, n):
    """Label texts with the digits of their classes; return the answers by text."""
    given = {}
    for _ in range(n):
        wait_until(page, "document.querySelector('#item').getAttribute('aria-busy') !== 'true'")
        text = page.inner_text("#text")
        with page.expect_response("**/api/label") as answer:
            press(page, str(list(TOPICS).index(best_class(text)) + 1))
        assert answer.value.ok
        given[text] = best_class(text)
        wait_until(page, "document.querySelector('#result').textContent.startsWith('✓')")
    return given


def download(page, name):
    page.focus(f"a[data-file='{name}']")
    with page.expect_download() as found:
        press(page, "Enter")
    return Path(found.value.path())


def read_in_libreoffice(path, folder):
    """Return the rows of a table as LibreOffice opens it."""
    copy = shutil.copy(path, folder / "opened.xlsx")
    command = [SOFFICE, "--headless", f"-env:UserInstallation=file://{folder}/profile"]
    options = ["--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76", "--outdir", str(folder)]
    subprocess.run([*command, *options, str(copy)], check=True, capture_output=True)
    return list(csv.DictReader(io.StringIO((folder / "opened.csv").read_text("utf-8-sig"))))


def test_a_month_and_the_next_one_by_keyboard(browser, tmp_path):
    folder, outside = tmp_path / "work", tmp_path / "elsewhere"
    folder.mkdir()
    outside.mkdir()
    rows = make_rows(make_texts(120))
    october = write_cp1252(outside / "Anfragen.csv", COLUMNS, rows)
    with run_page(folder) as address:
        page = open_page(browser, address, accept_downloads=True)
        page.wait_for_selector("#view-files:visible")
        drop(page, october)
        assert page.eval_on_selector("#t-text", "each => each.value") == "Text"
        assert page.eval_on_selector("#t-id", "each => each.value") == "Nummer"
        assert "Grüße aus Köln" in page.inner_text("#table-rows")
        page.focus("#t-begin")
        press(page, "Enter")
        page.wait_for_selector("#add-name:visible")
        page.focus("#add-name")
        for name in TOPICS:
            page.keyboard.type(name)
            press(page, "Enter")
            page.wait_for_selector(f"#class-list bdi:text-is('{name}')")
            wait_until(page, "!document.querySelector('#add-name').value")
        go_to(page, "label")
        page.wait_for_selector("#about strong")
        given = label_by_key(page, N_LABELS)
        assert len(given) == N_LABELS
        go_to(page, "finish")
        if SOFFICE is not None:
            found = read_in_libreoffice(download(page, "answers.xlsx"), tmp_path)
            assert [[row[name] for name in COLUMNS] for row in found] == rows
            labels = {row["Text"]: row["label"] for row in found if row["source"] == "person"}
            assert labels == given

        # next month: sorted, 20 % new, 5 % gone, one more column
        kept = [[*row, "offen"] for row in sorted(rows, key=lambda row: row[2])[6:]]
        new = [[*row, "neu"] for row in make_rows(make_texts(150)[120:144], 120)]
        november = write_cp1252(outside / "November.csv", [*COLUMNS, "Stand"], [*new, *kept])
        go_to(page, "files")
        drop(page, november)
        page.focus("#t-month")
        press(page, "Enter")
        wait_until(page, "document.querySelector('#files-status').textContent.includes('added')")
        assert "24 rows were added. 6 rows are no longer" in page.inner_text("#files-status")
        with Project.open(folder / "Anfragen.hbproject") as project:
            state = project.ledger.state
            names = state.names
            labels = {
                project.texts[row]: names[each.class_id] for row, each in state.labels.items()
            }
        assert labels == given
        go_to(page, "label")
        label_by_key(page, 3)

        # a table that is only answered
        go_to(page, "files")
        drop(page, write_cp1252(outside / "Neu.csv", COLUMNS, make_rows(make_texts(160)[150:])))
        page.focus("#t-classify")
        press(page, "Enter")
        page.wait_for_selector("#work-file:visible")
        page.focus("#work-file")
        with page.expect_download() as saved:
            press(page, "Enter")
        assert saved.value.suggested_filename == "Neu-answers.xlsx"
        if SOFFICE is not None:
            found = read_in_libreoffice(Path(saved.value.path()), tmp_path)
            # which texts were labeled, and so which answers are right, depends on the load
            assert {row["label"] for row in found} <= set(TOPICS)
            assert len(found) == 10
        assert page.watch.troubles == []


def test_two_people_in_two_browsers(browser, tmp_path):
    n = N_EACH
    table = write_table(tmp_path / "mail.csv", make_texts(4 * n))
    with run_label_quickly(table, "--text", "body", "--who", "Ann, Ben") as addresses:
        pages = {name: open_page(browser, address) for name, address in addresses.items()}
        first = pages["Ann"]
        first.wait_for_selector("#add-name:visible")
        first.focus("#add-name")
        for name in TOPICS:
            first.keyboard.type(name)
            press(first, "Enter")
            first.wait_for_selector(f"#class-list bdi:text-is('{name}')")
            wait_until(first, "!document.querySelector('#add-name').value")
        for page in pages.values():
            page.reload()
            page.evaluate("location.hash = '#label'")
            page.wait_for_selector("#about strong")
        answers = {"Ann": {}, "Ben": {}}
        for turn in range(n):
            for name, page in pages.items():
                wait_until(page, "!document.querySelector('#item').ariaBusy?.includes('true')")
                text = page.inner_text("#text")
                is_slip = name == "Ben" and turn % 4 == 0
                chosen = "billing" if is_slip else best_class(text)
                with page.expect_response("**/api/label"):
                    press(page, str(list(TOPICS).index(chosen) + 1))
                assert text not in answers[name]
                answers[name][text] = chosen
                wait_until(page, "document.querySelector('#result').textContent.startsWith('✓')")
        both = set(answers["Ann"]) & set(answers["Ben"])
        with Project.open(tmp_path / "mail.hbproject") as project:
            names = project.ledger.state.names
            events = [each for each in project.ledger.events if each.kind == "label"]
            double = [each for each in events if each.value["purpose"] == "double"]
            assert both == {project.texts[each.value["rows"][0]] for each in double}
            # the texts that are open or next were chosen one or two answers before
            assert 2 * (n // 10 - 1) <= len(double) <= 2 * (n // 10)
            stored = {
                who: {
                    project.texts[row]: names[votes[who]]
                    for row, votes in project.ledger.state.votes.items()
                    if who in votes
                }
                for who in answers
            }
        assert stored == answers
        expected = krippendorff_alpha(
            [list(TOPICS).index(each[text]) for each in answers.values()] for text in both
        )
        page = pages["Ben"]
        page.evaluate("location.hash = '#quality'")
        page.wait_for_selector("text=Krippendorff")
        assert f": {expected.alpha:.2f} (" in page.inner_text("#quality")
        assert [each.watch.troubles for each in pages.values()] == [[], []]


def test_the_first_click_after_a_search_counts(browser, tmp_path):
    table = write_table(tmp_path / "mail.csv", make_texts(60))
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        wait_until(
            page,
            ASK_STATE + ".then(state => state.model?.status === 'ready')",
        )
        page.evaluate("location.hash = '#review'")
        page.wait_for_selector("#texts li input:enabled")
        with page.expect_response("**search=invoice**"):
            page.fill("#f-search", "invoice")
        page.wait_for_timeout(300)  # the list is there, and the cursor is still in the search
        page.click("#texts li:first-child input")
        page.wait_for_timeout(600)  # a list that is loaded again would have lost the click
        assert page.is_checked("#texts li:first-child input")


def test_many_classes_are_found_by_typing(browser, tmp_path):
    table = write_table(tmp_path / "mail.csv", make_texts(60))
    names = [f"Card / kind {n}" for n in range(40)] + [f"Loan / kind {n}" for n in range(37)]
    with run_label_quickly(table, "--text", "body", "--classes", "; ".join(names)) as address:
        page = open_page(browser, address)
        page.evaluate("location.hash = '#label'")
        page.wait_for_selector("#about strong")
        assert page.locator("#buttons button").count() == 77
        press(page, "/")
        page.keyboard.type("loan 36")
        assert page.locator("#buttons button").count() == 1
        with page.expect_response("**/api/label"):
            press(page, "Enter")
        with Project.open(tmp_path / "mail.hbproject") as project:
            [label] = project.ledger.state.labels.values()
            assert project.ledger.state.names[label.class_id] == "Loan / kind 36"
        assert page.evaluate("document.activeElement.id") == "item"
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height <= 1.2 * 800


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(browser, tmp_path, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    texts = make_texts(60)
    table = write_table(tmp_path / "mail.csv", texts)
    classes = "; ".join(TOPICS)
    with run_label_quickly(
        table, "--text", "body", "--classes", classes, "--who", "Ann"
    ) as address:
        page = open_page(browser, address, width=width, color_scheme=scheme, bypass_csp=True)
        page.wait_for_selector("#about strong")
        with Project.open(tmp_path / "mail.hbproject", "Ann") as project:
            for row in range(30):
                id = project.find_class(best_class(texts[row])).id
                project.label(row, id, "audit" if row % 2 else "chosen")
            with project.acting_as("Ben"):
                for row in range(5):
                    project.label(row, 1 + row % 2, "double")
        wait_until(
            page,
            ASK_STATE
            + ".then(state => state.model?.status === 'ready' && state.model.n_labels === 30)",
        )
        found = {}
        for view in ("files", "start", "label", "quality", "review", "finish", "month"):
            page.evaluate(f"location.hash = '#{view}'")
            page.wait_for_selector(f"#view-{view}:visible")
            page.wait_for_timeout(500)  # what the view asks for is shown
            broken = axe.Axe().run(page).response["violations"]
            found |= {f"{view}: {each['id']}": each["nodes"][0]["html"] for each in broken}
            widest = page.evaluate("document.documentElement.scrollWidth")
            assert widest <= width, view
        assert found == {}
