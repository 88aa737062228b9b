"""Text classification from few labels: higher-order paths and hidden parents.

Every name below is loaded when it is first used, so that ``import honeybayes`` alone costs
next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

_ROOM_OF = {
    "CountNB": "bayes",
    "HiddenNB": "bayes",
    "HigherOrderNB": "bayes",
    "HigherOrderSmoothingNB": "bayes",
    "NoPathWarning": "exceptions",
    "SmoothedBernoulliNB": "bayes",
    "StructureExtendedNB": "bayes",
}
_ROOMS = ("bayes", "data", "paths", "term_scores", "text")

__all__ = sorted([*_ROOM_OF, *_ROOMS])

if TYPE_CHECKING:
    from honeybayes.bayes import CountNB as CountNB
    from honeybayes.bayes import HiddenNB as HiddenNB
    from honeybayes.bayes import HigherOrderNB as HigherOrderNB
    from honeybayes.bayes import HigherOrderSmoothingNB as HigherOrderSmoothingNB
    from honeybayes.bayes import SmoothedBernoulliNB as SmoothedBernoulliNB
    from honeybayes.bayes import StructureExtendedNB as StructureExtendedNB
    from honeybayes.exceptions import NoPathWarning as NoPathWarning


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF:
        return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
