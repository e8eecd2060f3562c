"""shoal.io.folders."""
