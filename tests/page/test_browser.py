"""The page in a real browser, by keyboard alone."""

import csv
from pathlib import Path

import pytest

from honeybayes.labeling import Project
from tests.page.browser import (
    ASK_STATE,
    CHROMIUM,
    PATIENCE,
    open_browser,
    open_page,
    run_label,
    run_label_quickly,
    run_page,
)

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("uvicorn", reason="the extra 'label' is not installed")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

TOPICS = {
    "billing": "invoice charged payment card refund bank statement fee",
    "delivery": "parcel courier address shipping arrived late package driver",
    "access": "password login locked account reset email code username",
}
HOSTILE = [
    "<script>alert('script')</script> invoice charged",
    "<img src=x onerror=alert(1)><img src='http://example.invalid/x.png'> parcel",
    "{{ 7 * 7 }} ${7 * 7} </textarea></dialog><svg onload=alert(2)> password",
    "\x1b[31mred\x1b[0m \x07 bell \x7f invoice",
    "\u202eegdirf\u202c \u2066isolated\u2069 \u200fright to left \u200emarks parcel",
    "word" * 100_000,
    "   ",
    "a\x00b password",
    "\U0001f41d\u200d\U0001f36f e\u0301 invoice",
]


def write_table(path: Path, texts: list[str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["body"])
        writer.writerows([text] for text in texts)
    return path


def make_texts(n: int) -> list[str]:
    texts = []
    for number in range(n):
        words = list(TOPICS.values())[number % len(TOPICS)].split()
        chosen = [words[(number * step + step) % len(words)] for step in (1, 3, 5)]
        texts.append(f"Message {number} about my {' and '.join(chosen)}, please help.")
    return texts


@pytest.fixture(scope="module")
def browser():
    with open_browser() as started:
        yield started


@pytest.fixture
def table(tmp_path):
    return write_table(tmp_path / "mail.csv", [*make_texts(60), *["Where is my parcel?"] * 14])


def wait_until(page, condition, seconds=PATIENCE):
    """Wait for a condition in JavaScript; the page forbids what `wait_for_function` does."""
    for _ in range(seconds * 20):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"It never came true: {condition}")


def add_classes(page, names):
    page.wait_for_selector("#add-name:visible")
    page.focus("#add-name")
    for name in names:
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.keyboard.type(TOPICS.get(name, ""))
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#class-list bdi:text-is('{name}')")
        wait_until(
            page, "document.activeElement.id === 'add-name' && !document.activeElement.value"
        )


def go_to_label(page):
    """Go to the view with the keyboard: Tab to the link, Enter."""
    page.focus("nav a[href='#label']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#about strong")
    wait_until(page, "document.activeElement.id === 'item'")


def shown_row(page):
    return int(page.inner_text("#about strong").removeprefix("Text ").replace(",", "")) - 1


def press(page, key, address="/api/label"):
    """Press a key, and wait until the program has confirmed it."""
    with page.expect_response(f"**{address}") as answer:
        page.keyboard.press(key)
    assert answer.value.ok
    wait_until(page, "!document.querySelector('#result').textContent.includes('…')")


def labels_in(table):
    with Project.open(table.with_suffix(".hbproject")) as project:
        state = project.ledger.state
        names = {id: each.name for id, each in state.classes.items()}
        return {row: names[each.class_id] for row, each in state.labels.items()}


def test_a_walk_through_the_page(browser, table):
    """Name classes, label a text, let the model learn from it, and finish with its answers."""
    with run_label_quickly(table, "--text", "body") as address:
        page = open_page(browser, address)
        page.wait_for_selector("#no-classes:visible")
        assert not page.is_visible("#go-label")  # there is nothing to label with
        add_classes(page, list(TOPICS)[:2])
        assert page.is_visible("#go-label")
        go_to_label(page)
        row = shown_row(page)
        press(page, "1")
        assert labels_in(table) == {row: "billing"}
        wait_until(
            page,
            ASK_STATE
            + ".then(state => state.model?.status === 'ready' && state.model.n_labels === 1)",
        )
        page.evaluate("location.hash = '#finish'")
        page.focus("a[data-file='answers.csv']")
        with page.expect_download() as found:
            page.keyboard.press("Enter")
        rows = list(csv.DictReader(Path(found.value.path()).read_text("utf-8").splitlines()))
        assert (rows[row]["label"], rows[row]["source"]) == ("billing", "person")
        assert [each["source"] for each in rows].count("model") == len(rows) - 1
        assert page.watch.troubles == []


@pytest.mark.browser
def test_label_by_keyboard(browser, table):
    with run_label_quickly(table, "--text", "body") as address:
        page = open_page(browser, address)
        add_classes(page, TOPICS)
        go_to_label(page)
        given = {}
        for turn in range(12):
            row, text = shown_row(page), page.inner_text("#text")
            best = max(TOPICS, key=lambda name: sum(word in text for word in TOPICS[name].split()))
            key = str(list(TOPICS).index(best) + 1)
            press(page, key)
            given[row] = best
            wait_until(
                page, f"document.querySelector('#about').textContent.trim() !== 'Text {row + 1}'"
            )
            assert page.evaluate("document.activeElement.id") == "item", turn
        assert labels_in(table) == given

        # undo shows the text again; a second undo goes further back
        last = list(given)[-1]
        press(page, "z", "/api/undo")
        wait_until(
            page, f"document.querySelector('#about').textContent.includes('Text {last + 1}')"
        )
        before = list(given)[-2]
        press(page, "Control+z", "/api/undo")
        wait_until(
            page, f"document.querySelector('#about').textContent.includes('Text {before + 1}')"
        )
        del given[last], given[before]
        assert labels_in(table) == given

        press(page, "s", "/api/skip")
        press(page, "u", "/api/undecided")
        with Project.open(table.with_suffix(".hbproject")) as project:
            assert set(project.ledger.state.skipped) == {before}
            assert set(project.ledger.state.undecided) == {last}
        assert page.watch.troubles == []


@pytest.mark.browser
def test_enter_accepts_the_suggestion_but_audit_texts_have_none(browser, table):
    with run_label_quickly(table, "--text", "body") as address:
        page = open_page(browser, address)
        add_classes(page, TOPICS)
        wait_until(page, "document.querySelector('#trust').hidden === false")
        go_to_label(page)
        purposes = set()
        for _ in range(12):
            row = shown_row(page)
            if page.locator("#about .audit").count():
                purposes.add("audit")
                assert (
                    page.inner_text("#about .audit")
                    == "Random check: your own answer, no suggestion"
                )
                assert page.locator(".class.best, mark").count() == 0
                page.keyboard.press("Enter")  # there is nothing to accept
                page.wait_for_timeout(100)
                assert shown_row(page) == row
                press(page, "1")
                continue
            purposes.add("chosen")
            page.wait_for_selector(".class.best")
            name = page.inner_text(".class.best .name")
            assert page.inner_text(".class.best .hint").startswith("suggested")
            press(page, "Enter")
            assert labels_in(table)[row] == name
        assert purposes == {"audit", "chosen"}
        assert page.watch.troubles == []


@pytest.mark.browser
def test_classes_and_resume(browser, table):
    with run_label(table, "--text", "body") as address:
        page = open_page(browser, address)
        add_classes(page, ["billing", "delivery"])
        go_to_label(page)
        page.wait_for_selector(".class >> nth=1")
        first = shown_row(page)
        # a new class for the open text
        page.keyboard.press("n")
        page.keyboard.type("access")
        press(page, "Enter")
        assert labels_in(table) == {first: "access"}
        # rename the third class
        page.keyboard.press("c")
        page.wait_for_selector("#classes-dialog[open]")
        page.focus("#classes-dialog-list li:nth-child(3) button")
        page.keyboard.press("Enter")
        page.wait_for_selector("#class-dialog[open]")
        page.keyboard.type("login")  # the old name is selected
        page.keyboard.press("Enter")
        page.wait_for_selector("#buttons bdi:text-is('login')")
        assert labels_in(table) == {first: "login"}
        # merge it into the first one
        page.focus("#classes-dialog-list li:nth-child(3) button")
        page.keyboard.press("Enter")
        page.focus("#merge-into")
        page.keyboard.type("billing")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("#confirm-dialog[open]")
        assert "1 label of “login” will become “billing”" in page.inner_text("#confirm-text")
        page.keyboard.press("Enter")
        wait_until(page, "document.querySelectorAll('#buttons button').length === 2")
        assert labels_in(table) == {first: "billing"}
        page.keyboard.press("Escape")
        # a note, which stays with the text
        second = shown_row(page)
        page.keyboard.press("e")
        page.keyboard.type("ask Kim")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("#item-note:visible")
        press(page, "2")
        page.close()
    assert labels_in(table) == {first: "billing", second: "delivery"}

    with run_label(table) as address:
        page = open_page(browser, address)
        page.wait_for_selector("#about strong")  # a project with classes opens with the next text
        assert page.inner_text("#counts").startswith("2 of 61 texts labeled")
        assert page.locator("#buttons .name").all_inner_texts() == ["billing", "delivery"]
        press(page, "z", "/api/undo")
        wait_until(
            page, f"document.querySelector('#about').textContent.includes('Text {second + 1}')"
        )
        assert page.inner_text("#item-note") == "Note: ask Kim"
        # delete asks first, and can be undone
        page.keyboard.press("c")
        page.focus("#classes-dialog-list li:nth-child(1) button")
        page.keyboard.press("Enter")
        page.focus("#delete")
        page.keyboard.press("Enter")
        page.wait_for_selector("#confirm-dialog[open]")
        page.keyboard.press("Escape")
        assert labels_in(table) == {first: "billing"}
        page.focus("#delete")
        page.keyboard.press("Enter")
        page.wait_for_selector("#confirm-dialog[open]")
        page.keyboard.press("Enter")
        wait_until(page, "document.querySelectorAll('#buttons button').length === 1")
        page.keyboard.press("Escape")
        assert labels_in(table) == {}
        press(page, "z", "/api/undo")
        wait_until(page, "document.querySelectorAll('#buttons button').length === 2")
        assert labels_in(table) == {first: "billing"}
        assert page.watch.troubles == []


@pytest.mark.browser
def test_a_late_close_event_does_not_answer_the_next_question(browser, table):
    """A dialog says that it was closed in a later task: a busy machine may ask again before."""
    with run_label_quickly(table, "--text", "body") as address:
        page = open_page(browser, address)
        page.wait_for_selector("#add-name:visible")
        answers = page.evaluate(
            """async () => {
                const { ask } = await import("/static/base.js");
                const dialog = document.querySelector("#confirm-dialog");
                const first = ask("First?", "", "Yes");
                dialog.close();
                const second = ask("Second?", "", "Yes");
                await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
                dialog.close("yes");
                return [await first, await second];
            }"""
        )
    assert answers == [False, True]


@pytest.mark.browser
def test_two_tabs_never_get_the_same_text(browser, table):
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        tabs = [open_page(browser, address) for _ in range(2)]
        for tab in tabs:
            tab.wait_for_selector("#about strong")
        given = {}
        for _ in range(10):
            rows = [shown_row(tab) for tab in tabs]
            assert rows[0] != rows[1]
            for at, tab in enumerate(tabs):
                assert rows[at] not in given
                press(tab, str(at + 1))
                given[rows[at]] = ["billing", "delivery"][at]
        assert labels_in(table) == given
        # a class that one tab adds appears in the other one
        tabs[0].keyboard.press("n")
        tabs[0].keyboard.type("access")
        press(tabs[0], "Enter")
        tabs[1].wait_for_selector("#buttons bdi:text-is('access')")
        assert [tab.watch.troubles for tab in tabs] == [[], []]


@pytest.mark.browser
def test_a_failed_answer_keeps_the_text(browser, table):
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        page.wait_for_selector("#about strong")
        row = shown_row(page)
        page.wait_for_load_state("networkidle")  # a key before the buttons are ready does nothing
        page.route("**/api/label", lambda route: route.abort())
        page.keyboard.press("1")
        page.wait_for_selector("#trouble:visible")
        assert page.inner_text("#trouble").startswith("Not saved.")
        assert shown_row(page) == row
        assert labels_in(table) == {}
        page.unroute("**/api/label")
        press(page, "1")
        page.wait_for_selector("#trouble", state="hidden")
        assert labels_in(table) == {row: "billing"}


@pytest.mark.browser
def test_hostile_texts_are_harmless(browser, tmp_path):
    file = tmp_path / "mail.hbproject"  # a CSV file must not contain NUL, a project may
    Project.create(file, [*HOSTILE, *make_texts(6)]).close()
    hostile = "<b onmouseover=alert(3)>x</b>"
    with run_label_quickly(file, "--classes", "billing; delivery") as address:
        page = open_page(browser, address, width=390, height=844)
        page.wait_for_selector("#about strong")
        page.keyboard.press("n")
        page.keyboard.type(hostile)
        press(page, "Enter")
        assert page.locator("#buttons .name").nth(2).inner_text() == hostile
        for turn in range(len(HOSTILE) + 5):
            page.keyboard.press("f")
            assert page.locator("#text :not(mark)").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            press(page, "12"[turn % 2])
        wait_until(page, "document.querySelector('#about').textContent === 'No text is left'")
        for view in ("start", "quality", "review"):
            page.evaluate(f"location.hash = '#{view}'")
            page.wait_for_selector(f"#view-{view}:visible")
            page.wait_for_timeout(500)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.wait_for_selector("#texts li")
        assert page.locator("#texts img, #texts script, #texts svg").count() == 0
        assert page.watch.troubles == []


@pytest.mark.browser
def test_review_by_keyboard(browser, table):
    with run_label_quickly(table, "--text", "body") as address:
        page = open_page(browser, address)
        add_classes(page, TOPICS)
        wait_until(page, "document.querySelector('#trust').hidden === false")
        page.evaluate("location.hash = '#review'")
        page.wait_for_selector("#texts li")
        page.keyboard.press("j")
        row = int(page.evaluate("document.activeElement.dataset.row"))
        press(page, "2")
        page.wait_for_selector(f"#texts li.own[data-row='{row}']")
        assert page.evaluate("document.activeElement.dataset.row") == str(row)
        assert labels_in(table) == {row: "delivery"}
        # accept two answers at once, and take them back
        for _ in range(2):
            page.keyboard.press("j")
            page.keyboard.press("x")
        assert page.inner_text("#accept") == "Accept 2 answers of the model"
        page.focus("#accept")
        press(page, "Enter", "/api/accept")
        page.wait_for_selector("#review-status:has-text('2 answers accepted')")
        assert len(labels_in(table)) == 3
        press(page, "z", "/api/undo")
        page.wait_for_selector("#review-status:has-text('Undid')")
        assert labels_in(table) == {row: "delivery"}
        page.focus("#f-search")
        page.keyboard.type("where is")
        wait_until(page, "document.querySelectorAll('#texts li').length === 1")
        assert "occurs 14 times" in page.inner_text("#texts li")
        assert page.watch.troubles == []


@pytest.mark.browser
def test_no_view_scrolls_sideways(browser, table):
    with run_label_quickly(
        table, "--text", "body", "--classes", "billing; delivery; access"
    ) as address:
        for width, scheme in [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")]:
            if scheme == "light":
                page = open_page(browser, address, width=width)
                page.wait_for_selector("#about strong")
            page.emulate_media(color_scheme=scheme)
            for view in ("start", "label", "quality", "review", "finish"):
                page.evaluate(f"location.hash = '#{view}'")
                page.wait_for_selector(f"#view-{view}:visible")
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                current = page.locator("nav a[aria-current=page]")
                assert current.get_attribute("href") == f"#{view}"
                assert page.locator("h1:visible").count() == 1
                if view == "label":
                    status = page.locator("#model")
                    assert "words only: vectors are switched off" in status.inner_text()
                    assert status.evaluate("line => line.scrollWidth <= line.clientWidth")
            assert page.watch.troubles == []


@pytest.mark.browser
def test_a_column_is_ticked_as_a_source(browser, tmp_path):
    names = list(TOPICS)
    texts = make_texts(60)
    mail, folder = tmp_path / "mail.csv", tmp_path / "work"
    folder.mkdir()
    with mail.open("w", newline="", encoding="utf-8") as file:
        rows = [[text, names[n % 3], str(n)] for n, text in enumerate(texts)]
        csv.writer(file).writerows([["body", "gpt4", "ticket"], *rows])
    with run_page(folder) as address:
        page = open_page(browser, address)
        page.set_input_files("#file", mail)
        page.wait_for_selector("#table-form:visible")
        boxes = page.locator("#t-sources label:visible")
        assert boxes.all_inner_texts() == ["gpt4"]  # neither texts nor ids
        page.select_option("#t-id", "")
        assert boxes.all_inner_texts() == ["gpt4", "ticket"]
        page.focus("#t-sources input[value=ticket]")
        page.keyboard.press("Space")
        page.select_option("#t-id", "ticket")
        page.focus("#t-sources input[value=gpt4]")
        page.keyboard.press("Space")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.focus("#t-begin")
        page.keyboard.press("Enter")
        page.wait_for_selector("#about strong")  # the names of the column are the classes
        wait_until(page, ASK_STATE + ".then(state => state.model?.status === 'ready')")
        state = page.evaluate(ASK_STATE)
        assert sorted(each["name"] for each in state["classes"]) == sorted(names)
        assert page.watch.troubles == []
    with Project.open(folder / "mail.hbproject") as project:
        assert project.settings["sources"] == ["gpt4"]


@pytest.mark.browser
def test_downloads(browser, table):
    with run_label(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        page.wait_for_selector("#about strong")
        press(page, "1")
        page.evaluate("location.hash = '#finish'")
        page.focus("a[data-file='labels.csv']")
        with page.expect_download() as found:
            page.keyboard.press("Enter")
        assert found.value.suggested_filename == "mail.labels.csv"
        rows = list(csv.DictReader(Path(found.value.path()).read_text("utf-8").splitlines()))
        assert [row["label"] for row in rows] == ["billing"] * len(rows)
        page.route("**/export/labels.csv?plain=1", lambda route: asked.append(route.continue_()))
        page.check("#plain-cells")
        asked = []
        with page.expect_download():
            page.click("a[data-file='labels.csv']")
        assert len(asked) == 1
        assert "honeybayes fit mail.hbproject -o model.hb" in page.inner_text("#view-finish")
        assert page.watch.troubles == []


def show_item(page, **fields):
    """Show a text as if the program had suggested it with some fields."""

    def answer(route):
        item = route.fetch().json()["item"] | {"purpose": "chosen", "class_id": 1} | fields
        route.fulfill(json={"item": item})

    page.wait_for_selector("#about strong")
    page.route("**/api/next", answer)
    page.reload()
    page.wait_for_selector("#about strong")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("我的包裹在哪里, 包裹! 包", ["包裹", "在哪", "哪里"], ["包裹在哪里", "包裹"]),
        ("在Python中ﾃﾚﾋﾞを見る", ["python", "レビ", "見る"], ["Python", "ﾚﾋﾞ", "見る"]),
        ("พัสดุอยู่ที่ไหน", ["พัส", "สดุ"], ["พัสดุ"]),
        ("My PARCELS, parcel's cafe\u0301", ["parcels", "caf\u00e9"], ["PARCELS", "cafe\u0301"]),
    ],
)
def test_telling_words_glow_in_every_script(browser, table, text, words, marked):
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        show_item(page, text=text, words=[{"word": word, "lead": 1.0} for word in words])
        page.wait_for_selector("#text mark")
        assert page.locator("#text mark").all_text_contents() == marked
        assert page.text_content("#text") == text
        assert page.watch.troubles == []


@pytest.mark.browser
def test_the_page_says_when_the_meaning_of_the_text_decides(browser, table):
    """A mark is as strong as its word, times how much less all words say than the meaning."""
    item = {"text": "red green blue", "lead_of_words": 2.0}
    item["words"] = [{"word": "red", "lead": 1.0}, {"word": "green", "lead": 0.5}]
    told = "suggested mostly by the meaning of the text"
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        for meaning, marks in [
            (0.0, ["strong", "middle"]),
            (1.9, ["strong", "middle"]),
            (2.5, ["strong", "middle"]),
            (4.0, ["middle", "weak"]),
            (8.0, ["weak"]),
            (40.0, []),
        ]:
            show_item(page, **item, lead_of_meaning=meaning)
            marked = page.locator("#text mark").evaluate_all("all => all.map(one => one.className)")
            assert marked == marks, meaning
            assert (told in page.inner_text("#about")) == (meaning > 2.0)
        show_item(page, **item | {"lead_of_words": -1.0}, lead_of_meaning=0.1)
        assert page.locator("#text mark").count() == 0
        assert told in page.inner_text("#about")
        show_item(page, **item, lead_of_meaning=40.0, purpose="audit", class_id=None)
        assert told not in page.inner_text("#about")
        assert page.watch.troubles == []


@pytest.mark.browser
def test_no_mark_tears_what_is_drawn_as_one(browser, table):
    """Whichever pair of characters is marked, the browser knows a border at both ends."""
    texts = [
        "น้ำใจที่ทำงาน",  # Thai
        "ນ້ຳໃຈທີ່ເຮັດວຽກ",  # Lao
        "ក្រុមបាល់ទាត់ស្ត្រីខ្ញុំ",  # Khmer, also with two consonants below
        "မြန်မာသတ္တဝါအင်္ဂလိပ်ဥက္ကဋ္ဌ",  # Burmese
        "我的包裹在哪里ﾃﾚﾋﾞ",
    ]
    with run_label_quickly(table, "--text", "body", "--classes", "billing; delivery") as address:
        page = open_page(browser, address)
        page.wait_for_selector("#about strong")
        n_pairs, torn = page.evaluate(
            r"""async (texts) => {
                const { highlight } = await import("/static/marks.js");
                let [nPairs, torn] = [0, []];
                for (const text of texts) {
                    const borders = new Set([text.length]);
                    for (const { index } of new Intl.Segmenter().segment(text))
                        if (!/[\u1039\u17d2]/.test(text[index - 1])) borders.add(index);
                    const units = text.match(/\p{L}[\p{M}\uff9e\uff9f]*/gu);
                    for (let i = 1; i < units.length; i++) {
                        const words = new Map([[units[i - 1] + units[i], 1]]);
                        let end = 0;
                        for (const part of highlight(text, words, 1)) {
                            const start = end;
                            end += (part.textContent ?? part).length;
                            const isWhole = borders.has(start) && borders.has(end);
                            if (part.textContent && !isWhole) torn.push(part.textContent);
                        }
                        if (end !== text.length) torn.push("a part is lost");
                        nPairs += 1;
                    }
                }
                return [nPairs, torn];
            }""",
            texts,
        )
        assert n_pairs > 40
        assert torn == []
        assert page.watch.troubles == []


FIND_TEXT = """(element, text) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const start = walker.currentNode.data.indexOf(text);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, start);
        range.setEnd(walker.currentNode, start + text.length);
        return range.getBoundingClientRect().x;
    }
}"""


@pytest.mark.browser
def test_arabic_names_do_not_move_what_stands_beside_them(browser, table):
    sport, travel = "رياضة", "سفر"
    changes = [
        {"is_suspicious": True, "other": 2, "other_confidence": 0.87},
        {"votes": {sport: 2, "Kim": 1}},
        {"source": "person", "who": sport, "purpose": "audit"},
    ]

    def answer_texts(route):
        answer = route.fetch().json()
        for text, fields in zip(answer["texts"], changes, strict=False):
            text |= fields
        route.fulfill(json=answer)

    def answer_state(route):
        state = route.fetch().json()
        state["model"]["seeds_check"] = {"verdict": "poor", "missing": {sport: f"{travel} x3"}}
        route.fulfill(json=state)

    with run_label_quickly(table, "--text", "body", "--classes", f"{sport}; {travel}") as address:
        page = open_page(browser, address)
        show_item(page, said={f"{sport} 4": 2})

        def assert_order(selector, *parts):
            line = page.locator(selector)
            assert line.count() == 1
            places = [line.evaluate(FIND_TEXT, part) for part in parts]
            assert places == sorted(places), parts

        assert_order(f"#about .chip:has-text('{sport}')", sport, ": ", travel)
        page.route("**/api/texts*", answer_texts)
        page.route("**/api/state", answer_state)
        page.evaluate("location.hash = '#review'")
        page.wait_for_selector("#texts .chip.warn")
        line = "#texts li:nth-child({}) .chip:has-text('{}')"
        assert_order(line.format(1, "says"), "says", travel, "87")
        assert_order(line.format(2, "Kim"), sport, ": ", travel, ", ", "Kim")
        assert_order(line.format(3, "label of"), "label of", sport, "random check")
        page.evaluate("location.hash = '#start'")
        page.wait_for_selector("#trust-missing li:has-text('x3')")
        assert_order("#trust-missing li:has-text('x3')", "Words of", sport, "occur", travel)
        assert page.watch.troubles == []
