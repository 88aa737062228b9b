"""A plain line that tells how far a run has come."""

import sys
import time
from typing import TextIO

WIDTH = 24


class Progress:
    """Show on a terminal how many of the cells are finished; elsewhere say nothing."""

    def __init__(self, total: int, shown: bool | None = None, stream: TextIO | None = None) -> None:
        self.total, self.done = total, 0
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty() if shown is None else shown
        self.start = time.monotonic()

    def step(self, what: str) -> None:
        self.done += 1
        if not self.shown:
            return
        filled = WIDTH * self.done // self.total
        elapsed = time.monotonic() - self.start
        left = elapsed / self.done * (self.total - self.done)
        bar = "#" * filled + "." * (WIDTH - filled)
        line = f"[{bar}] {self.done}/{self.total}, {_clock(left)} left  {what}"
        # back to the start, and clear what a longer line left behind
        self.stream.write(f"\r{line[:100]}\033[K")
        self.stream.flush()

    def close(self) -> None:
        if self.shown and self.done:
            self.stream.write("\n")
            self.stream.flush()


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
