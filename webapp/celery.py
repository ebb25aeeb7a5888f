"""The Celery application. Workers start with `celery -A webapp worker`."""

from __future__ import annotations

import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
warnings.filterwarnings("ignore", category=SecurityWarning)  # it is about pickle; our messages are JSON
TRANSPORT_ALIASES["folder"] = "webapp.core.broker:Transport"

app = Celery("webapp")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["webapp.runs", "webapp.servers"], related_name="jobs")
