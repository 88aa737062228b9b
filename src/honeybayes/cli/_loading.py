"""Model files, for the commands that use one."""

from typing import Any


def load_classifier(path: str) -> Any:
    """Load a model that takes texts."""
    from sklearn.pipeline import Pipeline

    from honeybayes.classifier import TextClassifier
    from honeybayes.files import load_model

    model = load_model(path)
    if not isinstance(model, TextClassifier | Pipeline):
        raise ValueError(
            f"{path} holds a {type(model).__name__}, which takes counts, not texts. The command "
            "line wants a TextClassifier, as `honeybayes fit` writes it."
        )
    return model
