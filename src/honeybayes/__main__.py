"""``python -m honeybayes``."""

from honeybayes.cli import main

main()
