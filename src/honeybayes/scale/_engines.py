"""Run a task on parts of the texts, and merge what it finds: here in turn, or with Dask."""

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from typing import Any, NamedTuple

from honeybayes.utils.optional import import_optional
from honeybayes.utils.workers import without_interrupts

EXPECTED = (ValueError, TypeError, OSError)  # what a part can be to blame for
MANY_CLASSES = "The number of unique classes is greater than 50%"  # of a part, which says nothing
LARGE_GRAPH = "Sending large graph"  # the terms and sums of the pass before, which all tasks need
TOPIC = "honeybayes-parts"  # by which workers say that a part is done
PATIENCE = 15  # seconds, for a connection and for the first worker

Show = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


class TextSource(NamedTuple):
    """A part of the texts, which is read when it is needed.

    Parameters
    ----------
    name : str
        For messages, such as the path of a file.
    load : callable
        Called with ``arguments``. It returns a `TextPart`, each time the same one: some models need
        several passes. For Dask, it must be possible to pickle it.
    arguments : tuple, default=()
        What ``load`` is called with. With Dask, also delayed values.
    """

    name: str
    load: Callable[..., "TextPart"]
    arguments: tuple[Any, ...] = ()


class TextPart(NamedTuple):
    """Some of the texts.

    Parameters
    ----------
    texts : sequence of str
        The texts. There may be none.
    labels : sequence or None, default=None
        Label of each text; None if no text has a label.
    pool : sequence of str, default=()
        More texts, which have no label.
    """

    texts: Sequence[str]
    labels: Any = None
    pool: Sequence[str] = ()


class Shares:
    """What tasks found in some parts, merged, and the parts that could not be read."""

    def __init__(self, value: Any = None, problems: Mapping[int, str] | None = None) -> None:
        self.value, self.problems = value, dict(problems or {})

    def merge(self, other: "Shares") -> "Shares":
        """Add another object, which is not changed."""
        if self.value is None and other.value is not None:
            self.value = other.value.empty_copy()
        if other.value is not None:
            self.value.merge(other.value)
        self.problems |= other.problems
        return self


class LocalEngine:
    """Read the parts on this machine, one after the other.

    Parameters
    ----------
    show : callable or None, default=None
        Called with a word and the number of parts at the beginning of each pass. It returns a
        context manager that gives a function, which is called with 1 after each part.
    """

    def __init__(self, show: Show | None = None) -> None:
        self.show = show or (lambda what, total: nullcontext(lambda more: None))

    def collect(
        self, what: str, task: Any, sources: Mapping[int, TextSource], keep_going: bool = False
    ) -> Shares:
        """Run a task on each part, and merge what it returns.

        Parameters
        ----------
        what : str
            What the task looks for, to show it.
        task : callable
            Called with a `TextPart` and its number. It returns an object with the methods ``merge``
            and ``empty_copy``.
        sources : mapping of int to TextSource
            The parts by their numbers.
        keep_going : bool, default=False
            Whether to leave out parts that cannot be read. By default, they raise an error.

        Returns
        -------
        Shares
            With the merged ``value``, and the ``problems`` by the numbers of the parts.
        """
        with self.show(what, len(sources)) as count:
            return self._collect(task, sources, keep_going, count)

    def _collect(
        self, task: Any, sources: Mapping[int, TextSource], keep_going: bool, count: Any
    ) -> Shares:
        total = Shares()
        for number, source in sources.items():
            total.merge(_run(task, source, number, keep_going, None, *source.arguments))
            count(1)
        return total


class DaskEngine(LocalEngine):
    """Read the parts on the workers of Dask.

    The workers of the current ``distributed.Client`` are used; without one, threads. What workers
    find is merged in pairs, so that one object comes back. If a worker ends, Dask reads its parts
    again elsewhere.

    Parameters
    ----------
    show : callable or None, default=None
        As in `LocalEngine`. With a ``distributed.Client``, it is told about each part.
    """

    def _collect(
        self, task: Any, sources: Mapping[int, TextSource], keep_going: bool, count: Any
    ) -> Shares:
        dask = import_optional("dask", "scale")
        delayed = dask.delayed
        client = current_client()
        shared = delayed(task, pure=False, traverse=False)
        topic = TOPIC if client is not None else None
        found = [
            delayed(_run)(
                *(shared, source._replace(arguments=()), number, keep_going, topic),
                *source.arguments,
            )
            for number, source in sources.items()
        ]
        merged = merge_in_pairs(found, _merge)
        with _told(client, count), explain_loss(client):
            try:
                return merged.compute()
            except EXPECTED as error:
                raise _with_name(error, sources) from error


def merge_in_pairs(found: Sequence[Any], merge: Callable[..., Any]) -> Any:
    """Return the delayed value that merges all delayed values, neighbors first."""
    delayed = import_optional("dask", "scale").delayed
    while len(found) > 1:
        found = [delayed(merge)(*found[at : at + 2]) for at in range(0, len(found), 2)]
    return found[0]


def _merge(*shares: Shares) -> Shares:
    """Return a new object, because Dask may use its arguments again."""
    total = Shares()
    for each in shares:
        try:
            total.merge(each)
        except EXPECTED as error:
            raise MergeError(*error.args) from error
    return total


class MergeError(ValueError):
    """An error of parts that do not fit together; each of them could be read."""


class PartError(ValueError):
    """An error that names the part."""


def _run(
    task: Any, source: TextSource, number: int, keep_going: bool, topic: str | None, *arguments: Any
) -> Shares:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", MANY_CLASSES)
        try:
            found = Shares(task(source.load(*arguments), number))
        except EXPECTED as error:
            message = name_part(source.name, error)
            if not keep_going:
                raise PartError(message) from error
            found = Shares(problems={number: message})
    if topic is not None:
        with suppress(ValueError):  # not on a worker
            import_optional("distributed", "scale").get_worker().log_event(topic, 1)
    return found


def name_part(name: str, error: Exception) -> str:
    """Return the message of an error, which begins with the name of the part unless it has it."""
    told = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.filename and error.strerror:
        told = f"{error.filename}: {error.strerror}."
    return told if told.startswith(name) else f"{name}: {told}"


def _with_name(error: Exception, sources: Mapping[int, TextSource]) -> Exception:
    """Return an error that names the part which Dask itself could not read, by trying each one."""
    is_known = isinstance(error, PartError | MergeError)
    if is_known or not any(source.arguments for source in sources.values()):
        return error
    delayed = import_optional("dask", "scale").delayed
    for source in sources.values():
        try:
            delayed(_nothing)(*source.arguments).compute()
        except EXPECTED as own:
            return PartError(name_part(source.name, own))
    return error


def _nothing(*values: Any) -> None:
    """Take what Dask could compute."""


def current_client() -> Any:
    """Return the client of a cluster, or None."""
    try:
        return import_optional("distributed", "scale").default_client()
    except (ImportError, ValueError):  # threads, or another scheduler of Dask
        return None


@contextmanager
def _told(client: Any, count: Callable[[int], None]) -> Iterator[None]:
    """Count what the workers tell while the context is open."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", LARGE_GRAPH)
        if client is None:
            yield
            return
        client.subscribe_topic(TOPIC, lambda event: count(1))
        try:
            yield
        finally:
            with suppress(Exception):  # the connection may be lost
                client.unsubscribe_topic(TOPIC)


@contextmanager
def explain_loss(client: Any) -> Iterator[None]:
    """Say in plain words that the scheduler or a worker was lost."""
    if client is None:
        yield
        return
    distributed = import_optional("distributed", "scale")
    address = client.scheduler.address if client.scheduler is not None else "?"
    try:
        yield
    except distributed.KilledWorker as error:
        raise ValueError(
            "A part ended several workers, perhaps because their memory was too small for it. Make "
            "the parts smaller, or give the workers more memory."
        ) from error
    except (distributed.client.FutureCancelledError, distributed.CancelledError) as error:
        raise ConnectionError(
            f"The scheduler of Dask at {address} was lost. Nothing was written. Start it again, "
            "and run the same again."
        ) from error


@contextmanager
def connect_dask(
    address: str | None = None, n_workers: int | None = None, show: Show | None = None
) -> Iterator[DaskEngine]:
    """Connect to a cluster of Dask, or start one on this machine, and end it afterwards.

    Parameters
    ----------
    address : str or None, default=None
        Address of a scheduler, such as "tcp://10.0.0.1:8786". None starts a local cluster, with one
        process per core.
    n_workers : int or None, default=None
        Number of processes of a local cluster.
    show : callable or None, default=None
        As in `LocalEngine`.

    Yields
    ------
    DaskEngine
        It uses this cluster.

    Raises
    ------
    ConnectionError
        If the scheduler cannot be reached, or has no workers.
    """
    distributed = import_optional("distributed", "scale")
    if address is None:
        options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        options["silence_logs"] = logging.CRITICAL
        with ExitStack() as stack:
            with without_interrupts():
                own = stack.enter_context(distributed.LocalCluster(n_workers, **options))
            stack.enter_context(distributed.Client(own))
            yield DaskEngine(show)
        return
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"The scheduler of Dask at {address} cannot be reached ({error}). Check the address, "
            "such as tcp://10.0.0.1:8786, and that `dask scheduler` runs there."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ConnectionError(
                f"The scheduler of Dask at {address} has no workers. Start some: dask worker "
                f"{address}"
            ) from error
        yield DaskEngine(show)
