"""One thread while a model learns."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from honeybayes import TextClassifier
from honeybayes.utils.matrices import one_thread


def most_threads():
    return max(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")


@pytest.fixture
def two_threads():
    np.ones((2, 2)) @ np.ones((2, 2))  # so that the library is loaded
    with threadpool_limits(2, user_api="blas"):
        if most_threads() < 2:
            pytest.skip("BLAS has one thread here")
        yield


@pytest.mark.usefixtures("two_threads")
def test_the_limit_ends_with_the_last_of_several():
    with one_thread():
        assert most_threads() == 1
    assert most_threads() == 2
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert most_threads() == 1  # the second one has not ended
    second.__exit__(None, None, None)
    assert most_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_a_fit_has_one_thread_and_an_error_ends_the_limit(monkeypatch):
    seen = []

    def look(*_, **__):
        seen.append(most_threads())
        raise ValueError("enough")

    monkeypatch.setattr("honeybayes.classifier.pipeline_settings.fit_weighted", look)
    with pytest.raises(ValueError, match="enough"):
        TextClassifier("MNB", encoder=None).fit(["late parcel", "wrong charge"] * 2, ["x", "y"] * 2)
    assert seen == [1]
    assert most_threads() == 2
