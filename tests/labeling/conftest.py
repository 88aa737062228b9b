"""Texts about two topics, which a model tells apart easily."""

import numpy as np
import pytest

TOPICS = {
    "delivery": [
        "parcel",
        "late",
        "courier",
        "arrived",
        "damaged",
        "package",
        "tracking",
        "shipped",
    ],
    "billing": ["charge", "invoice", "refund", "payment", "card", "twice", "amount", "bank"],
    "account": ["password", "login", "email", "locked", "reset", "profile", "username", "access"],
}


@pytest.fixture(scope="session")
def topical():
    """Return 120 texts with six words each, and their topics."""
    rng = np.random.default_rng(0)
    labels = [list(TOPICS)[number % 3] for number in range(120)]
    texts = [
        " ".join([*rng.choice(TOPICS[label], 4), *rng.choice(["order", "help", "today"], 2)])
        + f" x{chr(97 + number % 26)}{chr(97 + number // 26)}"
        for number, label in enumerate(labels)
    ]
    return texts, labels
