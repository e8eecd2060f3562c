"""shoal.attacks.uniqueness."""
