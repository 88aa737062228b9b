"""Support vector machines, kernels and neighbors that use higher-order relations."""

from honeybayes.vectors.higher_order_svc import HigherOrderSVC
from honeybayes.vectors.higher_order_transformer import HigherOrderTransformer
from honeybayes.vectors.iterative_kernel import IterativeHigherOrderKernel
from honeybayes.vectors.lsi_neighbors import LSIKNeighborsClassifier
from honeybayes.vectors.semantic_svc import SemanticSVC
from honeybayes.vectors.tuned_svc import TunedSVC

__all__ = [
    "HigherOrderSVC",
    "HigherOrderTransformer",
    "IterativeHigherOrderKernel",
    "LSIKNeighborsClassifier",
    "SemanticSVC",
    "TunedSVC",
]
