"""Answers of sources, and the classes that their names stand for."""

import warnings
from collections.abc import Collection, Mapping
from numbers import Real
from typing import Any

import numpy as np

from honeybayes.utils.labels import has_no_label
from honeybayes.utils.messages import did_you_mean

FEWEST_OF_CLASS = 0.01  # share of the answers; names that are rarer are no class
NEAR = 0.75  # similarity of two names that may mean the same
MOST_SHOWN = 5  # names in a message
ADVICE = (
    "Say what they mean with map_answers(answers, {name: class}), or with `honeybayes sources "
    "--names 'name=class'`."
)


def map_answers(answers: Any, names: Mapping[Any, Any]) -> list[Any]:
    """Replace the names that a source uses by classes.

    Parameters
    ----------
    answers : iterable
        The answers of a source.
    names : dict
        The class for each name that is not a class; "" or None means that it is no answer.

    Examples
    --------
    >>> from honeybayes.sources import map_answers
    >>> map_answers(["Sports", "politics", "n/a"], {"Sports": "sport", "n/a": ""})
    ['sport', 'politics', '']
    """
    return [names.get(each, each) for each in answers]


def encode_answers(
    sources: Any, n_texts: int, known: Collection[Any], *, only_known: bool = False
) -> dict[str, dict[Any, np.ndarray]]:
    """Return the probability that each source gives each class for each text.

    ``known`` are the classes of labels and seeds. Other names are classes, too, if they are
    frequent and not similar to one of these, or if no class is known; with ``only_known``, they are
    no answer.
    """
    if hasattr(sources, "columns"):
        sources = {str(name): list(sources[name]) for name in sources.columns}
    if not isinstance(sources, Mapping) or not all(isinstance(name, str) for name in sources):
        raise ValueError(
            f"sources must be a dict from names to answers; got {type(sources).__name__}. Use "
            'sources={"gpt4": answers}.'
        )
    found = {name: _encode(name, given, n_texts) for name, given in sources.items()}
    named = {label for by_class in found.values() for label in by_class}
    others = list(named - {-1})
    if not known and -1 in named and len(others) == 1 and isinstance(others[0], Real):
        raise ValueError(
            f"The answers of the sources are {others[0]} and -1, and -1 means no answer. If -1 is "
            'a class, give the classes names, such as "yes" and "no". If it is not, name a '
            'second class; "" and None mean no answer, too.'
        )
    for by_class in found.values():
        if -1 not in known:
            by_class.pop(-1, None)  # "no answer" in scikit-learn and in label models
    if only_known:
        none = {label: np.zeros(n_texts) for label in known}
        return {
            name: none | {label: each for label, each in by_class.items() if label in none}
            for name, by_class in found.items()
        }
    return {name: _check_names(name, each, known) for name, each in found.items()}


def without_answers(answers: dict[str, dict[Any, np.ndarray]], n: int) -> Any:
    """Return answers of ``encode_answers`` with ``n`` more texts, which have none."""
    return {
        name: {label: np.append(each, np.zeros(n)) for label, each in by_class.items()}
        for name, by_class in answers.items()
    }


def _encode(name: str, given: Any, n_texts: int) -> dict[Any, np.ndarray]:
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        found = {each: np.nan_to_num(np.asarray(given[each], dtype=float)) for each in given}
        lengths = {len(each) for each in found.values()}
    else:
        answers = list(given)
        lengths = {len(answers)}
        if any(isinstance(each, Mapping) for each in answers):
            raise ValueError(
                f"The source {name!r} has a dict for a text. Give classes; or probabilities as one "
                'dict of columns: {"billing": [0.8, 0.1], "delivery": [0.2, 0.9]}.'
            )
        labels = dict.fromkeys(each for each in answers if not has_no_label(each))
        found = {each: np.array([one == each for one in answers], float) for each in labels}
    if lengths != {n_texts}:
        raise ValueError(
            f"The source {name!r} has {sorted(lengths)} answers, but there are {n_texts} texts. "
            'Give one answer for each text, "" where it has none.'
        )
    return found


def _check_names(
    name: str, found: dict[Any, np.ndarray], known: Collection[Any]
) -> dict[Any, np.ndarray]:
    """Return the answers without rare names; raise ValueError if names may mean known classes."""
    if not found:
        raise ValueError(f"The source {name!r} has no answer at all. Leave it out.")
    if not known:
        return found
    if len(known) > 1 and found.keys().isdisjoint(known):
        raise ValueError(
            f"No answer of the source {name!r} is a class of the labels: "
            f"{', '.join(map(repr, [*found][:MOST_SHOWN]))}. {ADVICE}"
        )
    total = sum(each.sum() for each in found.values())
    spelled = [str(each) for each in known]
    asked, rare = [], []
    for label in [each for each in found if each not in known]:
        hint = did_you_mean(label, spelled, cutoff=NEAR)
        if hint:
            asked.append(f"{label!r}.{hint}")
        elif found[label].sum() < FEWEST_OF_CLASS * total:
            rare.append(label)
    if asked:
        raise ValueError(
            f"The source {name!r} names classes that no label has: {' '.join(asked[:MOST_SHOWN])} "
            f"{ADVICE} If they are classes, label a text of each."
        )
    if rare:
        told = f"The source {name!r} has rare answers that no label has"
        shown = ", ".join(map(repr, rare[:MOST_SHOWN]))
        warnings.warn(f"{told}, which are taken as no answer: {shown}.", UserWarning, stacklevel=4)
    return {label: each for label, each in found.items() if label not in rare}
