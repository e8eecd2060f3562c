"""shoal.kernels.neighbors."""
