"""Registers the app."""

from django.apps import AppConfig


class ModelsConfig(AppConfig):
    """Language models that episodes can ask."""

    name = "webapp.models"
    label = "llm_models"  # "models" would read like Django's own
