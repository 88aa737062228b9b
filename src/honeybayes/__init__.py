"""Text classification from few labels: higher-order paths and hidden parents.

Every name below is loaded when it is first used, so that ``import honeybayes`` alone costs
next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

_ROOM_OF = {
    "CountNB": "bayes",
    "FewDocumentsWarning": "exceptions",
    "FewLabelsClassifier": "semisupervised",
    "HiddenNB": "bayes",
    "HigherOrderNB": "bayes",
    "HigherOrderSmoothingNB": "bayes",
    "ModelFileError": "files",
    "NoPathWarning": "exceptions",
    "SmoothedBernoulliNB": "bayes",
    "StructureExtendedNB": "bayes",
    "TextClassifier": "classifier",
    "describe_model": "zoo",
    "list_models": "zoo",
    "load_model": "files",
    "make_model": "zoo",
    "save_model": "files",
}
_ROOMS = (
    "bayes",
    "calibration",
    "data",
    "files",
    "paths",
    "semisupervised",
    "term_scores",
    "text",
    "zoo",
)

__all__ = sorted([*_ROOM_OF, *_ROOMS])

if TYPE_CHECKING:
    from honeybayes.bayes import CountNB as CountNB
    from honeybayes.bayes import HiddenNB as HiddenNB
    from honeybayes.bayes import HigherOrderNB as HigherOrderNB
    from honeybayes.bayes import HigherOrderSmoothingNB as HigherOrderSmoothingNB
    from honeybayes.bayes import SmoothedBernoulliNB as SmoothedBernoulliNB
    from honeybayes.bayes import StructureExtendedNB as StructureExtendedNB
    from honeybayes.classifier import TextClassifier as TextClassifier
    from honeybayes.exceptions import FewDocumentsWarning as FewDocumentsWarning
    from honeybayes.exceptions import NoPathWarning as NoPathWarning
    from honeybayes.files import ModelFileError as ModelFileError
    from honeybayes.files import load_model as load_model
    from honeybayes.files import save_model as save_model
    from honeybayes.semisupervised import FewLabelsClassifier as FewLabelsClassifier
    from honeybayes.zoo import describe_model as describe_model
    from honeybayes.zoo import list_models as list_models
    from honeybayes.zoo import make_model as make_model


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF:
        return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
