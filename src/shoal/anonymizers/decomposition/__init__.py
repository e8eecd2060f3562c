"""shoal.anonymizers.decomposition."""
