"""Support vector machines, kernels and neighbors that use higher-order relations."""

from honeybayes.vectors.higher_order_svc import HigherOrderSVC as HigherOrderSVC
from honeybayes.vectors.higher_order_transformer import (
    HigherOrderTransformer as HigherOrderTransformer,
)
from honeybayes.vectors.iterative_kernel import (
    IterativeHigherOrderKernel as IterativeHigherOrderKernel,
)
from honeybayes.vectors.lsi_neighbors import LSIKNeighborsClassifier as LSIKNeighborsClassifier
from honeybayes.vectors.semantic_svc import SemanticSVC as SemanticSVC
from honeybayes.vectors.tuned_svc import TunedSVC as TunedSVC
