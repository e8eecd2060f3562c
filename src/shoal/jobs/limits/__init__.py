"""shoal.jobs.limits."""
