"""What every script that measures accuracy needs: whole files, and repeatable random numbers."""

from honeybayes.evaluate._records import write_whole
from honeybayes.evaluate._splits import random_for

__all__ = ["random_for", "write_whole"]
