"""shoal.data.hierarchies."""
