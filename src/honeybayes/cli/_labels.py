"""What is wrong with the labels of a table."""

import shlex
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from honeybayes.cli._messages import warn
from honeybayes.exceptions import FewDocumentsWarning
from honeybayes.tables import find_missing
from honeybayes.utils.labels import AUTO, DOUBTFUL_MARKS, UNLABELED
from honeybayes.utils.printing import say_rows
from honeybayes.utils.suggestions import did_you_mean

N_SHOWN, MOST_SHOWN = 5, 40  # names in a message, and characters of a name
MANY_ROWS = 20  # scikit-learn, too, warns about many classes beyond it


def are_many(n_classes: int, n_rows: int) -> bool:
    """Return True if there are more classes than half of the rows."""
    return n_rows >= MANY_ROWS and n_classes > n_rows / 2


def take_as_unlabeled(labels: np.ndarray, unlabeled: str, known: Sequence[str]) -> np.ndarray:
    """Empty the labels that mean "no label", and say which."""
    given = [mark.strip() for mark in unlabeled.split(",")]
    marks = find_missing(labels, known) if unlabeled == AUTO else given
    taken = np.isin(labels, [mark for mark in marks if mark])
    if unlabeled == AUTO:
        names, counts = np.unique(labels[taken], return_counts=True)
        for name, count in zip(names.tolist(), counts.tolist(), strict=True):
            warn(
                f"{say_rows(count, 'has', 'have')} the label {name!r}, which is taken as no label. "
                "If it is a class, use --read \"unlabeled=''\"."
            )
    return np.where(taken, UNLABELED, labels)


def warn_about_classes(
    classes: np.ndarray, rows: np.ndarray, column: str, unlabeled: str, known: Sequence[str]
) -> None:
    """Warn about too many classes, names for "no label", and classes that differ in case only."""
    doubtful = DOUBTFUL_MARKS - {*map(str.casefold, known)} if unlabeled == AUTO else set()
    if are_many(len(classes), int(rows.sum())):
        warn(f"{len(classes)} classes in {rows.sum()} rows: is {column!r} the label column?")
        # these warnings would repeat it
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        warnings.simplefilter("ignore", FewDocumentsWarning)
        return
    alike = defaultdict(list)
    for name, count in zip(classes.tolist(), rows.tolist(), strict=True):
        alike[name.casefold()].append(name)
        if name.casefold() in doubtful:
            warn(
                f"{name!r} is used as a class, with {count} row{'s' if count > 1 else ''}. If it "
                f"means that there is no label, empty these cells, or use --read "
                f"{shlex.quote(f'unlabeled={name}')}."
            )
    for names in alike.values():
        if len(names) > 1:
            warn(
                f"The classes {', '.join(map(repr, names))} differ only in upper and lower case. "
                "--read fold-case makes them one class."
            )


def check_labels_known(labels: np.ndarray, known: Sequence[str], table: str, column: str) -> None:
    """Raise ValueError if a model knows none of the labels, so that measures say nothing."""
    found = np.unique(labels).tolist()
    if not set(found) & set(known):
        alike = {name.casefold() for name in found} & {name.casefold() for name in known}
        what = "use --read fold-case" if alike else "name the column with the labels with --label"
        raise ValueError(
            f"{table}: the model knows none of the labels in the column {column!r}: "
            f"{_some(found)}. It knows: {_some(known)}. To measure it, {what}."
        )


def warn_about_unknown(labels: np.ndarray, known: Sequence[str]) -> dict[str, int]:
    """Say which labels the model cannot give; return their numbers of rows, largest first."""
    names, counts = np.unique(labels[~np.isin(labels, known)], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    unknown = dict(zip(names[order].tolist(), counts[order].tolist(), strict=True))
    if unknown:
        n_rows = int(counts.sum())
        rows = {name: f"{n} row{'s' if n > 1 else ''}" for name, n in unknown.items()}
        about = {name: f" ({n}{_perhaps(name, known)})" for name, n in rows.items()}
        warn(
            f"{n_rows} of {len(labels)} rows {'has a label' if n_rows == 1 else 'have labels'} "
            f"that the model does not know, so these answers count as wrong: "
            f"{_some(list(unknown), about)}. Correct the labels, or fit a model that knows them."
        )
    return unknown


def _perhaps(name: str, known: Sequence[str]) -> str:
    """Return the end of a remark: which known label may be meant."""
    if name.casefold() in {each.casefold() for each in known}:
        return "; --read fold-case ignores upper and lower case"
    question = did_you_mean(name, known).strip()
    return f"; {question[0].lower()}{question[1:]}" if question else ""


def _some(names: Sequence[str], about: Mapping[str, str] | None = None) -> str:
    """Return the first names, with a remark about each."""
    shown = [f"{name[:MOST_SHOWN]!r}{(about or {}).get(name, '')}" for name in names[:N_SHOWN]]
    more = f" and {len(names) - N_SHOWN} more" if len(names) > N_SHOWN else ""
    return ", ".join(shown) + more
