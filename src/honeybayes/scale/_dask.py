"""Statistics that the workers of Dask collect and merge."""

from collections.abc import Sequence
from typing import Any

from honeybayes.scale._engines import current_client, explain_loss, merge_in_pairs, name_part
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.utils.optional import import_optional


def fit_with_dask(
    model: Any, parts: Sequence[Any], *, q: str = "exact", names: Sequence[str] | None = None
) -> Any:
    """Learn from parts that the workers of Dask load.

    The statistics of the parts are merged in pairs on the workers, so only one object comes back.
    Dask runs a lost part again elsewhere, if a worker ends.

    Parameters
    ----------
    model : estimator
        As in `start_statistics`.
    parts : sequence of delayed
        Each computes to ``(X, y)``: counts of terms, and labels. They are computed once
        per pass: twice or more often for models of paths (``n_passes_left`` of `Statistics`).
    q : {"exact", "sketch"}, default="exact"
        As in `start_statistics`.
    names : sequence of str, optional
        A name of each part for error messages, such as the path of a file. By default, its number.

    Returns
    -------
    estimator
        A fitted copy of the model, equal to ``fit`` on all documents.

    Notes
    -----
    Requires Dask: ``pip install 'honeybayes[scale]'``. The current scheduler is used: a
    ``dask.distributed.Client`` if there is one, a local cluster or any other, and else threads.

    Examples
    --------
    >>> from honeybayes import HigherOrderNB
    >>> from honeybayes.scale import fit_with_dask
    >>> from dask import delayed  # doctest: +SKIP
    >>> parts = [delayed(load_counts)(file) for file in files]  # doctest: +SKIP
    >>> model = fit_with_dask(HigherOrderNB(), parts)  # doctest: +SKIP
    """
    delayed = import_optional("dask", "scale").delayed
    if not parts:
        raise ValueError("There are no parts. Pass a list of delayed (X, y).")
    names = [f"Part {number}" for number in range(len(parts))] if names is None else names
    if len(names) != len(parts):
        raise ValueError(f"There are {len(parts)} parts and {len(names)} names. Name each part.")
    statistics = start_statistics(model, q=q)
    while True:
        empty = delayed(statistics, pure=False)
        found = [delayed(_add)(empty, part, name) for part, name in zip(parts, names, strict=True)]
        with explain_loss(current_client()):
            statistics = merge_in_pairs(found, _merge).compute()
        if not statistics.n_passes_left:
            return statistics.finish()
        statistics = statistics.next_pass()


def _add(empty: Statistics, part: Any, name: str) -> Statistics:
    try:
        X, y = part
        return empty.empty_copy().add(X, y)
    except (TypeError, ValueError) as error:
        raise ValueError(name_part(name, error)) from error


def _merge(one: Statistics, *others: Statistics) -> Statistics:
    """Return a new object, because Dask may use its arguments again."""
    merged = one.empty_copy().merge(one)
    for other in others:
        merged.merge(other)
    return merged
