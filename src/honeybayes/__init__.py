"""Text classification from few labels: higher-order paths and hidden parents.

Every name below is loaded when it is first used, so that ``import honeybayes`` alone costs
next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

_ROOM_OF = {
    "AssociationWeightedNB": "bayes",
    "AutoClassifier": "model_choice",
    "CountNB": "bayes",
    "FeatureSelectedNB": "bayes",
    "FeatureWeightedNB": "bayes",
    "FewDocumentsWarning": "exceptions",
    "FewLabelsClassifier": "semisupervised",
    "HiddenNB": "bayes",
    "HigherOrderNB": "bayes",
    "HigherOrderSVC": "vectors",
    "HigherOrderSmoothingNB": "bayes",
    "HigherOrderTransformer": "vectors",
    "InstanceWeightedNB": "bayes",
    "IterativeHigherOrderKernel": "vectors",
    "LSIKNeighborsClassifier": "vectors",
    "LocallyWeightedNB": "bayes",
    "ModelFileError": "files",
    "NoPathWarning": "exceptions",
    "SemanticSVC": "vectors",
    "SmoothedBernoulliNB": "bayes",
    "StructureExtendedNB": "bayes",
    "TemperatureScaledClassifier": "calibration",
    "TextClassifier": "classifier",
    "TextVectorizer": "text",
    "TreeNB": "bayes",
    "TunedSVC": "vectors",
    "WordClusterNB": "bayes",
    "describe_model": "zoo",
    "explain_decision": "explain",
    "explain_word": "explain",
    "list_models": "zoo",
    "load_model": "files",
    "make_model": "zoo",
    "save_model": "files",
    "telling_words": "explain",
}
_ROOMS = (
    "bayes",
    "calibration",
    "data",
    "evaluate",
    "explain",
    "files",
    "paths",
    "report",
    "semisupervised",
    "term_scores",
    "text",
    "vectors",
    "zoo",
)

__all__ = sorted([*_ROOM_OF, *_ROOMS])

if TYPE_CHECKING:
    from honeybayes.bayes import AssociationWeightedNB as AssociationWeightedNB
    from honeybayes.bayes import CountNB as CountNB
    from honeybayes.bayes import FeatureSelectedNB as FeatureSelectedNB
    from honeybayes.bayes import FeatureWeightedNB as FeatureWeightedNB
    from honeybayes.bayes import HiddenNB as HiddenNB
    from honeybayes.bayes import HigherOrderNB as HigherOrderNB
    from honeybayes.bayes import HigherOrderSmoothingNB as HigherOrderSmoothingNB
    from honeybayes.bayes import InstanceWeightedNB as InstanceWeightedNB
    from honeybayes.bayes import LocallyWeightedNB as LocallyWeightedNB
    from honeybayes.bayes import SmoothedBernoulliNB as SmoothedBernoulliNB
    from honeybayes.bayes import StructureExtendedNB as StructureExtendedNB
    from honeybayes.bayes import TreeNB as TreeNB
    from honeybayes.bayes import WordClusterNB as WordClusterNB
    from honeybayes.calibration import TemperatureScaledClassifier as TemperatureScaledClassifier
    from honeybayes.classifier import TextClassifier as TextClassifier
    from honeybayes.exceptions import FewDocumentsWarning as FewDocumentsWarning
    from honeybayes.exceptions import NoPathWarning as NoPathWarning
    from honeybayes.explain import explain_decision as explain_decision
    from honeybayes.explain import explain_word as explain_word
    from honeybayes.explain import telling_words as telling_words
    from honeybayes.files import ModelFileError as ModelFileError
    from honeybayes.files import load_model as load_model
    from honeybayes.files import save_model as save_model
    from honeybayes.model_choice import AutoClassifier as AutoClassifier
    from honeybayes.semisupervised import FewLabelsClassifier as FewLabelsClassifier
    from honeybayes.text import TextVectorizer as TextVectorizer
    from honeybayes.vectors import HigherOrderSVC as HigherOrderSVC
    from honeybayes.vectors import HigherOrderTransformer as HigherOrderTransformer
    from honeybayes.vectors import IterativeHigherOrderKernel as IterativeHigherOrderKernel
    from honeybayes.vectors import LSIKNeighborsClassifier as LSIKNeighborsClassifier
    from honeybayes.vectors import SemanticSVC as SemanticSVC
    from honeybayes.vectors import TunedSVC as TunedSVC
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
