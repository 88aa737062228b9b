"""Benchmarks: accuracy under the clean protocol, speed and memory against a baseline."""
