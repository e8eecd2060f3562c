"""shoal.kernels.clustering."""
