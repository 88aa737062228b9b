import pytest

pytest.importorskip("starlette", reason="needs starlette (extra: label)")
pytest.importorskip("uvicorn", reason="needs uvicorn (extra: label)")
pytest.importorskip("httpx", reason="needs httpx (extra: dev)")

from honeybayes.labeling import Project
from honeybayes.page.app import make_app
from honeybayes.page.desk import Desk
from tests.page.desks import HEADERS, PORT, TEXTS, TOKEN, Browser, InlineLearner, office_of


@pytest.fixture
def project(tmp_path):
    cells = [[text, str(n)] for n, text in enumerate(TEXTS)]
    settings = {"columns": ["body", "n"], "text": "body", "language": "english"}
    path = tmp_path / "mail.hbproject"
    with Project.create(path, TEXTS, cells=cells, settings=settings) as project:
        yield project


@pytest.fixture
def desk(project):
    desk = Desk(project, InlineLearner(project))
    yield desk
    desk.learner.close()


@pytest.fixture
def classes(project):
    """Two classes: their numbers."""
    return [
        project.add_class("delivery", "parcel courier").id,
        project.add_class("billing", "invoice charged").id,
    ]


@pytest.fixture
def stranger(desk):
    """A browser that does not know the token."""
    return Browser(make_app(office_of(desk), {TOKEN: desk.project.who}, PORT))


@pytest.fixture
def browser(stranger):
    """A browser that has opened the address with the token."""
    stranger.token = TOKEN
    return stranger


@pytest.fixture
def post(browser):
    """Send a change that must work; return the answer."""

    def post(path, method="POST", **fields):
        answer = browser.request(method, f"/api/{path}", json=fields, headers=HEADERS)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return post


@pytest.fixture
def get(browser):
    """Read something that must be there."""

    def get(path, **fields):
        answer = browser.get(f"/api/{path}", params=fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return get


@pytest.fixture
def refused(browser):
    """Send a change that must be refused; return the sentence that says why."""

    def refused(path, fields=None, method="POST", status=400, content=None):
        body = {"json": fields} if content is None else {"content": content}
        answer = browser.request(method, f"/api/{path}", headers=HEADERS, **body)
        assert answer.status_code == status, answer.text
        assert list(answer.json()) == ["error"]
        assert answer.json()["error"].endswith(".")
        return answer.json()["error"]

    return refused
