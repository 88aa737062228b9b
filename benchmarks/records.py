"""What every script that measures accuracy needs: whole files, and repeatable random numbers."""

from honeybayes.evaluate._records import rewrite_results, write_whole
from honeybayes.evaluate._splits import random_for

__all__ = ["random_for", "rewrite_results", "write_whole"]
