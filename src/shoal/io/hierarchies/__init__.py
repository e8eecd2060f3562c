"""shoal.io.hierarchies."""
