"""A process of its own that searches texts for patterns, so that it can be ended at any time.

It reads texts and patterns as JSON. It writes a line when it is ready, and for each pattern the
numbers of the texts that contain it, or what is wrong with the pattern. Its argument is the number
of seconds of the processor for one pattern: the system ends a process that needs more, also in the
middle of a search. It imports nothing of honeybayes, so that it starts at once.
"""

import json
import re
import signal
import sys
import warnings


def main() -> None:
    warnings.simplefilter("ignore")
    seconds = float(sys.argv[1])
    texts, patterns = json.load(sys.stdin)
    print(json.dumps("ready"), flush=True)
    for pattern in patterns:
        if hasattr(signal, "setitimer"):  # Windows has none: the parent looks at the clock
            signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            search = re.compile(pattern, re.IGNORECASE).search
            answer: list[int] | str = [row for row, text in enumerate(texts) if search(text)]
        except (re.error, RecursionError, OverflowError) as error:
            answer = str(error) or type(error).__name__
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
