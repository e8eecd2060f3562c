"""shoal.attacks.known_items."""
