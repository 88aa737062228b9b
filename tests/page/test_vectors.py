"""Vectors on the page: it is usable before they are there, and takes them when they come."""

from concurrent.futures import Future

import pytest

from honeybayes.labeling import Project
from honeybayes.page.worker import Learner, Worker, WorkerError
from honeybayes.text._load_encoder import PROBES, Multilingual
from tests.page.desks import TEXTS
from tests.page.test_processes import wait_for

N_TEXTS = len(TEXTS) - 1  # the last one repeats the first


@pytest.mark.usefixtures("vectors")
def test_the_page_is_usable_before_the_vectors_are_there(desk, project, classes, get, post):
    learner = Learner(project)  # which only decides here
    asked = []
    learner.ask = lambda kind: asked.append(kind) or Future()
    learner.tick()
    assert asked == ["learn"]  # words first
    desk.learner.learn()
    item = post("next", window="a")["item"]
    assert item["class_id"] in classes
    post("label", row=item["row"], class_id=classes[0], purpose="chosen", window="a")
    learner._keep("learn", desk.learner.ask("learn"))
    learner.tick()
    learner.tick()  # never twice at once
    assert asked == ["learn", "encode"]
    before = learner.learned.turn.answers.confidence
    assert desk.learner.worker.session.pool.vectors.shape[1] == 0
    learner._keep("encode", desk.learner.ask("encode"))
    assert learner.n_to_encode == 0
    learner.tick()
    assert asked == ["learn", "encode", "learn"]  # again, with the vectors
    learner._keep("learn", desk.learner.ask("learn"))
    assert desk.learner.worker.session.pool.vectors.shape[1] == 768
    assert (learner.learned.turn.answers.confidence != before).any()
    learner.tick()
    assert asked.count("encode") == 1  # all have one


@pytest.mark.usefixtures("vectors")
def test_the_page_says_how_many_vectors_are_missing(desk, get, monkeypatch):
    def told():
        return get("state")["model"]["vectors"]

    assert told() == "vectors to come"  # how many, only the worker knows
    monkeypatch.setattr("honeybayes.page.worker.AT_ONCE", 5)
    monkeypatch.setattr("honeybayes.page.worker.LONGEST", 0)
    desk.learner._keep("encode", desk.learner.ask("encode"))
    assert told() == f"vectors of {N_TEXTS - 5} texts to come"
    desk.learner.n_to_encode = 1
    assert told() == "vectors of 1 text to come"
    desk.learner.n_to_encode = 12_345
    assert told() == "vectors of 12,345 texts to come"
    while desk.learner.n_to_encode:
        desk.learner._keep("encode", desk.learner.ask("encode"))
    assert told() == "words and vectors"
    failed = Future()
    failed.set_exception(WorkerError("The weights are damaged."))
    desk.learner._keep("encode", failed)
    assert told() == "words only: The weights are damaged."
    desk.learner.learn()  # with the words
    assert not desk.learner._can_encode()


@pytest.mark.usefixtures("vectors")
def test_a_new_worker_finds_the_vectors_in_the_cache(desk, project, monkeypatch):
    desk.learner.ask("encode").result()
    again, encoded = Worker(str(project.path)), []
    own = Multilingual.encode
    monkeypatch.setattr(
        Multilingual, "encode", lambda self, texts: encoded.extend(texts) or own(self, texts)
    )
    assert again.answer("encode") == 0
    assert again.session.pool.vectors.shape[1] == 768
    assert set(encoded) <= set(PROBES)
    again.session.project.close()


@pytest.mark.process
@pytest.mark.usefixtures("vectors")
def test_the_process_of_the_worker_takes_the_vectors_when_they_come(project, classes):
    learner = Learner(project)
    try:
        learner.tick()
        wait_for(lambda: learner.status == "ready")
        words = learner.learned.turn.answers  # with which the page works
        while learner.n_to_encode != 0:
            learner.tick()
            wait_for(lambda: not learner._doing)
        learner.tick()
        assert learner.status == "learning"
        wait_for(lambda: learner.status == "ready")
        assert (learner.learned.turn.answers.confidence != words.confidence).any()
    finally:
        learner.close()


def test_without_an_encoder_nothing_is_encoded(desk, project, classes):
    learner = Learner(project)
    learner._keep("learn", desk.learner.ask("learn"))
    assert not learner._can_encode()
    assert learner.vectors == "words only: vectors are switched off"


@pytest.mark.usefixtures("vectors")
def test_the_page_says_that_the_encoder_cannot_read_the_letters(tmp_path):
    texts = [f"გამარჯობა {at}" for at in range(200)]  # Georgian
    with Project.create(tmp_path / "x.hbproject", texts) as project:
        assert Learner(project).vectors == "words only: multilingual cannot read the letters"


@pytest.mark.usefixtures("vectors")
def test_the_page_asks_again_about_the_letters_when_the_table_has_grown(tmp_path):
    texts = [f"გამარჯობა {at}" for at in range(20)]
    with Project.create(tmp_path / "x.hbproject", texts) as project:
        learner = Learner(project)
        learner.ask = lambda kind: Future()
        project.add_texts([f"where is parcel {at}" for at in range(200)])
        learner.tick()
        assert learner.vectors == "vectors to come"


@pytest.mark.usefixtures("no_vectors")
def test_the_page_says_how_to_get_vectors(project):
    needed = "words only: vectors need pip install 'honeybayes[vectors]'"
    assert Learner(project).vectors == needed


@pytest.mark.usefixtures("vectors")
def test_new_texts_get_vectors_too(desk, project, classes):
    learner = Learner(project)
    learner.ask = lambda kind: Future()
    learner._keep("learn", desk.learner.ask("learn"))
    learner._keep("encode", desk.learner.ask("encode"))
    learner._keep("learn", desk.learner.ask("learn"))
    assert learner.vectors == "words and vectors"
    learner._learned_rows -= 1  # as if a text had been added
    learner.tick()
    assert learner._doing == "learn"  # with the words
    assert learner.vectors == "vectors to come"
    learner._keep("learn", desk.learner.ask("learn"))
    learner.tick()
    assert learner._doing == "encode"
