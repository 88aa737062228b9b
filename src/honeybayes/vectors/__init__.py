"""Higher-order paths for learners in vector spaces."""

__all__: list[str] = []
