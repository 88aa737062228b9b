"""Whether answers above a threshold are right as often as `find_threshold` promises.

    python -m benchmarks.thresholds [--target 0.9] [--draws 8]
    python -m benchmarks.thresholds --projects [--draws 4]
    python -m benchmarks.thresholds --pool [--draws 4]

A model learns from random labels, ``find_threshold`` chooses a threshold by the texts that ``fit``
held out, and other texts show how many answers above it are right. "right" is the share of all
answered texts, over all draws; "none" the share of draws without a threshold; "far off" the share
of the draws with one in which the answers are right 5 points less often than promised. "FewLabels"
also learns from a pool: the texts of the pool and new texts are listed apart.

With ``--projects``, labels are those of a simulated labeling session, of which one in five is
random: thresholds by all held-out texts, and by the random ones only.

With ``--pool``, the confidence of FewLabels for texts of its pool, with and without the factor of
the pool, and for new texts: mean confidence, share of right answers, and share of right answers
among those with a confidence of at least 0.8.
"""

import argparse
import warnings
from collections import defaultdict
from typing import Any

import numpy as np

from benchmarks.corpora import skip_if_missing
from benchmarks.records import table_head, table_row
from honeybayes import TextClassifier
from honeybayes.labeling import LabelingSession
from honeybayes.labeling.answers import is_audited
from honeybayes.tables import Corpus, load_corpus

CORPORA = ("messages", "mailbox", "agnews-test", "trec-questions", "sms-spam")
MODELS = ("LogisticRegression-tfidf", "FewLabels")
SIZES = (100, 250)
MOST_TESTED = 1000
N_POOL = 600  # but not more than half of the other texts
N_PROJECT = 1000  # texts, but not more than two thirds
N_LABELS = 150  # of a project
BATCH = 25
TARGETS = (0.9, 0.95)

Result = tuple[int, int, int, bool]  # answered, right, texts, whether there is a threshold


def answer(
    classifier: TextClassifier, corpus: Corpus, rows: np.ndarray, threshold: float | None
) -> Result:
    """Return how many of these texts are answered, and how many of them rightly."""
    proba = classifier.predict_proba([corpus.documents[row] for row in rows])
    is_right = classifier.classes_[proba.argmax(axis=1)] == corpus.labels[rows]
    answered = proba.max(axis=1) >= (2.0 if threshold is None else threshold)
    return int(answered.sum()), int(is_right[answered].sum()), len(rows), threshold is not None


def summarize(found: list[Result], target: float) -> list[str]:
    """Return the cells of a table."""
    answered, right, n_texts, has_threshold = np.array(found).T
    shares = right[answered > 0] / answered[answered > 0]
    if not len(shares):
        return ["none", "0.0", "100", ""]
    return [
        f"{100 * right.sum() / answered.sum():.1f}",
        f"{100 * answered.sum() / n_texts.sum():.1f}",
        f"{100 * np.mean(has_threshold == 0):.0f}",
        f"{100 * np.mean(shares < target - 0.05):.0f}",
    ]


def measure_labels(corpus: Corpus, n_draws: int, target: float) -> dict[tuple, list[Result]]:
    """Return results by model and kind of texts."""
    found = defaultdict(list)
    rows = np.flatnonzero(corpus.labels != "")
    for model in MODELS:
        for size in SIZES:
            for draw in range(n_draws):
                order = np.random.default_rng(draw).permutation(rows)
                train, rest = np.split(order, [size])
                pool, new = np.split(rest, [min(N_POOL, len(rest) // 2)])
                given: dict[str, Any] = {}
                tested = {"new": new[:MOST_TESTED]}
                if model == "FewLabels":
                    given["pool"] = [corpus.documents[row] for row in pool]
                    tested["pool"] = pool
                classifier = TextClassifier(model)
                texts = [corpus.documents[row] for row in train]
                classifier.fit(texts, corpus.labels[train], **given)
                threshold = classifier.find_threshold(target).threshold
                for name, part in tested.items():
                    found[model, name].append(answer(classifier, corpus, part, threshold))
    return found


def measure_projects(corpus: Corpus, n_draws: int) -> dict[tuple, list[Result]]:
    """Return results by target and by the texts that thresholds come from."""
    found = defaultdict(list)
    rows = np.flatnonzero(corpus.labels != "")
    for draw in range(n_draws):
        order = np.random.default_rng(draw).permutation(rows)
        own, new = np.split(order, [min(N_PROJECT, 2 * len(order) // 3)])
        texts = [corpus.documents[row] for row in own]
        session = LabelingSession(texts, batch=BATCH, use_names=False, random_state=draw)
        while len(session.project.ledger.state.labels) < N_LABELS:
            for each in session.suggest(BATCH):
                session.record(each.row, corpus.labels[own[each.row]])
        state = session.project.ledger.state
        labels = np.full(len(own), "", dtype=corpus.labels.dtype)
        labels[list(state.labels)] = corpus.labels[own[list(state.labels)]]
        for source, is_random in (("all", None), ("random", is_audited(session.project))):
            classifier = TextClassifier("FewLabels").fit(texts, labels, is_random=is_random)
            for target in TARGETS:
                threshold = classifier.find_threshold(target).threshold
                for name, part in (("project", own[labels == ""]), ("new", new[:MOST_TESTED])):
                    result = answer(classifier, corpus, part, threshold)
                    found[target, name, source].append(result)
    return found


def measure_pool(name: str, corpus: Corpus, n_draws: int) -> None:
    """Print a row for each number of labels and kind of texts."""
    rows = np.flatnonzero(corpus.labels != "")
    for size in (60, 250):
        found = defaultdict(list)
        for draw in range(100, 100 + n_draws):
            order = np.random.default_rng(draw).permutation(rows)
            train, rest = np.split(order, [size])
            pool, new = np.array_split(rest[:MOST_TESTED], 2)
            texts = [corpus.documents[row] for row in train]
            given = [corpus.documents[row] for row in pool]
            classifier = TextClassifier("FewLabels").fit(texts, corpus.labels[train], pool=given)
            model = classifier.model_
            kinds = {"pool, no factor": (pool, 1.0), "pool": (pool, model._factor_of_pool)}
            kinds["new"] = (new, model._factor_of_pool)
            for kind, (part, factor) in kinds.items():
                model._factor_of_pool = factor
                proba = classifier.predict_proba([corpus.documents[row] for row in part])
                right = classifier.classes_[proba.argmax(axis=1)] == corpus.labels[part]
                found[kind].append(np.column_stack([proba.max(axis=1), right]))
        for kind, parts in found.items():
            confidence, right = np.vstack(parts).T
            sure = right[confidence >= 0.8]
            cells = [confidence.mean(), right.mean(), sure.mean() if len(sure) else np.nan]
            shown = [f"{100 * each:.1f}" for each in cells]
            print(table_row([name, str(size), kind, *shown, str(len(sure))]), flush=True)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", default=CORPORA)
    parser.add_argument("--target", type=float, default=0.9)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--projects", action="store_true")
    parser.add_argument("--pool", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.pool:
        columns = ["labels", "texts", "confidence", "right", "right above 0.8", "answers above 0.8"]
        print("\n".join(table_head("corpus", columns)), flush=True)
        for name in options.corpora:
            with skip_if_missing(name):
                measure_pool(name, load_corpus(name), options.draws)
        return
    columns = ["by all: ", "by random ones: "] if options.projects else [""]
    heads = [each + what for each in columns for what in ("right", "answered", "none", "far off")]
    first = ["target", "texts"] if options.projects else ["model", "texts"]
    print("\n".join(table_head("corpus", [*first, *heads])), flush=True)
    for name in options.corpora:
        with skip_if_missing(name):
            corpus = load_corpus(name)
            if options.projects:
                found = measure_projects(corpus, options.draws)
            else:
                found = measure_labels(corpus, options.draws, options.target)
            by_row = defaultdict(list)
            for (what, texts, *_), results in found.items():
                target = what if options.projects else options.target
                by_row[what, texts] += summarize(results, target)
            for (what, texts), cells in by_row.items():
                print(table_row([name, str(what), texts, *cells]), flush=True)


if __name__ == "__main__":
    main()
