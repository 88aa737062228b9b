"""Sessions: suggestions, the audit, answers and exports."""

import csv
import json
from importlib.resources import files

import numpy as np
import pytest

import honeybayes.tables
from honeybayes.labeling import (
    LabelingSession,
    Project,
    read_project,
    simulate,
)
from honeybayes.labeling.pool import Pool, find_groups
from honeybayes.labeling.strategies import random as choose_at_random
from honeybayes.labeling.turn import LiveModel
from honeybayes.text import match_seeds


def label_some(session, labels, n):
    for _ in range(n):
        [suggestion] = session.suggest()
        session.record(suggestion.row, labels[suggestion.row])


def read_rows(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def accuracy(session, labels):
    return np.mean([one == two for one, two in zip(session.predict(), labels, strict=True)])


def test_a_session_goes_from_nothing_to_good_answers(topical):
    texts, labels = topical
    session = LabelingSession(texts)
    assert session.suggest()[0].class_id is None
    label_some(session, labels, 15)
    assert accuracy(session, labels) > 0.9
    assert {each.name for each in session.project.classes} == set(labels)


def test_held_out_answers_are_of_models_that_have_not_learned_the_label(topical, monkeypatch):
    texts, labels = topical
    given = [each if row < 30 else None for row, each in enumerate(labels)]
    given[31] = "alone"  # without its label, no model could know this class
    session = LabelingSession(texts, labels=given)
    learn, known = LiveModel.fit, []

    def watch(model, shown, classes, sources, asked=None, **more):
        if asked is not None:
            known.append((set(np.flatnonzero(shown).tolist()), asked.tolist()))
        return learn(model, shown, classes, sources, asked, **more)

    monkeypatch.setattr(LiveModel, "fit", watch)
    session.refit()
    assert not known
    found = session.hold_out()
    assert all(not shown & set(asked) for shown, asked in known)
    assert all(shown | set(asked) == {*range(30), 31} for shown, asked in known)
    assert sorted(row for _, asked in known for row in asked) == sorted(found) == list(range(30))
    names = {each.id: each.name for each in session.project.classes}
    right = np.mean([names[id] == labels[row] for row, (id, _) in found.items()])
    assert right > 0.9
    assert all(0 <= confidence <= 1 for _, confidence in found.values())
    assert LabelingSession(texts).hold_out() == {}


def test_held_out_answers_find_wrong_labels():
    """Twelve labels of the mailbox are wrong on purpose; one of them is of a repeated text."""
    rows = files(honeybayes.tables).joinpath("mailbox.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(row) for row in rows]
    session = LabelingSession(
        [row["text"] for row in rows], labels=[row["label"] or None for row in rows]
    )
    wrong = {at for at, row in enumerate(rows) if row["label"] != row["truth"]}
    assert len(wrong) == 12
    labels, answers = session.project.ledger.state.labels, session.refit().answers
    learned = {
        int(row): (id, confidence)
        for row, id, confidence in zip(
            session.pool.rows, answers.first, answers.confidence, strict=True
        )
    }

    def n_found(said):
        doubted = {
            row: -confidence
            for row, (id, confidence) in said.items()
            if row in labels and id != labels[row].class_id and confidence >= 0.8
        }
        return len(wrong.intersection(sorted(doubted, key=doubted.get)[:24]))

    assert n_found(learned) <= 8  # the model repeats much of what it has learned
    assert n_found(session.hold_out()) >= 10


def test_class_names_give_suggestions_before_the_first_label(topical):
    texts, labels = topical
    session = LabelingSession(texts, ["delivery: parcel", "billing", "account"])
    assert session.suggest()[0].class_id is not None
    session = LabelingSession(
        texts, {"delivery": "parcel courier", "billing": "invoice", "account": ["password"]}
    )
    assert accuracy(session, labels) > 0.8
    assert session.turn.seeds_check["verdict"] in ("good", "unsure", "poor")
    [suggestion] = session.suggest()
    assert session.name_of(suggestion) == labels[suggestion.row]
    assert {word.word for word in suggestion.words} <= set(texts[suggestion.row].split())


def test_one_text_in_five_belongs_to_the_audit_and_has_no_suggestion(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=20)
    purposes = []
    for _ in range(20):
        [suggestion] = session.suggest()
        purposes.append(suggestion.purpose)
        if suggestion.purpose == "audit":
            assert suggestion.class_id is None
            assert suggestion.words == ()
        session.record(suggestion.row, labels[suggestion.row])
    assert [at for at, each in enumerate(purposes) if each == "audit"] == [4, 9, 14, 19]
    assert session.estimate().audit.n == 4


def test_labels_of_the_audit_change_neither_the_choice_nor_the_estimated_model(topical):
    texts, labels = topical
    numbers = {name: number for number, name in enumerate(dict.fromkeys(labels), 1)}
    chosen, audited = range(0, 30, 2), range(1, 30, 6)
    turns = []
    for shift in (0, 1):  # the second time, all labels of the audit are other ones
        given = {row: numbers[labels[row]] for row in chosen}
        given |= {row: (numbers[labels[row]] + shift) % 3 + 1 for row in audited}
        with Project.create(None, texts) as project:
            for name in numbers:
                project.add_class(name)
            for row, number in given.items():
                project.label(row, number, "audit" if row in audited else "chosen")
            turns.append(LabelingSession.open(project).refit())
    first, second = turns
    assert [each.row for each in first.chosen] == [each.row for each in second.chosen]
    np.testing.assert_array_equal(first.measured.first, second.measured.first)
    assert (first.answers.first != second.answers.first).any()  # the other model has learned them


def test_the_audit_is_a_random_order_that_labels_do_not_change(topical):
    texts, labels = topical
    orders = []
    for n in (0, 15):
        session = LabelingSession(texts, random_state=3, batch=20)
        label_some(session, labels, n)
        audit = [each.row for each in session.refit().audit]
        orders.append([row for row in audit if row not in session.project.ledger.state.labels])
    rest = [row for row in orders[0] if row in orders[1]]
    assert len(rest) >= 10
    assert rest == [row for row in orders[1] if row in orders[0]]


def test_the_same_seed_gives_the_same_suggestions(topical):
    texts, labels = topical
    histories = []
    for seed in (1, 1, 2):
        session = LabelingSession(texts, random_state=seed, batch=6)
        label_some(session, labels, 12)
        histories.append(list(session.project.ledger.state.labels))
    assert histories[0] == histories[1]
    assert histories[0] != histories[2]


def test_undo_and_open_again(topical, tmp_path):
    texts, labels = topical
    path = tmp_path / "mail.hbproject"
    session = LabelingSession(texts, path=path, who="ana", batch=20)
    label_some(session, labels, 7)
    before = dict(session.project.ledger.state.labels)
    session.record(0, "something else")
    session.project.undo()  # the label
    session.project.undo()  # the class
    session.project.close()
    again = LabelingSession.open(path, batch=20)
    assert again.project.ledger.state.labels == before
    assert {each.who for each in before.values()} == {"ana"}
    label_some(again, labels, 8)
    assert len(again.project.ledger.state.labels) == 15
    assert again.project.undo().kind == "label"


def test_texts_that_another_process_adds_wait_for_the_next_session(topical, tmp_path):
    texts, labels = topical
    path = tmp_path / "mail.hbproject"
    session = LabelingSession(texts, path=path, batch=20)
    label_some(session, labels, 12)
    with Project.open(path) as other:
        other.add_texts(["a parcel that came later", "an invoice that came later"])
        other.skip(len(texts))
    turn = session.refit()
    assert turn.n_labels == 12
    assert max(each.row for each in session.suggest(5)) < len(texts)
    assert set(session.hold_out()) <= set(range(len(texts)))


def test_skipped_and_undecided_texts_do_not_come_again(topical):
    texts, _ = topical
    session = LabelingSession(texts)
    seen = []
    for act in [session.skip, session.mark_undecided] * 6:
        [suggestion] = session.suggest()
        seen.append(suggestion.row)
        act(suggestion.row)
    assert len(set(seen)) == 12
    assert session.estimate().n_undecided_audit == 2


def test_identical_texts_are_labeled_once(topical):
    texts, labels = topical
    session = LabelingSession([*texts, texts[5].upper(), f"  {texts[5]} "])
    session.record(121, labels[5])
    answers = session.predict() if len(session.project.classes) > 1 else None
    assert answers is None
    assert session.project.ledger.state.labels.keys() == {5}
    session.record(0, labels[0])
    assert session.predict()[120:] == [labels[5]] * 2


def test_almost_identical_texts_are_offered_together():
    letter = "Please send the refund for order {} to the bank account that we gave you last month"
    texts = [letter.format(name) for name in ("alpha", "beta", "gamma")]
    texts += ["Where is my parcel", "The courier was late", "My password does not work"]
    session = LabelingSession(texts, classes=["refund", "parcel"])
    turn = session.refit()
    alike = {each.row: set(each.alike) for each in turn.chosen}
    assert alike[0] == {1, 2}
    assert alike[3] == set()
    # of a random check, the others would not be random
    assert len(turn.audit) == 6
    assert not any(each.alike for each in turn.audit)


def test_labels_that_exist_are_imported(topical):
    texts, labels = topical
    known = [
        label if row < 9 else [None, "", float("nan")][row % 3] for row, label in enumerate(labels)
    ]
    session = LabelingSession(texts, labels=known)
    state = session.project.ledger.state
    assert {each.purpose for each in state.labels.values()} == {"imported"}
    assert sorted(state.labels) == list(range(9))
    with pytest.raises(ValueError, match="2 labels for 120 texts"):
        LabelingSession(texts, labels=["a", "b"])


def test_export_says_who_gave_each_label(topical, tmp_path):
    texts, labels = topical
    session = LabelingSession(texts, batch=20)
    label_some(session, labels, 12)
    session.export(tmp_path / "out.csv")
    session.export(tmp_path / "out.jsonl")
    rows = read_rows(tmp_path / "out.csv")
    assert [row["label"] for row in rows] == session.predict()
    assert sum(row["source"] == "person" for row in rows) == 12
    by_model = [row for row in rows if row["source"] == "model"]
    assert all(0 < float(row["confidence"]) <= 1 and row["runner_up"] for row in by_model)
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["label"] for line in lines] == session.predict()
    with pytest.raises(ValueError, match="must end in"):
        session.export(tmp_path / "out.docx")


def test_a_column_of_the_table_is_never_overwritten(topical, tmp_path):
    texts, _ = topical
    cells = [[text, "old"] for text in texts]
    settings = {"columns": ["body", "label"]}
    project = Project.create(tmp_path / "a.hbproject", texts, cells=cells, settings=settings)
    session = LabelingSession.open(project)
    session.record(0, "new")
    session.export(tmp_path / "out.csv")
    first = read_rows(tmp_path / "out.csv")[0]
    assert (first["label"], first["honeybayes_label"]) == ("old", "new")


def test_a_project_as_a_corpus_holds_only_labels_of_persons(topical, tmp_path):
    texts, labels = topical
    session = LabelingSession(texts, path=tmp_path / "a.hbproject", batch=20)
    label_some(session, labels, 10)
    session.predict()
    corpus = read_project(tmp_path / "a.hbproject").corpus
    assert (corpus.labels != "").sum() == 10
    assert corpus.documents == texts


def test_the_classifier_answers_new_texts(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=20)
    label_some(session, labels, 15)
    classifier = session.fit_classifier()
    assert classifier.predict(["reset the password"])[0] == "account"


def test_groups_have_telling_words(topical):
    texts, labels = topical
    groups = find_groups(Pool(texts), 3)
    for group in groups:
        topics = [labels[row] for row in group.rows]
        assert len(set(topics)) == 1
        assert set(group.words[:3]) <= set(" ".join(texts[row] for row in group.rows).split())
    assert sum(len(group.rows) for group in groups) == 120


def test_groups_of_texts_without_spaces_have_words_that_are_seeds():
    parts = ["科学技术", "发现", "研究"], ["足球比赛", "球队", "选手"]
    texts = [f"{a}{n}{b}" for topic in parts for a in topic for b in topic for n in range(9)]
    pool = Pool(texts)
    groups = find_groups(pool, 2)
    assert "科学技术" in groups[0].words + groups[1].words  # whose pairs stand together
    for group in groups:
        words = group.words
        assert not [one for one in words for two in words if one != two and one in two]
        vectorizer = pool.count()[0]
        named = {"new": " ".join(words)}
        assert match_seeds(named, vectorizer.terms_, vectorizer.build_analyzer())[1] == {"new": []}
        assert all(any(word in texts[row] for row in group.rows) for word in words)


def test_rounds_are_stored_in_the_project(topical, tmp_path):
    texts, labels = topical
    session = LabelingSession(texts, path=tmp_path / "a.hbproject", batch=30)
    label_some(session, labels, 20)
    turn = session.refit()
    n_labels, answers = session.project.rounds()[-1]
    np.testing.assert_array_equal(answers, turn.measured.first)
    assert n_labels == 20


def test_rounds_that_are_near_each_other_are_stored_once(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=3)
    label_some(session, labels, 20)
    stored = [n_labels for n_labels, _ in session.project.rounds()]
    assert len(stored) > 2
    assert min(np.diff(stored)) >= 5
    session.record(0, labels[0])  # the last answers count, also those that are not stored
    turn = session.refit()
    audit = {
        row for row, each in session.project.ledger.state.labels.items() if each.purpose == "audit"
    }
    right = [
        session.project.ledger.state.labels[row].class_id
        == turn.measured.first[session.pool.place[row]]
        for row in audit
    ]
    assert session.estimate().audit.accuracy == np.mean(right)


def test_merged_classes_count_as_one_in_earlier_rounds(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=10)
    label_some(session, labels, 40)
    first, second, third = (each.id for each in session.project.classes)
    session.project.merge_classes(first, second)
    estimate = session.estimate()
    to_one = {first: second, second: second, third: third}
    state = session.project.ledger.state
    audit = {row: each.class_id for row, each in state.labels.items() if each.purpose == "audit"}
    stored = dict(session.project.rounds())
    for point in estimate.curve[:-1]:
        answers = [to_one[int(stored[point.n_labels][session.pool.place[row]])] for row in audit]
        assert point.value == np.mean(np.array(answers) == list(audit.values()))
    session.project.undo()
    assert session.estimate().n_labels == estimate.n_labels


def test_rounds_of_fewer_texts_are_left_out(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=20)
    label_some(session, labels, 20)
    session.project.add_round(20, np.ones(7))
    assert session.estimate().audit.n == 4


def test_the_estimate_needs_a_model_of_now(topical):
    texts, labels = topical
    session = LabelingSession(texts, batch=20)
    label_some(session, labels, 20)
    assert session.estimate().audit is not None
    for each in session.project.classes[1:]:
        session.project.delete_class(each.id)
    assert session.estimate().audit is None


def test_names_of_classes_are_found_whatever_their_case_and_spaces(topical):
    session = LabelingSession(topical[0])
    for row, name in enumerate(["Late  parcel", "late parcel ", "LATE PARCEL"]):
        session.record(row, name)
    assert [each.name for each in session.project.classes] == ["Late parcel"]


def test_simulation_joins_names_that_differ_in_case_and_spaces(topical):
    texts, labels = (each[:60] for each in topical)
    odd = [[each.upper(), f" {each} ", each][row % 3] for row, each in enumerate(labels)]
    arguments = {"strategies": ["representative"], "n_labels": 12, "n_runs": 1, "batch": 6}
    assert simulate(texts, odd, **arguments) == simulate(texts, labels, **arguments)


def test_simulation_reports_every_batch(topical):
    texts, labels = (each[:60] for each in topical)
    strategies = ["representative", choose_at_random]
    result = simulate(texts, labels, strategies, n_labels=12, n_runs=1, batch=6)
    assert result.strategies == ["representative", "random"]
    assert list(result.curve("representative")) == [6, 12]
    assert result.curve("representative")[12] > 0.9
    assert result.labels_needed("representative", 0.5) <= 12
    assert result.labels_needed("representative", 1.01) is None
    assert all(step.low <= step.high for step in result.steps)
    assert simulate(texts, labels, strategies, n_labels=12, n_runs=1, batch=6) == result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"batch": 0}, "batch"),
        ({"audit_share": 1.5}, "audit_share"),
        ({"strategy": "clever"}, "There is no strategy"),
        ({"classes": "billing"}, "classes must be a list"),
        ({"classes": ["a", "A"]}, "already a class"),
    ],
)
def test_wrong_settings_are_errors(topical, arguments, message):
    with pytest.raises(ValueError, match=message):
        LabelingSession(topical[0], **arguments)


def test_wrong_rows_are_errors(topical):
    session = LabelingSession(topical[0])
    with pytest.raises(ValueError, match="no row 120"):
        session.record(120, "billing")
    with pytest.raises(ValueError, match="must be an integer"):
        session.record("1", "billing")
    assert session.project.classes == []


def test_stop_words_that_are_seed_words_stay():
    texts = [f"where is {name} street" for name in ("oak", "elm", "ash", "fir")]
    texts += [f"who is {name} smith" for name in ("ann", "bob", "eve", "joe")]
    session = LabelingSession(texts, {"place": "where", "person": "who"})
    assert session.predict() == ["place"] * 4 + ["person"] * 4


def test_pairs_of_characters_are_the_words_behind_a_suggestion():
    """Single characters, which are terms as well, are everywhere, and are not shown."""
    texts = [
        "我的包裹在哪里",
        "包裹没有到",
        "快递包裹 by DHL",
        "发票是错的",
        "请退还发票",
        "发票 is ok",
    ]
    session = LabelingSession(texts, {"delivery": "包裹", "billing": "发票"})
    assert session.pool.language is None
    for suggestion in session.suggest(4):
        words = [word.word for word in suggestion.words]
        assert ("包裹" if "包裹" in texts[suggestion.row] else "发票") in words
        assert min(map(len, words)) >= 2
        assert not {"by", "is", "ok"} & set(words)  # too short where words have spaces
