"""shoal.kernels.matching."""
