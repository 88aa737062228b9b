"""Higher-order paths for learners in vector spaces."""

from honeybayes.vectors.iterative_kernel import IterativeHigherOrderKernel
from honeybayes.vectors.lsi_neighbors import LSIKNeighborsClassifier
from honeybayes.vectors.semantic_svc import SemanticSVC

__all__ = ["IterativeHigherOrderKernel", "LSIKNeighborsClassifier", "SemanticSVC"]
