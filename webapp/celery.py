"""The Celery application. Workers start with `celery -A webapp worker`."""

from __future__ import annotations

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
TRANSPORT_ALIASES["folder"] = "webapp.core.broker:Transport"

app = Celery("webapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["webapp.runs"], related_name="jobs")
