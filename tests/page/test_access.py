"""Who may use the page: everything that is not the page itself is refused."""

import pytest

from honeybayes.page.access import HEADERS as SECURITY
from honeybayes.page.access import LARGEST_BODY, Access, is_loopback
from tests.page.desks import HEADERS, HOST, PORT, TOKEN, Browser

OWN = f"http://{HOST}"


PRIVATE = ["/api/state", "/api/office", "/api/enter", "/export/answers.csv", "/api/no"]


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", "1"])
@pytest.mark.parametrize("path", PRIVATE)
def test_nothing_private_is_shown_without_the_token(stranger, path, token):
    stranger.token = token
    answer = stranger.get(path)
    assert (answer.status_code, answer.headers["connection"]) == (401, "close")
    assert "Open the address that honeybayes printed" in answer.json()["error"]


def test_the_token_is_in_a_header_and_no_cookie_is_set(stranger):
    """Finding: cookies reach servers of other users at other ports of this computer."""
    for cookie in (f"honeybayes-{PORT}={TOKEN}", f"X-Honeybayes={TOKEN}"):
        assert stranger.get("/api/state", headers={"Cookie": cookie}).status_code == 401
    assert stranger.get(f"/api/state?token={TOKEN}").status_code == 401
    stranger.token = TOKEN
    for path in ("/", "/api/state", "/api/enter", f"/?token={TOKEN}"):
        answer = stranger.get(path)
        assert answer.status_code == 200
        assert "set-cookie" not in answer.headers


def test_what_everybody_may_load_says_nothing_about_the_project(stranger, project, classes):
    for path in ("/", "/static/page.js", "/static/base.js", "/static/page.html"):
        text = stranger.get(path).text
        assert text
        assert all(word not in text for word in (TOKEN, project.path.stem + ".", str(project.path)))


def test_a_token_for_one_time_opens_the_page_once(stranger):
    stranger.app.once["once"] = TOKEN
    stranger.token = "once"
    assert stranger.get("/api/state").status_code == 401  # it opens the page, and nothing else
    assert stranger.post("/api/enter", json={}).json() == {"token": TOKEN}
    assert stranger.post("/api/enter", json={}).status_code == 401
    stranger.token = TOKEN
    assert stranger.post("/api/enter", json={}).json() == {"token": TOKEN}


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "", ":"]
)
def test_a_foreign_host_is_refused(browser, host):
    answer = browser.get("/api/state", headers={"Host": host})
    assert answer.status_code == 403
    assert str(PORT) in answer.json()["error"]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_loopback_names_are_hosts(browser, name):
    assert browser.get("/api/state", headers={"Host": f"{name}:{PORT}"}).status_code == 200


@pytest.mark.parametrize(
    ("listening", "host", "status"),
    [
        ("0.0.0.0", "192.168.1.2:8765", 200),
        ("0.0.0.0", "[fe80::1]:8765", 200),
        ("0.0.0.0", "evil.example:8765", 403),
        ("box.example", "box.example:8765", 200),
        ("box.example", "192.168.1.2:8765", 403),
        ("::1", "[::1]:8765", 200),
    ],
)
def test_hosts_if_others_may_reach_the_page(stranger, listening, host, status):
    app = Access(stranger.app.app, {TOKEN: "ada"}, PORT, listening)
    browser = Browser(app, host, TOKEN)
    assert browser.get("/api/state").status_code == status


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://{HOST}", "http://localhost"]
)
def test_a_foreign_origin_is_refused(browser, origin, project):
    answer = browser.post("/api/classes", json={"name": "x"}, headers={**HEADERS, "Origin": origin})
    assert answer.status_code == 403
    assert project.classes == []


@pytest.mark.parametrize("origin", [{}, {"Origin": OWN}])
def test_the_own_origin_is_allowed(browser, origin):
    answer = browser.post("/api/classes", json={"name": "x"}, headers=HEADERS | origin)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Honeybayes": "1", "Content-Type": "application/json"}, 401),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({}, 415),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE", "PUT"])
def test_what_a_form_on_another_page_could_send_is_refused(browser, method, headers, status):
    answer = browser.request(method, "/api/classes", content=b'{"name": "x"}', headers=headers)
    assert answer.status_code == status


def test_a_large_body_is_refused(browser, refused, project):
    name = "x" * LARGEST_BODY
    assert "too large" in refused("classes", {"name": name}, status=413)

    async def in_pieces():
        for _ in range(30):
            yield b" " * (LARGEST_BODY // 20)

    answer = browser.post("/api/classes", content=in_pieces(), headers=HEADERS)
    assert answer.status_code == 413
    assert "too large" in answer.json()["error"]
    assert project.classes == []


@pytest.mark.parametrize("path", ["/", "/api/state", "/no", "/export/answers.csv", "/static/no"])
@pytest.mark.parametrize("known", [True, False])
def test_every_answer_has_the_headers(stranger, path, known):
    stranger.token = TOKEN if known else None
    answer = stranger.get(path)
    assert {name: answer.headers[name] for name in SECURITY} == SECURITY
    assert "access-control-allow-origin" not in answer.headers


def test_only_own_scripts_and_styles_run(browser):
    parts = dict(
        part.strip().split(" ", 1)
        for part in browser.get("/").headers["content-security-policy"].split(";")
    )
    assert parts.pop("default-src") == "'none'"
    assert parts.pop("require-trusted-types-for") == "'script'"
    assert set(parts.values()) == {"'self'", "'none'"}
    assert {"form-action", "frame-ancestors", "base-uri", "script-src"} <= set(parts)
    page = browser.get("/").text
    assert page.count("<script") == page.count('<script type="module" src="/static/')
    assert " style=" not in page
    assert " onclick=" not in page


def test_there_are_no_cors_answers(browser):
    asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = browser.request("OPTIONS", "/api/label", headers=asked)
    assert answer.status_code == 403


def test_loopback():
    assert [is_loopback(host) for host in ("127.0.0.1", "127.1.2.3", "localhost", "::1")] == [
        True
    ] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "10.0.0.1", "box", "::")] == [False] * 4
