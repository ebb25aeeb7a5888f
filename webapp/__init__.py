"""The dashboard: a Django project around the engine."""
