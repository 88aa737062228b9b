"""Names of the columns of a fitted model, to show to people."""

from collections.abc import Sequence
from typing import Any


def term_names(model: Any, feature_names: Sequence[str] | None) -> Sequence[Any]:
    """Return the given names, else ``feature_names_in_``, else column numbers."""
    if feature_names is None:
        return getattr(model, "feature_names_in_", range(model.n_features_in_))
    if len(feature_names) != model.n_features_in_:
        raise ValueError(
            f"feature_names has {len(feature_names)} names, but the model was fitted to "
            f"{model.n_features_in_} terms. Pass one name per term."
        )
    return [str(name) for name in feature_names]
