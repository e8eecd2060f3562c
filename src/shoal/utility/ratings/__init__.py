"""shoal.utility.ratings."""
