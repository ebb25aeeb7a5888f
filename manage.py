#!/usr/bin/env python
"""Entry point of all commands: `python manage.py help`."""

import os
import sys


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed for this Python. Run `make install`, then use .venv/bin/python.")
    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()  # here, where a reader that has left can still be met with calm
    except ImproperlyConfigured as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        sys.exit(3)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
