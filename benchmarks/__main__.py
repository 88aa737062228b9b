"""Run every benchmark of speed and memory: ``make bench``."""

from benchmarks import speed_counts, speed_import, speed_paths, speed_variants

for benchmark in (speed_import, speed_paths, speed_counts, speed_variants):
    benchmark.main()
