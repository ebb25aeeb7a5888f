"""The user guide."""
