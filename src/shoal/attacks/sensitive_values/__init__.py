"""shoal.attacks.sensitive_values."""
