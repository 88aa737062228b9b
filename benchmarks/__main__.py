"""Run the benchmarks of speed and memory, and draw their history: ``make bench``.

``python -m benchmarks paths import`` runs two of them, speed_paths and speed_import. Without names,
the growth of the cost is measured, too. See `benchmarks.measure` for adding a measurement.
"""

import sys
import traceback
from importlib import import_module
from pathlib import Path

from benchmarks import growth, history
from benchmarks.measure import MEASURED


def main(names: list[str]) -> int:
    """Run modules by name, or all of them; return the number of modules that failed."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("speed_*.py"))
    modules = [import_module(f"benchmarks.{name}") for name in found]
    if names:
        modules = [module for module in modules if module.__name__.split("speed_")[1] in names]
    else:
        modules = [module for module in modules if getattr(module, "IN_BENCH", True)]
    failures = 0
    for module in [*modules, *([] if names else [growth])]:
        try:
            module.main()
        except Exception:  # the other measurements are still worth having
            traceback.print_exc()
            failures += 1
    history.add(MEASURED)
    history.write_pages()
    with_bar = [measured for measured in MEASURED if measured.verdict]
    missed = [measured for measured in with_bar if measured.verdict == "MISSED"]
    print(
        f"\n{len(with_bar) - len(missed)} of {len(with_bar)} bars met"
        + ("; missed:" if missed else "")
    )
    for measured in missed:
        print(f"  {measured.name}: {measured.ratio:.2f}, {measured.bar}")
    return failures


if __name__ == "__main__":
    names = sys.argv[1:]
    sys.argv = sys.argv[:1]  # modules have options of their own
    sys.exit(main(names))
