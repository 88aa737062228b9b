"""Model files, for the commands that use one."""

from typing import Any

from honeybayes.utils.suggestions import did_you_mean


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


def refuse_model_as_table(table: str, model: str) -> None:
    """Refuse a model file where a table is wanted, as when the two are swapped."""
    from honeybayes.files._archive import is_model_file

    if is_model_file(table):
        swapped = "" if is_model_file(model) else f": {model} and {table} seem to be swapped"
        raise ValueError(f"{table} is a model file, not a table{swapped}.")


def find_class(classifier: Any, label: str | None) -> Any:
    """Return the class that a person named: as the model knows it, a number perhaps."""
    if label is None:
        return None
    by_name = {str(known): known for known in classifier.classes_.tolist()}
    if label not in by_name:
        raise ValueError(
            f"The model has no class {label!r}. Its classes are: {', '.join(by_name)}."
            f"{did_you_mean(label, by_name)}"
        )
    return by_name[label]
