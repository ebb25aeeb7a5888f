"""What the operator reads in the terminal."""

from __future__ import annotations

import logging


class BriefRefusals(logging.Filter):
    """Keeps refused requests to one line: what a stranger sent is no fault of the program."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, those about refusals without their traceback."""
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True
