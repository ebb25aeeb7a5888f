"""A run's tables: success, steps, costs and the episodes themselves, as pages show them and as files."""
