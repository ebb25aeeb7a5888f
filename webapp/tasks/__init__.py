"""The library of benchmark tasks."""
