"""``honeybayes sources``: what columns, rules and language models are worth as labels."""

import sys
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import print_json, print_table, warn

MOST_EXAMPLES = 5  # labeled texts in a prompt
BUDGET = 100  # texts that --ask sends
ACCEPTED, END = ("y", "j"), ("q", "\x03")


def sources(
    table: str,
    output: str | None = None,
    sources: str = "",
    rules: str | None = None,
    suggest: bool = False,
    ask: str = "",
    checks: str | None = None,
    n: int = 50,
    random: bool = False,
    names: str = "",
    text: str = "text",
    label: str = "label",
    classes: str | None = None,
    language: str = "auto",
    read: str = "",
    json: bool = False,
) -> None:
    """Say how often each source of labels is right, and combine them with your labels.

    A source is a column of the table, a file of rules, or a language model.

    Example: honeybayes sources mail.csv --text body --sources gpt4 --checks checks.csv

    Sources:
      --sources COLUMNS: Columns with answers, separated by commas: gpt4,old_tags. Empty cells are
        no answer.
      --rules FILE: Rules, one class per line: refund: "money back", /charg(e|ed) twice/
      --suggest: Suggest new rules from the telling words of the model. On a terminal, y accepts one
        and adds it to the file of rules, n refuses it, q ends.
      --ask SETTINGS: Ask a language model about texts: 'address=http://localhost:11434/v1
        model=llama3 budget=100'. This sends class names, some labeled texts and up to budget texts
        (by default 100), those where its answer matters most, to the address. The environment
        variable HONEYBAYES_CHAT_KEY is sent as the key.
      --names NAMES: What other names mean: 'Sports=sport; n/a=' (nothing after = is no answer).
    What is right:
      --checks FILE: If the file does not exist, write random rows to it, with an empty column of
        labels: fill it in. If it exists, its labels are random checks of the sources.
      --n: Number of rows to check. [at least 1]
      --random: The labels of the table are of random rows, too.
    Output:
      --output -o: Write the table with the combined answers: honeybayes_label, honeybayes_source
        (person or model) and honeybayes_confidence.
    """
    import numpy as np

    from honeybayes.cli import _input, _settings
    from honeybayes.sources.bill import describe_share
    from honeybayes.utils.messages import did_you_mean
    from honeybayes.utils.writing import check_outputs

    check_outputs([output], [table, rules, checks])
    reading = _settings.parse_settings("--read", read, _settings.READ_LABELS)
    inputs = _input.Input(text, label, reading=reading)
    _, frame, texts = inputs.read_rows(table)
    answers = _input.answers_of(frame, sources, table, label)
    if label not in frame.columns and label != "label" and checks is None:
        raise ValueError(
            f"{table} has no column {label!r}.{did_you_mean(label, [*map(str, frame.columns)])}"
        )
    if rules is not None and "rules" in answers:
        raise ValueError("A column is called 'rules', as the answers of --rules. Rename it.")
    if not (answers or rules or ask):
        raise ValueError("Name a source: --sources with columns, --rules or --ask.")
    labels = _input.cells_of(frame[label]) if label in frame.columns else [""] * len(texts)
    marks = set(inputs.marks(labels))
    labels = ["" if each in marks else each for each in labels]
    is_random = np.array([random and bool(each) for each in labels])
    if checks is not None and not Path(checks).exists():
        chosen = np.random.default_rng(len(texts)).permutation(len(texts))[:n]
        some = frame.iloc[np.sort(chosen)].drop(columns=list(answers)).assign(**{label: ""})
        hb.tables.write_table(some, checks)
        print(
            f"{len(some)} random rows: {checks}. Fill in the column {label!r}, and run this again."
        )
        return
    if checks is not None:
        _take_checks(inputs, checks, texts, labels, is_random)
    read_rules, of_rules = [], []
    if rules is not None:
        read_rules = hb.sources.read_rules(Path(rules).read_text("utf-8-sig").splitlines())
        applied = hb.sources.apply_rules(read_rules, texts)
        for why in applied.refused.values():
            warn(f"A rule is not used. {why}")
        answers["rules"] = applied.answers
        of_rules = hb.sources.rules.describe_rules(read_rules, applied, labels)
    mapping = {}
    for typed in filter(str.strip, names.split(";")):
        name, equals, meaning = typed.partition("=")
        if not equals:
            raise ValueError(f"--names {typed.strip()!r} has no =. Write 'Sports=sport'.")
        mapping[name.strip()] = meaning.strip()
    answers = {name: hb.sources.map_answers(given, mapping) for name, given in answers.items()}
    seeds = None if classes is None else _settings.parse_classes(classes)
    if ask:
        of_model, name = _ask(ask, texts, labels, answers, seeds, language)
        warn(of_model.describe())
        answers[name] = of_model.answers
    given = np.array(labels, dtype=object)
    classifier = hb.TextClassifier("FewLabels", language=language).fit(
        texts, given, sources=answers, seeds=seeds, is_random=is_random if is_random.any() else None
    )
    proba = classifier.combine(texts, answers)
    found = classifier.classes_[proba.argmax(axis=1)]
    bill = classifier.sources_ or {}
    if output is not None:
        by_person = given != ""
        frame["honeybayes_label"] = np.where(by_person, given, found)
        frame["honeybayes_source"] = np.where(by_person, "person", "model")
        sure = proba.max(axis=1).round(4)
        frame["honeybayes_confidence"] = np.where(by_person, np.nan, sure)
        hb.tables.write_table(frame, output)
        if not json:
            print(f"{output}: {by_person.sum()} labels of yours, {(~by_person).sum()} answers.")
    if json:
        print_json({"sources": bill, "rules": of_rules, "texts": len(texts)})
        return
    print(*hb.sources.describe_bill(bill), sep="\n")
    if of_rules:
        print(f"\n{applied.n_conflicts} texts have rules of different classes.")
        for each in of_rules:
            right = each["accuracy"]
            each["right"] = "" if right is None else describe_share(right, "labels")
        shown = ("class", "rule", "texts", "right")
        print_table(shown, [[each[name] for name in shown] for each in of_rules])
    if suggest:
        _offer(hb.sources.rules.suggest_rules(classifier, texts, read_rules), rules)
    if (advice := hb.sources.bill.advise_to_keep(bill)) is not None:
        print(advice)


def _take_checks(
    inputs: Any, checks: str, texts: list[str], labels: list[str], is_random: Any
) -> None:
    """Add the labels of random checks, which are found again by their text."""
    corpus = inputs.read_labeled(checks)
    checked = dict(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    unknown = checked.keys() - set(texts)
    if unknown:
        raise ValueError(f"{checks} has {len(unknown)} texts that are not in the table.")
    drawn = set(checked)
    for row, each in enumerate(texts):
        if checked.get(each):
            # copies of a text have its label, but only one of them was drawn
            labels[row], is_random[row] = checked[each], each in drawn
            drawn.discard(each)
    if not is_random.any():
        raise ValueError(f"{checks} has no label yet. Fill in the column {inputs.label!r}.")


def _ask(
    typed: str,
    texts: list[str],
    labels: list[str],
    answers: dict[str, list[str]],
    seeds: dict[str, str] | None,
    language: str,
) -> tuple[Any, str]:
    """Ask a language model about the texts where its answer matters most."""
    import numpy as np
    from click import IntRange

    from honeybayes.cli._settings import MOST, Parsers, parse_settings

    parsers: Parsers = {"address": str, "model": str, "budget": IntRange(1, MOST), "name": str}
    settings = parse_settings("--ask", typed, parsers)
    for name in ("address", "model"):
        if name not in settings:
            raise ValueError(f"--ask needs {name}=..., such as address=http://localhost:11434/v1.")
    known = [(text, label) for text, label in zip(texts, labels, strict=True) if label]
    classes = seeds or dict.fromkeys(sorted({label for _, label in known}), "")
    server = hb.sources.ChatServer(settings["address"], settings["model"])
    rows = [row for row, label in enumerate(labels) if not label]
    if known or answers or seeds:
        first = hb.TextClassifier("FewLabels", language=language)
        first.fit(texts, np.array(labels, dtype=object), sources=answers or None, seeds=seeds)
        proba = first.combine(texts, answers) if answers else first.predict_proba(texts)
        order = hb.sources.choose_texts(proba, len(texts))
        rows = [row for row in order if not labels[row]]
    budget = settings.get("budget", BUDGET)
    # labels tell how often it is right, so some of them come first
    checked = [row for row, label in enumerate(labels) if label][: (budget + 1) // 2]
    examples = known[:: max(1, len(known) // MOST_EXAMPLES)][:MOST_EXAMPLES]
    shown = {text for text, _ in examples}
    asked = [row for row in [*checked, *rows] if texts[row] not in shown][:budget]
    name = settings.get("name", settings["model"])
    return hb.sources.ask_model(server, texts, classes, examples=examples, rows=asked), name


def _offer(new: list[tuple[Any, int, float]], rules: str | None) -> None:
    """Print new rules; on a terminal, let a key accept them."""
    import click

    is_asked = rules is not None and sys.stdin.isatty() and sys.stdout.isatty()
    for rule, n_texts, share in new:
        print(f"{rule.label}: {rule}  ({n_texts} texts; for {100 * share:.0f} % the model agrees)")
        if is_asked:
            print("Add it to the rules? y, n or q: ", end="", flush=True)
        key = click.getchar(echo=True).lower() if is_asked else "n"
        if key in END:
            return
        if key in ACCEPTED and rules is not None:
            with Path(rules).open("a", encoding="utf-8") as file:
                file.write(f"\n{rule.label}: {rule}")
