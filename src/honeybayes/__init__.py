"""Text classification from few labels: higher-order paths and hidden parents.

Names are loaded when they are first used, so ``import honeybayes`` alone is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Every class of these packages can be imported from honeybayes itself ...
_ESTIMATOR_ROOMS = ("bayes", "semisupervised", "vectors")
# ... and so can these names of other modules.
_NAMES_OF = {
    "calibration": ("TemperatureScaledClassifier",),
    "classifier": ("TextClassifier",),
    "exceptions": ("FewDocumentsWarning", "ModelFileError", "NoPathWarning"),
    "explain": ("explain_decision", "explain_word", "telling_words"),
    "files": ("load_model", "save_model"),
    "text": ("TextVectorizer",),
    "zoo": ("describe_model", "list_models", "make_model"),
}
_ROOM_OF = {name: room for room, names in _NAMES_OF.items() for name in names}
_ROOMS = (
    *("bayes", "calibration", "classifier", "evaluate", "explain", "files", "labeling", "paths"),
    *("report", "scale", "semisupervised", "sources", "tables", "text", "vectors", "zoo"),
)

if TYPE_CHECKING:
    from honeybayes import bayes as bayes
    from honeybayes import calibration as calibration
    from honeybayes import classifier as classifier
    from honeybayes import evaluate as evaluate
    from honeybayes import explain as explain
    from honeybayes import files as files
    from honeybayes import labeling as labeling
    from honeybayes import paths as paths
    from honeybayes import report as report
    from honeybayes import scale as scale
    from honeybayes import semisupervised as semisupervised
    from honeybayes import sources as sources
    from honeybayes import tables as tables
    from honeybayes import text as text
    from honeybayes import vectors as vectors
    from honeybayes import zoo as zoo
    from honeybayes.bayes import *  # noqa: F403
    from honeybayes.calibration import TemperatureScaledClassifier as TemperatureScaledClassifier
    from honeybayes.classifier import TextClassifier as TextClassifier
    from honeybayes.exceptions import FewDocumentsWarning as FewDocumentsWarning
    from honeybayes.exceptions import ModelFileError as ModelFileError
    from honeybayes.exceptions import NoPathWarning as NoPathWarning
    from honeybayes.explain import explain_decision as explain_decision
    from honeybayes.explain import explain_word as explain_word
    from honeybayes.explain import telling_words as telling_words
    from honeybayes.files import load_model as load_model
    from honeybayes.files import save_model as save_model
    from honeybayes.semisupervised import *  # noqa: F403
    from honeybayes.text import TextVectorizer as TextVectorizer
    from honeybayes.vectors import *  # noqa: F403
    from honeybayes.zoo import describe_model as describe_model
    from honeybayes.zoo import list_models as list_models
    from honeybayes.zoo import make_model as make_model
else:

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return sorted([*_estimators(), *_ROOM_OF, *_ROOMS])
        if name in _ROOMS:
            return import_module(f"{__name__}.{name}")
        if name in _ROOM_OF:
            return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
        for room in _ESTIMATOR_ROOMS if name[:1].isupper() else ():
            if isinstance(found := vars(import_module(f"{__name__}.{room}")).get(name), type):
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _estimators() -> dict[str, type]:
    rooms = [import_module(f"{__name__}.{room}") for room in _ESTIMATOR_ROOMS]
    return {
        name: value
        for room in rooms
        for name, value in vars(room).items()
        if isinstance(value, type)
    }


def __dir__() -> list[str]:
    return sorted({"__version__", *_estimators(), *_ROOM_OF, *_ROOMS})
