"""shoal.kernels.groups."""
