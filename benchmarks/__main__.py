"""Run every benchmark of speed and memory: ``make bench``."""

from benchmarks import speed_paths

speed_paths.main()
