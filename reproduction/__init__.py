"""Rerun the tables of five papers with honeybayes, and compare with the published numbers."""
