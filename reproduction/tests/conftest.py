from tests.conftest import corpora

__all__ = ["corpora"]
