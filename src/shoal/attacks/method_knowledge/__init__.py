"""shoal.attacks.method_knowledge."""
