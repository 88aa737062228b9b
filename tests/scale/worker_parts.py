"""What the workers of the tests load; it imports little, because each worker imports it."""

import os
import signal
import time
from pathlib import Path

import numpy as np

from honeybayes.tables import load_corpus

CORPUS = load_corpus("messages")
CORPUS = CORPUS.take(np.random.default_rng(0).permutation(len(CORPUS)))
TEXTS, LABELS, NEW = CORPUS.documents[:240], CORPUS.labels[:240], CORPUS.documents[240:]


def documents(*given):
    """Load what is given: documents, their labels, and a pool or none."""
    return given if len(given) > 1 else (*given, None)


def load_or_die(folder, number):
    """Load a part; the first process that loads part 3 ends as if it were killed."""
    mark = Path(folder, "killed")
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return TEXTS[number::6], LABELS[number::6]


def load_or_fail(number, folder):
    """Load a part, which takes a while and leaves a file; part 1 cannot be read."""
    time.sleep(0.1)
    Path(folder, str(number)).touch()
    if number == 1:
        raise OSError("gone")
    return TEXTS[number::6], LABELS[number::6]
