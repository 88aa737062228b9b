"""Measurements: accuracy beside the papers, speed and memory beside a baseline."""
