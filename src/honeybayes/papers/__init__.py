"""The five papers: their tables as published, and the code that reruns them."""
