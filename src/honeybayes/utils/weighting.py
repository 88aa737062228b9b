"""Fit a model with weights of documents, also inside pipelines."""

from typing import Any

from sklearn import config_context
from sklearn.utils.validation import has_fit_parameter


def check_takes_weights(model: Any) -> None:
    """Raise ValueError if a model cannot use weights of documents."""
    last = _last_step(model)[1]
    if not has_fit_parameter(last, "sample_weight"):
        raise ValueError(
            f"{type(last).__name__} cannot use sample_weight, because its fit "
            "counts every document once. Leave out sample_weight, or use a model such as CNB or NB."
        )


def fit_weighted(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
    """Fit a model; in a pipeline, only the last step gets the weights.

    Metadata routing is switched off inside, because the caller has already received the weights.
    """
    if sample_weight is None:
        return model.fit(X, y)
    check_takes_weights(model)
    with config_context(enable_metadata_routing=False):
        return model.fit(X, y, **{f"{_last_step(model)[0]}sample_weight": sample_weight})


def _last_step(model: Any) -> tuple[str, Any]:
    prefix = ""
    while hasattr(model, "steps"):
        name, model = model.steps[-1]
        prefix += f"{name}__"
    return prefix, model
