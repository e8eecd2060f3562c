"""shoal.anonymizers.top_down."""
