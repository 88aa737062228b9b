"""Run all benchmarks of speed and memory: ``make bench``."""

from importlib import import_module

for name in (
    "speed_import",
    "speed_paths",
    "speed_counts",
    "speed_variants",
    "speed_vectors",
    "speed_kernel",
    "speed_semisupervised",
    "speed_few_labels",
    "speed_explain",
    "speed_cli",
):
    import_module(f"benchmarks.{name}").main()
