"""shoal.io.formats."""
