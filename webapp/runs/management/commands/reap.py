"""`python manage.py reap`: watch over runs, outside the queue that it watches."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from webapp.runs.reaper import Resender, mark_silent

logger = logging.getLogger("webapp.runs.reaper")


class Command(BaseCommand):
    """Mark silent executions as lost, and send lost messages again, for ever."""

    help = "Watch over runs: mark silent executions as lost, queue again what got lost. Runs until it is stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--every SECONDS`."""
        parser.add_argument("--every", type=float, default=5.0, help="seconds between two looks (default 5)")

    def handle(self, *_args: Any, every: float, **_options: Any) -> None:
        """Look, wait, and look again; a database that cannot be reached is tried again."""
        resender = Resender()
        while True:
            close_old_connections()
            try:
                if lost := mark_silent(timezone.now()):
                    logger.warning("%d episode(s) fell silent and are marked as lost", lost)
                resender.sweep(timezone.now())
            except DatabaseError as error:
                logger.warning("The database cannot be reached (%s); trying again", error)
            time.sleep(every)
