"""Models of a comparison: by name or as objects, for texts or for counts."""

from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import Any

from sklearn.utils import get_tags

from honeybayes.classifier import TextClassifier
from honeybayes.classifier.model_choice import AutoClassifier
from honeybayes.text import TextAnalyzer
from honeybayes.utils.labels import AUTO
from honeybayes.utils.tags import mark_of_unlabeled
from honeybayes.zoo import make_model

PARTS = ("estimator", "base_estimator")  # parameters that hold the model of a search
# parameters of an analyzer that TextClassifier has, too
ANALYZER_SETTINGS = ("language", "stop_words", "stem", "ngram_range")


def name_models(models: Iterable[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """Return models by name; "auto" stays a name, because it depends on the documents."""
    if isinstance(models, str):
        raise ValueError(f"models must be a list of names; got one string. Try [{models!r}].")
    if isinstance(models, Mapping):
        named = {str(name): _made(model) for name, model in models.items()}
    else:
        named = {}
        for model in models:
            name = str(model) if isinstance(model, str) else _new_name(model, named)
            named[name] = _made(model)
    if not named:
        raise ValueError("models is empty. Pass at least one model to compare.")
    return named


def _made(model: Any) -> Any:
    if isinstance(model, str):
        return model if model == AUTO else make_model(model)
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise ValueError(
            f"{model!r} is not a model: it needs fit and predict. Pass a name of list_models(), "
            '"auto", or an unfitted estimator such as MultinomialNB().'
        )
    return model


def _new_name(model: Any, named: Mapping[str, Any]) -> str:
    """Return the class, for a pipeline those of its steps, with a number if it is taken."""
    steps = [step for _, step in getattr(model, "steps", [])] or [model]
    base = " + ".join(type(step).__name__ for step in steps)
    names = chain([base], (f"{base} {number}" for number in count(2)))
    return next(name for name in names if name not in named)


def auto_for(analyzer: Any, min_df: int, n_terms: int | None, has_texts: bool) -> Any:
    """Return what ``fit`` uses by default: for texts, with the words that all models get."""
    if not has_texts:
        return AutoClassifier()
    given = analyzer if isinstance(analyzer, TextAnalyzer) else TextAnalyzer()
    settings = {name: getattr(given, name) for name in ANALYZER_SETTINGS}
    return TextClassifier(AUTO, min_df=min_df, n_terms=n_terms, **settings)


def takes_texts(model: Any) -> bool:
    """Return True if a model, or the first step of a pipeline, declares that it takes strings."""
    steps = getattr(model, "steps", None) or getattr(model, "transformer_list", None)
    parts = [steps[0][1]] if steps else [getattr(model, part, None) for part in PARTS]
    for part in parts:
        if hasattr(part, "fit"):
            return takes_texts(part)
    return hasattr(model, "__sklearn_tags__") and bool(get_tags(model).input_tags.string)


def mark_of_pool(model: Any) -> Any:
    """Return the value of y that marks unlabeled documents for this model, or None if none does."""
    if isinstance(model, TextClassifier) and isinstance(model.model, str):
        return AUTO if model.model == AUTO else mark_of_unlabeled(make_model(model.model))
    return mark_of_unlabeled(model)
