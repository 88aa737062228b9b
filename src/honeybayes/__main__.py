"""``python -m honeybayes``, the same as the command ``honeybayes``."""

from honeybayes.cli import main

main()
