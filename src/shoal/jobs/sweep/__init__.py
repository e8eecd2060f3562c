"""shoal.jobs.sweep."""
