"""Run every benchmark of speed and memory: ``make bench``."""

from benchmarks import speed_counts, speed_import, speed_kernel, speed_paths, speed_vectors

for benchmark in (speed_import, speed_paths, speed_counts, speed_vectors, speed_kernel):
    benchmark.main()
