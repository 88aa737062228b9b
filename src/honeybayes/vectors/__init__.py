"""Higher-order paths for learners in vector spaces."""

from honeybayes.vectors.iterative_kernel import IterativeHigherOrderKernel

__all__ = ["IterativeHigherOrderKernel"]
