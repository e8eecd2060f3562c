"""shoal.anonymizers.generalization."""
