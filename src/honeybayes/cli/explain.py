"""``honeybayes explain``: telling words, the words behind a decision, the paths behind a word."""

import sys
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import UsageError, print_json, print_table, refuse, save_plot


def explain(
    model: str,
    typed: str | None = None,
    row: str | None = None,
    word: str | None = None,
    class_: str | None = None,
    against: str | None = None,
    table: str | None = None,
    text: str | None = None,
    label: str = "label",
    id: str | None = None,
    pool: str | None = None,
    read: str = "",
    encoder: str | None = None,
    top: int | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Show the telling words of a model, what each word adds to a decision, or paths of a word.

    Words are spelled as in the texts; with --json they are the terms of the model, often stems.

    Example: honeybayes explain model.hb --top 5

    Example: honeybayes explain model.hb "my parcel never arrived"

    Example: honeybayes explain model.hb --table mail.csv --id number --row 1207

    Example: honeybayes explain model.hb --table mail.csv --word courier --class billing

    Arguments:
      typed TEXT: Explain the decision on this text; - reads it from standard input. Of a model of
        `fit --attributes`, values: 'odor=none; color=red'. [default: the telling words of each
        class]
    What to explain:
      --row ROW: Explain the decision on this row of --table: its number, counted from 1, or its
        cell in the column --id.
      --word WORD: Explain which words and documents of --table link this word to a class (HONB and
        HOS only). Give the table that the model was fitted to.
      --class -c CLASS: Class to explain. [default: the predicted one, or all]
      --against CLASS: Class to compare a decision with. [default: the best of the others]
    The table of --row or --word:
      --table TABLE: The table.
      --pool TABLE: The pool that the model was fitted with, for --word.
    Options:
      --top: Words per class, or linking words and documents of --word, to list. [default: 10
        words, 5 of --word] [at least 1]
    """
    from honeybayes.cli import _input, _settings
    from honeybayes.utils.writing import check_outputs

    if sum(each is not None for each in (typed, row, word)) > 1:
        raise UsageError("A text, --row and --word exclude each other. Give one of them.")
    if (row is not None or word is not None) and table is None:
        raise UsageError(f"--{'row' if word is None else 'word'} needs a table. Name it: --table.")
    if table is not None and row is None and word is None:
        raise UsageError("--table needs --row ROW or --word WORD, which say what to explain.")
    if row is None:
        refuse("names the column of --row. Omit it, or add --row.", id=id)
    if word is None:
        refuse("is the pool of a model whose paths --word explains. Omit it.", pool=pool)
    if typed is None and row is None:
        refuse("needs a decision to explain. Add a text, or --table and --row.", against=against)
    if typed is None and table is None:
        refuse("draws a decision or paths. Add a text, --row or --word.", plot=plot)
    check_outputs([plot], [model, table, pool])
    classifier = _input.load_classifier(model, encoder)
    chosen = _input.find_class(classifier, class_)
    reading = _settings.parse_settings("--read", read, _settings.READ_LABELS)
    if table is not None:
        _input.check_table(table, model)
        inputs = _input.Input.of_model(classifier, text, table, reading, label=label, id=id)
    if typed is None and table is None:
        find: Any = hb.telling_words if json else hb.explain.readable_telling_words
        telling = find(classifier, top or 10).items()
        own = {str(name): words for name, words in telling if chosen in (None, name)}
        if json:
            print_json({name: dict(words) for name, words in own.items()})
        else:
            print_table(["class", "words"], own.items())
        return
    found: list[Any]
    if table is not None and word is not None:
        corpus = inputs.read_labeled(table)
        if pool is not None:
            corpus = corpus.add_pool(inputs.read_pool(pool))
        if chosen is None and plot is not None:
            raise UsageError("A plot shows the paths to one class. Name it with --class.")
        texts = _as_fitted(classifier, corpus)
        names = classifier.classes_.tolist() if chosen is None else [chosen]
        found = [hb.explain_word(classifier, word, each, *texts, k=top or 5) for each in names]
    else:
        if table is not None:
            words = inputs.find_row(table, str(row))
        else:
            words = sys.stdin.read() if typed == "-" else str(typed)
            if "attributes" in (getattr(classifier, "_table", None) or {}):  # a record
                words = words.replace(";", "\n")
        if not words.strip():
            raise ValueError("The text is empty, so there is no decision to explain.")
        other = _input.find_class(classifier, against)
        found = [hb.explain_decision(classifier, words, chosen, against=other)]
    if plot is not None:
        save_plot(found[0].plot(), plot)
    if json:
        shown = [each.to_dict() for each in found]
        print_json(shown if word is not None and chosen is None else shown[0])
        return
    print(*found, sep="\n")
    if word is not None and any(each.paths for each in found):
        print(
            "Documents are counted from 0: first the rows with a label, in the order of the "
            "table, then all others."
        )


def _as_fitted(classifier: Any, corpus: Any) -> tuple[list[str], Any]:
    """Return texts and labels as `TextClassifier` passed them to its model: labeled texts first.

    The pool is left out if the model learns from labeled texts only.
    """
    from honeybayes.utils.labels import AUTO, UNLABELED
    from honeybayes.utils.tags import mark_of_unlabeled

    texts, names, pool = corpus.split_unlabeled()
    by_name = {str(label): label for label in classifier.classes_.tolist()}
    labels = [by_name.get(name, name) for name in names.tolist()]
    mark = mark_of_unlabeled(getattr(classifier, "model_", classifier))
    if mark is None:
        return texts, labels
    if isinstance(mark, str) and mark == AUTO:
        mark = None if labels and not isinstance(labels[0], str) else UNLABELED
    return [*texts, *pool], [*labels, *[mark] * len(pool)]
