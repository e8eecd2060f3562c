"""shoal.anonymizers.predictive."""
