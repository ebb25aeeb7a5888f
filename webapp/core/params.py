"""Reading numbers from an address's query."""

from __future__ import annotations

LARGEST = 2**63 - 1
"""The largest number that every database takes."""


def number(text: str | None) -> int | None:
    """The whole number ≥ 0 that the text is; None for anything else, so that an odd address is only passed over."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST))):
        return None
    value = int(text)
    return value if value <= LARGEST else None
