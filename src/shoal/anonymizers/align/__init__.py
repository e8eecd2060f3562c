"""shoal.anonymizers.align."""
