"""shoal.jobs.explain."""
