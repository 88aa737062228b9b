"""Run every benchmark of speed and memory: ``make bench``."""

from benchmarks import speed_counts, speed_explain, speed_import, speed_paths

for benchmark in (speed_import, speed_paths, speed_counts, speed_explain):
    benchmark.main()
