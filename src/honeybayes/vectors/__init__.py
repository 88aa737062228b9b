"""Higher-order paths for learners in vector spaces."""

from honeybayes.vectors.higher_order_svc import HigherOrderSVC
from honeybayes.vectors.higher_order_transformer import HigherOrderTransformer
from honeybayes.vectors.tuned_svc import TunedSVC

__all__ = ["HigherOrderSVC", "HigherOrderTransformer", "TunedSVC"]
