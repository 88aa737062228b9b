"""The ledger: the state is what the events lead to, and undo leads back."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeybayes.labeling import Project
from honeybayes.labeling.ledger import PURPOSES, Event, Ledger

ROWS = st.integers(0, 5)
TEXTS = ["a", "b", "c", "d", "e", "f"]


def event(number, kind, **value):
    return Event(number, "2026-01-01T00:00:00.000+00:00", "ada", kind, value)


def add_class(id, number, name):
    return event(id, "add_class", id=number, name=name, words="", definition="")


def test_the_newest_label_counts_and_comes_last():
    ledger = Ledger([add_class(1, 1, "x"), add_class(2, 2, "y")])
    ledger.extend(event(3 + row, "label", rows=[row], id=1, purpose="chosen") for row in (0, 1))
    ledger.extend([event(5, "label", rows=[0], id=2, purpose="review")])
    assert [(row, each.class_id) for row, each in ledger.state.labels.items()] == [(1, 1), (0, 2)]


@pytest.mark.parametrize("purpose", sorted({*PURPOSES} - {"double"}))
def test_a_corrected_text_of_the_audit_stays_in_the_audit(purpose):
    ledger = Ledger([add_class(1, 1, "x"), add_class(2, 2, "y")])
    ledger.extend([event(3, "label", rows=[0], id=1, purpose="audit")])
    ledger.extend([event(4, "label", rows=[0], id=2, purpose=purpose)])
    assert ledger.state.labels[0].class_id == 2
    assert ledger.state.labels[0].purpose == "audit"


@pytest.mark.parametrize("passed", ["skip", "undecided"])
def test_a_text_of_the_audit_that_was_passed_over_stays_in_the_audit(passed):
    ledger = Ledger([add_class(1, 1, "x"), event(2, passed, row=0, purpose="audit")])
    ledger.extend([event(3, "undecided", row=0, purpose="review")])
    assert ledger.state.undecided == {0: "audit"}
    ledger.extend([event(4, "label", rows=[0], id=1, purpose="review")])
    assert ledger.state.labels[0].purpose == "audit"


@pytest.mark.parametrize("passed", ["skip", "undecided"])
def test_an_accepted_answer_of_the_model_is_no_evidence_about_the_model(passed):
    ledger = Ledger([add_class(1, 1, "x"), event(2, passed, row=0, purpose="audit")])
    ledger.extend([event(3, "label_many", rows=[0], ids=[1], purpose="accepted")])
    assert ledger.state.labels[0].purpose == "accepted"


def test_an_undecided_text_has_no_label_and_a_skipped_one_keeps_it():
    ledger = Ledger([add_class(1, 1, "x")])
    ledger.extend(event(2 + row, "label", rows=[row], id=1, purpose="audit") for row in (0, 1))
    ledger.extend([event(4, "undecided", row=0, purpose="review")])
    ledger.extend([event(5, "skip", row=1, purpose="review")])
    assert list(ledger.state.labels) == [1]
    assert ledger.state.undecided == {0: "audit"}
    assert ledger.state.skipped == {}


def test_the_way_of_merged_classes_is_known():
    ledger = Ledger([add_class(number, number, str(number)) for number in (1, 2, 3)])
    ledger.extend([event(4, "merge_classes", id=1, into=2)])
    ledger.extend([event(5, "merge_classes", id=2, into=3)])
    assert ledger.state.merged == {1: 3, 2: 3}
    ledger.extend([event(6, "undo", event=5)])
    assert ledger.state.merged == {1: 2}


def test_a_number_of_a_class_is_never_used_again():
    ledger = Ledger([add_class(1, 1, "x"), event(2, "delete_class", id=1)])
    assert ledger.next_class_id() == 2
    ledger.extend([add_class(3, 2, "y"), event(4, "undo", event=3)])
    assert ledger.next_class_id() == 3


def test_any_event_can_be_undone_in_any_order():
    """Two processes may undo at the same moment; so the state never depends on the order."""
    rng = np.random.default_rng(0)
    events = [add_class(1, 1, "x"), add_class(2, 2, "y")]
    for id in range(3, 30):
        row, number = rng.integers(0, 6), rng.integers(1, 3)
        events.append(event(id, "label", rows=[int(row)], id=int(number), purpose="chosen"))
    ledger, left = Ledger(events), events
    for at, undone in enumerate(rng.permutation(np.arange(3, 30)).tolist(), start=30):
        ledger.extend([event(at, "undo", event=undone)])
        left = [each for each in left if each.id != undone]
        assert with_order(ledger.state) == with_order(Ledger(left).state)


def act(project, draw):
    """Do something at random that the project allows; return False if it changes nothing."""
    ids = [each.id for each in project.classes]
    kinds = ["add_class", "note", "skip", "undecided", "clear"]
    kinds += ["label", "label_many", "change_class", "delete_class"] if ids else []
    kinds += ["merge_classes"] if len(ids) > 1 else []
    kind = draw(st.sampled_from(kinds))
    id = draw(st.sampled_from(ids)) if ids else None
    row, rows = draw(ROWS), draw(st.lists(ROWS, min_size=1))
    purpose = draw(st.sampled_from(PURPOSES))
    before = project.ledger.last_id
    if kind == "add_class":
        project.add_class(f"class {project.ledger.next_class_id()}", draw(st.text("ab ")))
    elif kind == "note":
        project.note(row, draw(st.sampled_from(["", "why?"])))
    elif kind == "skip":
        project.skip(row, purpose)
    elif kind == "undecided":
        project.mark_undecided(row, purpose)
    elif kind == "clear":
        project.clear(rows)
    elif kind == "label":
        project.label(rows, id, purpose)
    elif kind == "label_many":
        project.label_many(rows, [draw(st.sampled_from(ids)) for _ in rows], purpose)
    elif kind == "change_class":
        project.change_class(id, f"renamed {before}", draw(st.sampled_from([None, "", "words"])))
    elif kind == "merge_classes":
        project.merge_classes(id, draw(st.sampled_from([each for each in ids if each != id])))
    else:
        project.delete_class(id)
    return project.ledger.last_id > before


def with_order(state):
    """The state, with the order of what it holds."""
    return [list(deepcopy(part).items()) for part in vars(state).values()]


@settings(deadline=None, max_examples=90)
@given(data=st.data())
def test_undo_leads_back_through_all_states(data):
    project = Project.create(None, TEXTS)
    states = [with_order(project.ledger.state)]
    for _ in range(data.draw(st.integers(0, 25), label="steps")):
        if data.draw(st.integers(0, 3), label="undo if 0") == 0:
            assert (project.undo() is not None) == (len(states) > 1)
            states = states[: max(1, len(states) - 1)]
        elif act(project, data.draw):
            states.append(with_order(project.ledger.state))
        assert with_order(project.ledger.state) == states[-1]
        # a person who opens the file later sees the same
        assert with_order(Ledger(project.ledger.events).state) == states[-1]
    while len(states) > 1:
        assert project.undo() is not None
        states.pop()
        assert with_order(project.ledger.state) == states[-1]
    assert project.undo() is None


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_label_has_a_class(data):
    project = Project.create(None, TEXTS)
    for _ in range(data.draw(st.integers(0, 25))):
        if data.draw(st.booleans()):
            project.undo()
        else:
            act(project, data.draw)
        state = project.ledger.state
        assert {each.class_id for each in state.labels.values()} <= set(state.classes)
        groups = state.labels, state.skipped, state.undecided
        assert len(set().union(*groups)) == sum(map(len, groups))
