"""The dashboard: a Django project around the engine."""

from webapp.celery import app as celery_app

__all__ = ["celery_app"]
