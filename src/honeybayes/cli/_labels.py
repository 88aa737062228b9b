"""Labels that a model does not know."""

from collections.abc import Mapping, Sequence

import numpy as np

from honeybayes.cli._messages import warn
from honeybayes.utils.messages import did_you_mean

TYPING_ERROR = 0.8  # similarity; less is rather a class that is new
N_SHOWN, MOST_SHOWN = 5, 40  # names in a message, and characters of a name


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
    question = did_you_mean(name, known, cutoff=TYPING_ERROR).strip()
    return f"; {question[0].lower()}{question[1:]}" if question else ""


def _some(names: Sequence[str], about: Mapping[str, str] | None = None) -> str:
    """Return the first names, with a remark about each."""
    shown = [f"{name[:MOST_SHOWN]!r}{(about or {}).get(name, '')}" for name in names[:N_SHOWN]]
    more = f" and {len(names) - N_SHOWN} more" if len(names) > N_SHOWN else ""
    return ", ".join(shown) + more
