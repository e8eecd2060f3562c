"""shoal.anonymizers.microaggregation."""
