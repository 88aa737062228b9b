"""The report: one page that says what to do, and shows the numbers behind it."""

import math
import platform
import shlex
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from os import PathLike
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from honeybayes import __version__
from honeybayes.calibration.coverage import USUAL_TARGET
from honeybayes.charts.page_chart import NEUTRAL, SERIES, color_name
from honeybayes.classifier import TextClassifier
from honeybayes.evaluate import FEWEST_DRAWS, Comparison, RandomSplits, RepeatedFolds
from honeybayes.evaluate.metrics import main_metric
from honeybayes.explain import readable_telling_words
from honeybayes.labeling import Advice, LabelingSession, QualityEstimate, quality
from honeybayes.report import _examination, _sections
from honeybayes.report._examination import METRICS, BestModel, Examination, Gain, examine
from honeybayes.tables import Corpus
from honeybayes.text import TextAnalyzer
from honeybayes.utils.labels import AUTO
from honeybayes.utils.optional import import_optional
from honeybayes.utils.parameters import described_like
from honeybayes.utils.writing import atomic_write
from honeybayes.zoo import is_model_name

PACKAGES = ("numpy", "scipy", "scikit-learn")  # whose versions the report names
WORTH_LABELING = 0.02  # gain from 50 more labels
FOLDS = 5
N_HARD = 10
N_WORDS = 10


def write_report(
    path: str | PathLike[str],
    comparison: Comparison,
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    *,
    seed: int = 0,
    command: str = "",
    table: str = "labeled.csv",
    new_table: str = "new.csv",
    pool: str = "",
    models: Mapping[str, Any] | None = None,
    test: str | None = None,
    **settings: Any,
) -> str:
    """Write the results of a comparison as one HTML file that needs no network.

    Return the best model and its accuracy, in a sentence. Requires jinja2, the extra ``report``.

    Parameters
    ----------
    path : str or path-like
        File to write. If an error occurs, an existing file is not changed.
    comparison : Comparison
        Results on this corpus.
    corpus : Corpus
        Texts with labels.
    splits : sequence of RandomSplits
        The splits of the comparison. The best model on the last split is examined in detail.
    seed : int, default=0
        The seed of the comparison.
    command : str, optional
        Command that repeats the comparison, to show on the page.
    table : str, default="labeled.csv"
        File, and options to read it, to show in the command ``honeybayes fit``.
    new_table : str, default="new.csv"
        The same for ``honeybayes predict``.
    pool : str, optional
        Option of ``honeybayes fit`` for a table of unlabeled texts. It is shown if the best model
        learns from them.
    models : mapping of str to estimator, optional
        Models of the comparison that are no names of `honeybayes.list_models`.
    test : str, optional
        Test of the differences between the models, as in ``comparison.differences``.
    **settings : dict
        Parameters of the `TextClassifier` that turned texts into terms, such as ``language``.
    """
    import_optional("jinja2", "report")  # before the work, not after it
    place = (corpus.name, splits[-1].label)
    results = [r for r in comparison.results if r.cell.corpus == corpus.name]
    comparison = Comparison(tuple(results))
    last = Comparison(tuple(r for r in results if r.cell.place == place))
    has_f1 = all("macro_f1" in result.scores for result in last.results)
    metric = main_metric(corpus.labels) if has_f1 else "accuracy"
    winner, *others = comparison.ranking(place, metric)
    twins = {name: other for name, (other, _) in comparison.twins().items()}
    same = twins.get(winner, winner)
    second = next((name for name in others if twins.get(name, name) != same), "")
    own = [r for r in results if r.cell.model == winner]
    hide_labels = any(r.n_pool > (corpus.labels == "").sum() for r in own)
    classifier = _find_model(winner, models or {}, settings)
    examination = examine(classifier, corpus, splits[-1], seed, hide_labels=hide_labels)
    label, share = examination.largest_class()
    baseline = last.baseline(place)
    trials = np.array([r.n_train for r in own]), np.array([r.scores[metric] for r in own])
    known = [name for name in METRICS if name in own[0].scores]
    is_tested = second and len(last.trials(winner, place)) >= FEWEST_DRAWS
    best = BestModel(
        name=winner,
        metric=metric,
        scores={name: float(last.scores(winner, place, name).mean()) for name in known},
        examination=examination,
        gain=_examination.estimate_gain(*trials),
        baseline=(label, share if math.isnan(baseline) else baseline),
        second=second,
        difference=last.differences(winner, second, metric, test=test)[0] if is_tested else None,
        best_by_accuracy=comparison.ranking(place)[0],
    )
    draws = "all draws" if splits[-1].repetitions > 1 else "one draw"
    size = place[1].removesuffix(" per class")
    split = f"{size} labels per class" if size != place[1] else f"{size} of the documents labeled"
    use_pool = f" {pool}" if pool and examination.with_pool else ""
    return _write_page(
        path,
        best,
        corpus,
        examination,
        split=split,
        summaries={summary.model: summary for summary in last.summaries(metric)},
        models=_sections.show_models(comparison, last, best, test),
        measured=f"{_describe(classifier)} with {split}, held-out documents of {draws}",
        more_labels=_sections.show_gain(best.gain, metric, _examination.mean_curve(*trials)),
        use=_use(best, settings, f"{table}{use_pool}", new_table),
        splits=[
            f"{each.label} ({each.repetitions} draw{'s' if each.repetitions > 1 else ''})"
            for each in splits
        ],
        seed=seed,
        command=command,
        protocol=results[0].cell.protocol,
    )


@described_like(write_report)
def write_model_report(
    path: str | PathLike[str],
    classifier: TextClassifier,
    corpus: Corpus,
    *,
    seeds: Mapping[str, str] | None = None,
    sample: Any = None,
    estimate: QualityEstimate | None = None,
    advice: Advice | None = None,
    sources: Mapping[str, Mapping[str, Any]] | None = None,
    examination: Examination | None = None,
    folds: int = FOLDS,
    seed: int = 0,
    table: str = "labeled.csv",
    new_table: str = "new.csv",
) -> str:
    """Write a report on one model, measured by cross-validation, as one HTML file.

    Return the accuracy, in a sentence. Requires jinja2, the extra ``report``.

    Parameters
    ----------
    classifier : TextClassifier
        Unfitted.
    corpus : Corpus
        Texts with labels; texts with an empty label are the pool. At least two classes need two
        labels each.
    seeds : mapping of str to str, optional
        Seed words of the classes.
    sample : array-like of int, optional
        Positions of labeled documents that are a random sample, by default all. If there are at
        least ten, the accuracy and the thresholds are measured on these.
    estimate : QualityEstimate, optional
        The learning curve so far, of a `LabelingSession`.
    advice : Advice, optional
        Whether to stop labeling, of a `LabelingSession`.
    sources : mapping, optional
        What other sources of labels are worth, such as ``classifier.sources_``.
    examination : Examination, optional
        Answers to labeled documents by models that have not seen their labels. By default,
        cross-validation.
    folds : int, default=5
        Number of folds.
    seed : int, default=0
        Seed of the folds.
    """
    import_optional("jinja2", "report")
    splits = RepeatedFolds(folds)
    sizes = np.unique(corpus.labels[corpus.labels != ""], return_counts=True)[1]
    if (sizes > 1).sum() < 2:
        raise ValueError(
            "A report needs at least two classes with two labels each, because each label is "
            "checked by a model that has not seen it. Label more texts."
        )
    if examination is None:
        examination = examine(classifier, corpus, splits, seed, seeds=seeds)
    measured = examination if sample is None else examination.only(sample)
    is_sample = measured is not examination
    estimate = estimate or QualityEstimate(0, 0)  # nothing is known
    audit, ahead = estimate.audit if is_sample else None, estimate.projected
    scores = measured.scores()
    if audit is not None:
        scores["accuracy"] = audit.accuracy
    best = BestModel(
        name=str(classifier.model),
        metric=main_metric(corpus.labels) if "macro_f1" in scores else "accuracy",
        scores=scores,
        examination=measured,
        gain=Gain(ahead) if ahead else None,
        baseline=measured.largest_class(),
        advice=advice,
        is_chosen=sample is not None and not is_sample,
        automatic=estimate.automatic if is_sample else (),
        audit=audit,
    )
    settings = classifier.get_params(deep=False)
    settings.pop("model")
    curve = [each for each in estimate.curve if each.n_labels]
    return _write_page(
        path,
        best,
        corpus,
        examination,
        is_sample=is_sample,
        shown={each.name: each.describe() for each in estimate.classes},
        sources=sources or {},
        measured=f"{_describe(classifier)}, cross-validation with {folds} folds",
        more_labels=_sections.show_gain(best.gain, "accuracy", curve),
        use=_use(best, settings, table, new_table),
        splits=[f"{splits.label}: each labeled document is tested once"],
        seed=seed,
    )


@described_like(write_report)
def write_labeling_report(path: str | PathLike[str], session: LabelingSession) -> str:
    """Write a report on the labels so far and on the model that learns from them.

    Each label is compared with the answer of a model that has not seen it. Accuracy and thresholds
    are measured on the random texts of the audit if there are at least ten. Return the accuracy, in
    a sentence. Requires jinja2, the extra ``report`` or ``label``.

    Parameters
    ----------
    session : LabelingSession
        At least two classes need two labels each.

    Examples
    --------
    >>> from honeybayes.labeling import LabelingSession
    >>> from honeybayes.report import write_labeling_report
    >>> session = LabelingSession.open("mail.hbproject")  # doctest: +SKIP
    >>> write_labeling_report("report.html", session)  # doctest: +SKIP
    """
    project, state = session.project, session.project.ledger.state
    rows = project.distinct  # copies of a text have the same label
    names = state.names
    labels = [names.get(id, "") for id in project.given_ids().tolist()]
    name = "labels" if project.path is None else project.path.stem
    corpus = Corpus(name, [project.texts[row] for row in rows], np.array(labels), rows=rows)
    examination = _examine_session(session, rows, corpus)
    estimate, language = session.estimate(), project.settings.get("language", "auto")
    return write_model_report(
        path,
        TextClassifier("FewLabels", language=language, encoder=session.encoder),
        corpus,
        seeds={each.name: each.words for each in project.classes},
        sample=np.searchsorted(rows, np.array(list(state.audit), dtype=int)),
        examination=examination,
        estimate=estimate,
        advice=session.advice(estimate),
        sources=quality.measure_sources(project),
        table=shlex.quote("labels.csv" if project.path is None else project.path.name),
        new_table=shlex.join(["new.csv", "--text", project.settings.get("text", "text")]),
    )


def _examine_session(session: LabelingSession, rows: np.ndarray, corpus: Corpus) -> Examination:
    """Return the same answers to labeled texts as the page has, so that all figures agree."""
    names, held_out = session.project.ledger.state.names, session.hold_out()
    found = {row: each for row, each in held_out.items() if each[0] in names}
    classes = np.union1d(corpus.classes, sorted(names.values()))
    at = np.searchsorted(rows, sorted(found))
    answers = np.array([names[found[row][0]] for row in sorted(found)], dtype=classes.dtype)
    confidence = np.array([found[row][1] for row in sorted(found)])[:, np.newaxis]
    # only the most likely class is known: the others share the rest
    probabilities = np.repeat((1 - confidence) / max(1, len(classes) - 1), len(classes), axis=1)
    probabilities[np.arange(len(at)), np.searchsorted(classes, answers)] = confidence[:, 0]
    return Examination(
        at,
        truth=corpus.labels[at].astype(classes.dtype),
        answers=answers,
        probabilities=probabilities,
        classes=classes,
        classifier=session.fit_classifier(),
        with_pool=bool((corpus.labels == "").any()),
    )


def _write_page(
    path: str | PathLike[str], best: BestModel, corpus: Corpus, tested: Examination, **parts: Any
) -> str:
    """Write the page, and return the answer; classes and documents come from all predictions."""
    jinja2 = import_optional("jinja2", "report")
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("honeybayes.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"percent": _examination.percent, "points": _examination.points}
    templates.filters["color"] = color_name
    documents = tested.documents(corpus)
    hardest = documents[~documents.is_suspicious].sort_values("probability", kind="stable")
    usual: dict[str, Any] = {"worth_labeling": WORTH_LABELING, "few_checks": quality.FEW_CHECKS}
    usual |= {"models": None, "summaries": None, "split": "", "is_sample": False}
    usual |= {"shown": {}, "sources": {}, "command": "", "protocol": ""}
    common = usual | parts | {"best": best, "metrics": METRICS}
    sentences = templates.get_template("sentences.html").make_module(common)
    answer: str = sentences.say_how_good_it_is().unescape().strip()
    page = templates.get_template("page.html").render(
        common,
        answer=answer,
        headline=sentences.say_what_to_do().strip(),
        corpus=corpus,
        n_labeled=np.count_nonzero(corpus.labels != ""),
        classes=_sections.show_classes(tested, corpus),
        coverage=_sections.show_coverage(best),
        examination=tested,
        hardest=list(hardest.head(N_HARD).itertuples()),
        suspicious=list(documents[documents.is_suspicious].itertuples()),
        words=readable_telling_words(tested.classifier, N_WORDS, texts=corpus.documents),
        is_stemmed=_is_stemmed(tested.classifier),
        encoder=getattr(tested.classifier, "encoder_", None),
        versions={"honeybayes": __version__, **{name: version(name) for name in PACKAGES}},
        python=platform.python_version(),
        sure=round(100 * quality.SUSPICIOUS),
        target=round(100 * USUAL_TARGET),
        series=SERIES,
        neutral=NEUTRAL,
    )
    with atomic_write(path) as file:
        file.write(page.encode("utf-8", "replace"))  # a text may have half a character
    return answer


def _find_model(name: str, models: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Return a classifier of texts for a model of the comparison."""
    model = models.get(name, name)
    if isinstance(model, str) and model != AUTO and not is_model_name(model):
        raise ValueError(
            f"The best model, {name!r}, is not a name of list_models(), so it cannot be examined. "
            f"Pass it to write_report: models={{{name!r}: ...}}."
        )
    if isinstance(model, TextClassifier | Pipeline):
        return model
    # a comparison gives a named model the words only
    return TextClassifier(model, **settings, encoder="auto" if model == AUTO else None)


def _is_stemmed(classifier: TextClassifier | Pipeline) -> bool:
    vectorizer = classifier[0] if isinstance(classifier, Pipeline) else classifier.vectorizer_
    given = getattr(vectorizer, "analyzer", None)  # of scikit-learn's vectorizers
    build = getattr(vectorizer, "build_analyzer", lambda: None)
    return getattr(given if isinstance(given, TextAnalyzer) else build(), "stem", False)


def _describe(classifier: Any) -> str:
    is_ours = isinstance(classifier, TextClassifier)
    return f"TextClassifier({classifier.model!r})" if is_ours else type(classifier).__name__


def _use(best: BestModel, settings: dict[str, Any], table: str, new_table: str) -> dict[str, Any]:
    usual = TextClassifier().get_params()
    changed = {name: value for name, value in settings.items() if value != usual[name]}
    arguments = ", ".join([repr(best.name), *(f"{k}={v!r}" for k, v in changed.items())])
    return {
        "maker": f"TextClassifier({arguments})",
        "changed": changed,
        "pool": ", pool=unlabeled_texts" if best.examination.with_pool else "",
        "table": table,
        "new_table": new_table,
        "model": best.name if best.name == AUTO or is_model_name(best.name) else "",
        "target": "" if best.alone is None or best.answers_all else str(USUAL_TARGET),
    }
