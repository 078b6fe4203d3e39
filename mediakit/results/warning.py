"""Warnings: what a result's `meta.warnings` lists."""

from typing import TypedDict


class ResultWarning(TypedDict):
    """A remark about a result that was produced but may not be what the user expects."""

    code: str
    """Stable identifier for programs."""
    message: str
    """A sentence for people; it begins with the field that it concerns."""
