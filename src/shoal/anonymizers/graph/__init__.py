"""shoal.anonymizers.graph."""
