"""shoal.io.ratings."""
