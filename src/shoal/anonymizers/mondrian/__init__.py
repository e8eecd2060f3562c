"""shoal.anonymizers.mondrian."""
