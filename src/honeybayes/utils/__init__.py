"""The ground floor: small modules that every other package may import.

It knows no package above it. Names here may change without notice, except those that
CONTRIBUTING.md shows.
"""
