"""``python -m honeybayes.cli``."""

from honeybayes.cli import main

main()
