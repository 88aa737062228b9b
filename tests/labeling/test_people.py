"""Several persons label one project."""

import numpy as np
import pytest

from honeybayes.labeling import LabelingSession, Project, join_projects
from honeybayes.labeling.answers import fit_classifier, import_labels
from honeybayes.labeling.turn import pick_double

TEXTS = [f"text number {n}" for n in range(40)]


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "mail.hbproject"
    with Project.create(path, TEXTS, who="ann") as ann, Project.open(path, "ben") as ben:
        ann.add_class("x")
        ann.add_class("y")
        ben.refresh()
        yield ann, ben


def state_of(project):
    project.refresh()
    return project.ledger.state


def test_a_second_answer_is_a_vote_and_leaves_the_label(two):
    ann, ben = two
    ann.label(0, 1, "audit")
    ben.label(0, 2, "double")
    state = state_of(ann)
    assert (state.labels[0].class_id, state.labels[0].who) == (1, "ann")
    assert state.double == state.disagreements == {0: {"ann": 1, "ben": 2}}
    assert state.other_votes == [(0, 2)]
    assert state.audit == {0: 1}


def test_who_answers_a_text_that_another_person_has_labeled_since_adds_a_vote(two):
    """As with two servers on one file: both have shown the same text."""
    ann, ben = two
    ann.label(3, 1)
    ben.label(3, 2)
    assert state_of(ann).labels[3].who == "ann"
    assert state_of(ann).disagreements == {3: {"ann": 1, "ben": 2}}


def test_a_disagreement_is_settled_in_the_review(two):
    ann, ben = two
    ann.label(0, 1)
    ben.label(0, 2, "double")
    ben.label(0, 2, "review")
    state = state_of(ann)
    assert state.labels[0].class_id == 2
    assert state.disagreements == {}
    assert state.double == {0: {"ann": 1, "ben": 2}}  # what was said stays said
    assert state.other_votes == []
    ben.undo()
    assert list(state_of(ann).disagreements) == [0]


def test_one_may_correct_oneself_before_another_person_answers(two):
    ann, ben = two
    ann.label(0, 1)
    ann.label(0, 2, "review")
    ben.label(0, 2, "double")
    assert state_of(ann).disagreements == {}


@pytest.mark.parametrize("how", ["skip", "mark_undecided"])
def test_a_second_person_may_abstain(two, how):
    ann, ben = two
    ann.label(0, 1)
    getattr(ben, how)(0, "double")
    state = state_of(ann)
    assert state.labels[0].class_id == 1
    assert not state.double
    assert pick_double(state, "ben", ()) is None


def test_votes_follow_merges_and_deletions(two):
    ann, ben = two
    ann.add_class("z")
    ann.label(0, 1)
    ben.label(0, 2, "double")
    ann.merge_classes(2, 1)
    assert state_of(ann).double == {0: {"ann": 1, "ben": 1}}
    ann.delete_class(1)
    assert state_of(ann).double == {}


def test_one_text_in_ten_is_for_a_second_person_random_ones_first(two):
    ann, ben = two
    for row in range(20):
        ann.label(row, 1 + row % 2, "audit" if row % 5 == 4 else "chosen")
    shown = []
    for row in range(20, 40):
        while (found := pick_double(state_of(ben), "ben", ())) is not None:
            shown.append(found.row)
            ben.label(found.row, 1, "double")
        ben.label(row, 1)
    assert shown == [4, 9]
    assert pick_double(state_of(ann), "ann", ()).row == 20
    assert pick_double(state_of(ann), "ann", {20}).row == 21


def test_history_tells_who_said_what(two):
    ann, ben = two
    ann.label(0, 1)
    ann.label(1, 1)
    ben.note(0, "why?")
    ben.label(0, 2, "double")
    ann.undo()
    state_of(ann)
    assert [(each.who, each.kind) for each in ann.ledger.history(0)] == [
        ("ann", "label"),
        ("ben", "note"),
        ("ben", "label"),
    ]
    assert ann.ledger.history(1) == []


def test_votes_that_disagree_are_soft_labels(two):
    """A text with two different votes pulls the model to neither side."""
    texts = [f"{word} {n}" for n in range(6) for word in ("parcel courier", "invoice charge")]
    texts.append("mystery mystery")
    session = LabelingSession(texts, classes={"a": "parcel", "b": "invoice"}, who="ann")
    for row in range(4):
        session.record(row, "ab"[row % 2])
    session.record(12, "a")
    hard = session.refit().answers.confidence[12]
    project = session.project
    for row in (12,):
        project.clear(row)
        project.label(row, 1)
        with project.acting_as("ben"):
            project.label(row, 2, "double")
    soft = session.refit().answers.confidence[12]
    assert soft < hard
    found = fit_classifier(project).predict_proba(["mystery mystery"])[0]
    assert np.ptp(found) < 0.2


def test_the_project_of_another_person_is_joined(tmp_path):
    texts = [f"text number {n}" for n in range(6)]
    with (
        Project.create(tmp_path / "ann.hbproject", texts, who="ann") as ann,
        Project.create(tmp_path / "ben.hbproject", [*reversed(texts), "more"], who="ben") as ben,
    ):
        a, b = (ann.add_class(name).id for name in "xy")
        ann.label(0, a, "audit")
        ann.label(1, b)
        y, _, z = (ben.add_class(name).id for name in ("Y", "x", "z"))
        ben.label(5, y, "audit")  # the first text
        ben.label(4, y)
        ben.label(0, z)
        ben.label(6, z)
        ben.note(5, "hm")
        assert join_projects(ann, tmp_path / "ben.hbproject") == 3
        assert join_projects(ann, tmp_path / "ben.hbproject") == 0
        state = ann.ledger.state
        assert state.names == {1: "x", 2: "y", 3: "z"}
        assert state.votes == {0: {"ann": a, "ben": b}, 1: {"ann": b, "ben": b}, 5: {"ben": 3}}
        assert [each.who for each in state.labels.values()] == ["ann", "ann", "ben"]
        assert state.notes == {0: "hm"}
        assert list(state.disagreements) == [0]
    with Project.create(None, ["other"]) as other, pytest.raises(ValueError, match="None of"):
        join_projects(other, tmp_path / "ben.hbproject")


def test_undecided_does_not_remove_what_another_person_has_said_since(two):
    ann, ben = two
    ann.label(0, 1)
    ben.mark_undecided(0)
    state = state_of(ann)
    assert state.labels[0].who == "ann"
    assert state.undecided == {}
    assert state.votes == {0: {"ann": 1, "ben": 0}}
    ben.mark_undecided(0, "review")  # who has seen the label may say so
    assert state_of(ann).labels == {}


@pytest.mark.parametrize("how", ["delete", "rename"])
def test_undo_does_not_lead_to_two_classes_with_one_name(two, how):
    ann, ben = two
    if how == "delete":
        ann.delete_class(1)
    else:
        ann.change_class(1, "z")
    ben.add_class("X")
    with pytest.raises(ValueError, match="cannot be undone"):
        ann.undo()
    ben.undo()
    ann.undo()
    assert sorted(state_of(ben).names.values()) == ["x", "y"]


def test_a_label_that_was_corrected_or_settled_is_joined_as_it_is(tmp_path):
    path = tmp_path / "ben.hbproject"
    with Project.create(None, TEXTS, who="ann") as ann, Project.create(path, TEXTS) as ben:
        x, y = (ben.add_class(name).id for name in "xy")
        for who, row, id, purpose in [
            ("ben", 0, x, "chosen"),
            ("cem", 0, y, "review"),
            ("ben", 1, x, "audit"),
            ("cem", 1, y, "double"),
            ("ben", 1, y, "review"),
            ("ben", 2, x, "imported"),
        ]:
            with ben.acting_as(who):
                ben.label(row, id, purpose)
        theirs = ben.ledger.state
        join_projects(ann, path)
        state = ann.ledger.state
        for part in ("votes", "settled", "audit"):
            assert getattr(state, part) == getattr(theirs, part)
        kept = [(each.class_id, each.purpose, each.who) for each in state.labels.values()]
        assert kept == [(y, "review", "cem"), (y, "audit", "ben"), (x, "imported", "ben")]
        assert join_projects(ann, path) == 0


def test_labels_of_a_copy_are_not_joined_again(tmp_path):
    path = tmp_path / "ann.hbproject"
    with Project.create(path, TEXTS, who="ann") as ann:
        import_labels(ann, ["x", "y"] * 20)
        (tmp_path / "copy.hbproject").write_bytes(path.read_bytes())
        assert join_projects(ann, tmp_path / "copy.hbproject") == 0
        assert ann.ledger.state.votes == {}
