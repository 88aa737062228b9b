"""Work on parts in this process, in several processes, or on the workers of Dask."""

import asyncio
import logging
import operator
import os
import signal
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from typing import Any, NamedTuple

from joblib import Parallel, delayed

from honeybayes.utils.optional import import_optional
from honeybayes.utils.parameters import documented
from honeybayes.utils.workers import end_with_parent, without_interrupts

EXPECTED = (ValueError, TypeError, OSError)  # what a part can be to blame for
MANY_CLASSES = "The number of unique classes is greater than 50%"  # of a part, which says nothing
LARGE_GRAPH = "Sending large graph"  # the terms and sums of the pass before, which all tasks need
SAFE_PATH = "PYTHONSAFEPATH"
PATIENCE = 15  # seconds, for a connection and for the first worker

Show = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


class Part(NamedTuple):
    """A part of the documents, which is read when it is needed.

    Parameters
    ----------
    name : str
        For messages, such as the path of a file.
    load : callable
        Called with ``arguments``. It returns documents and their labels, ``(X, y)``: each time the
        same, because some models need several passes. Texts without any label have ``y=None``.
        A third value may be more texts, which have no label. For other processes, it must be
        possible to pickle the function.
    arguments : tuple, default=()
        What ``load`` is called with. With Dask, also delayed values.
    """

    name: str
    load: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


class Shares:
    """What tasks found in some parts, merged, and the parts that could not be read."""

    def __init__(self, value: Any = None, problems: Mapping[int, str] | None = None) -> None:
        self.value, self.problems = value, dict(problems or {})

    def merge(self, other: "Shares") -> None:
        """Add another object, which is not changed."""
        self.problems |= other.problems
        if other.value is None:
            return
        try:
            self.value = other.value.empty_copy() if self.value is None else self.value
            self.value.merge(other.value)
        except EXPECTED as error:
            raise MergeError(*error.args) from error


class LocalEngine:
    """Work on the parts in this process, one after the other.

    Parameters
    ----------
    show : callable or None, default=None
        Called with a word and the number of parts at the beginning of each pass. It returns a
        context manager that gives a function, which is called with 1 after each part.
    """

    def __init__(self, show: Show | None = None) -> None:
        self.show = show or (lambda what, total: nullcontext(lambda more: None))

    def map(self, task: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        """Call a task with each item.

        Parameters
        ----------
        task : callable
            For other processes, it must be possible to pickle it, its argument and its result.
        items : iterable
            The arguments.

        Yields
        ------
        object
            What the task returned, in the order in which the items are done.
        """
        yield from map(task, items)

    def collect(
        self, what: str, task: Any, parts: Mapping[int, Part], keep_going: bool = False
    ) -> Shares:
        """Call a task with each part, and merge what it returns.

        Parameters
        ----------
        what : str
            What the task looks for, to show it.
        task : callable
            Called with what a part loads, and its number. It returns an object with the methods
            ``merge`` and ``empty_copy``. The order of merging must not matter.
        parts : mapping of int to Part
            The parts by their numbers.
        keep_going : bool, default=False
            Whether to leave out parts that cannot be read. By default, they raise an error.

        Returns
        -------
        Shares
            With the merged ``value``, and the ``problems`` by the numbers of the parts.
        """
        total = Shares()
        with self.show(what, len(parts)) as count:
            for found in self.map(partial(_run, task, keep_going), parts.items()):
                total.merge(found)
                count(1)
        return total


@documented
class ProcessEngine(LocalEngine):
    """Work on several parts at the same time, in processes of this machine.

    Parameters
    ----------
    n_workers : int
        Number of processes.
    show : callable or None, default=None
        As in `LocalEngine`.
    """

    def __init__(self, n_workers: int, show: Show | None = None) -> None:
        super().__init__(show)
        self.n_workers = n_workers

    def map(self, task: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        """Call a task with each item."""
        options: Any = {"return_as": "generator_unordered", "batch_size": 1, "max_nbytes": None}
        run = Parallel(self.n_workers, **options)
        here = partial(_work, os.getpid(), os.path.abspath(os.curdir), task)
        before = os.environ.get(SAFE_PATH)
        # processes that start here import no file of the current folder, such as random.py
        os.environ[SAFE_PATH] = "1"
        try:
            results = run(map(delayed(here), items))
        finally:
            os.environ.pop(SAFE_PATH)
            os.environ.update({} if before is None else {SAFE_PATH: before})
        try:
            for each in results:  # noqa: UP028 (it is closed below)
                yield each
        except (BrokenProcessPool, EOFError) as error:
            raise ConnectionError(
                "A process that works on parts has ended, perhaps because memory was short. Use "
                "fewer processes, or smaller parts."
            ) from error
        finally:
            with warnings.catch_warnings(action="ignore"):  # that tasks are cancelled
                results.close()


def _work(parent: int, folder: str, task: Callable[[Any], Any], item: Any) -> Any:
    """Call a task in a worker, which ends with its parent and works in the same folder."""
    if os.getpid() != parent:  # joblib may do without processes
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a terminal sends to all processes
        end_with_parent(parent)
        os.chdir(folder)
    return task(item)


@documented
class DaskEngine(LocalEngine):
    """Work on the parts with the workers of Dask.

    The workers of the current ``distributed.Client`` are used; without one, the scheduler of Dask.
    What workers find is merged in pairs, so that one object comes back. If a worker ends, Dask
    reads its parts again elsewhere.

    Parameters
    ----------
    show : callable or None, default=None
        As in `LocalEngine`, but what it gives is called once, with the number of parts.
    """

    def map(self, task: Callable[[Any], Any], items: Iterable[Any]) -> Generator[Any, None, None]:
        """Call a task with each item."""
        client = _current_client()
        if client is None:
            dask = import_optional("dask", "scale")
            yield from dask.compute(*map(dask.delayed(task), items))
            return
        futures = client.map(task, list(items), pure=False)
        try:
            with _explain_loss(client):
                for each in import_optional("distributed", "scale").as_completed(futures):
                    yield each.result()
        finally:
            with suppress(Exception):  # the connection may be lost
                client.cancel(futures)

    def collect(
        self, what: str, task: Any, parts: Mapping[int, Part], keep_going: bool = False
    ) -> Shares:
        """Call a task with each part, and merge what it returns."""
        delayed = import_optional("dask", "scale").delayed
        # an argument, because Dask sends a function again with every part
        shared = delayed(partial(_run, task, keep_going), pure=False, traverse=False)
        merged = [
            delayed(operator.call)(shared, (number, part._replace(arguments=())), *part.arguments)
            for number, part in parts.items()
        ]
        while len(merged) > 1:  # neighbors first
            merged = [delayed(_merge)(*merged[at : at + 2]) for at in range(0, len(merged), 2)]
        client = _current_client()
        loss = nullcontext() if client is None else _explain_loss(client)
        with loss, self.show(what, len(parts)) as count, warnings.catch_warnings():
            warnings.filterwarnings("ignore", LARGE_GRAPH)
            try:
                total = merged[0].compute()
                count(len(parts))
                return total
            except (MergeError, PartError):
                raise
            except EXPECTED:  # of a part that Dask itself could not read
                for part in parts.values():
                    try:
                        delayed(len)(part.arguments).compute()
                    except EXPECTED as own:
                        raise PartError(_name_part(part.name, own)) from own
                raise


def _merge(*shares: Shares) -> Shares:
    """Return a new object, because Dask may use its arguments again."""
    total = Shares()
    for each in shares:
        total.merge(each)
    return total


class MergeError(ValueError):
    """An error of parts that do not fit together; each of them could be read."""


class PartError(ValueError):
    """An error that names the part."""


def _run(task: Any, keep_going: bool, numbered: tuple[int, Part], *arguments: Any) -> Shares:
    number, part = numbered
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", MANY_CLASSES)
        try:
            return Shares(task(part.load(*part.arguments, *arguments), number))
        except EXPECTED as error:
            message = _name_part(part.name, error)
            if not keep_going:
                raise PartError(message) from error
            return Shares(problems={number: message})


def _name_part(name: str, error: Exception) -> str:
    """Return the message of an error, which begins with the name of the part unless it has it."""
    told = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.filename and error.strerror:
        told = f"{error.filename}: {error.strerror}."
    return told if told.startswith(name) else f"{name}: {told}"


def _current_client() -> Any:
    """Return the client of a cluster, or None."""
    try:
        return import_optional("distributed", "scale").default_client()
    except (ImportError, ValueError):  # threads, or another scheduler of Dask
        return None


@contextmanager
def _explain_loss(client: Any) -> Iterator[None]:
    """Say in plain words that the scheduler or a worker was lost."""
    distributed = import_optional("distributed", "scale")
    address = client.scheduler.address if client.scheduler is not None else "?"
    try:
        yield
    except distributed.KilledWorker as error:
        raise ConnectionError(
            "A part ended several workers, perhaps because their memory was too small for it. Make "
            "the parts smaller, or give the workers more memory."
        ) from error
    except (distributed.client.FutureCancelledError, distributed.CancelledError) as error:
        told = f"The scheduler of Dask at {address} was lost."
        raise ConnectionError(f"{told} Start it again, and run the same again.") from error


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
        import_optional("cryptography", "scale")
        options = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        options["silence_logs"] = logging.CRITICAL
        with ExitStack() as stack:
            with without_interrupts():  # with keys of its own, or any user could run code there
                own = distributed.LocalCluster(n_workers=n_workers, security=True, **options)
                stack.enter_context(own)
            stack.enter_context(distributed.Client(own))
            yield DaskEngine(show)
        return
    try:
        with ThreadPoolExecutor(1) as thread:  # this one may have a loop of its own
            thread.submit(asyncio.run, _greet(address)).result()
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        why = str(error) or "no answer"
        told = f"The scheduler of Dask at {address} cannot be reached ({why})."
        advice = "Check the address, such as tcp://10.0.0.1:8786, and that `dask scheduler` runs."
        raise ConnectionError(f"{told} {advice}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            told = f"The scheduler of Dask at {address} has no workers."
            raise ConnectionError(f"{told} Start some: dask worker {address}") from error
        yield DaskEngine(show)


async def _greet(address: str) -> None:
    """Raise OSError if nothing answers at the address: a client would wait for it without end."""
    distributed = import_optional("distributed", "scale")
    security = distributed.Security().get_connection_args("client")
    connecting = distributed.comm.connect(address, timeout=PATIENCE, **security)
    (await asyncio.wait_for(connecting, PATIENCE)).abort()
