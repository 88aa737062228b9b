"""Who works on many files: this process, several processes, or the workers of Dask."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from honeybayes.cli._errors import UsageError
from honeybayes.scale import LocalEngine, ProcessEngine, connect_dask
from honeybayes.utils.optional import import_optional

LOCAL, DASK, ADDRESS = "local", "dask", "://"
LOGGERS = ("distributed", "distributed.client", "asyncio")


class EngineChoice(NamedTuple):
    """What the user asks for; without ``jobs``, a cluster has one process per core."""

    with_dask: bool
    scheduler: str | None
    jobs: int | None = None

    @classmethod
    def parse(cls, typed: str, jobs: int | None = None) -> "EngineChoice":
        """Return the choice for ``--engine``: local, dask, or the address of a scheduler."""
        if typed not in (LOCAL, DASK) and ADDRESS not in typed:
            raise UsageError(
                f"--engine {typed} is unknown. It must be {LOCAL}, {DASK}, or the address of a "
                "scheduler, such as tcp://10.0.0.1:8786."
            )
        return cls(typed != LOCAL, typed if ADDRESS in typed else None, jobs)

    @contextmanager
    def open(self, n_files: int, show: Any = None) -> Iterator[LocalEngine]:
        """Yield the engine for this number of files."""
        if self.with_dask and n_files:
            n_workers = min(self.jobs or os.cpu_count() or 1, n_files)
            with _without_logs_of_dask(), connect_dask(self.scheduler, n_workers, show) as engine:
                yield engine
        elif (self.jobs or 1) > 1 and n_files > 1:
            yield ProcessEngine(self.jobs or 1, show)
        else:
            yield LocalEngine(show)


@contextmanager
def _without_logs_of_dask() -> Iterator[None]:
    """Leave out tracebacks of a lost connection, which one error explains."""
    import_optional("distributed", "scale")  # which sets the levels when it is imported
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL)
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        levels = [logging.CRITICAL] * len(loggers)  # what ends later would show tracebacks
        raise
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)
