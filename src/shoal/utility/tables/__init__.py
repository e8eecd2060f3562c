"""shoal.utility.tables."""
