"""shoal.io.tables."""
