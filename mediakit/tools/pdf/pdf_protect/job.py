"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal, get_args

Permission = Literal["print", "copy", "modify", "annotate", "fill", "assemble"]
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)

Action = Literal["encrypt", "decrypt"]


@dataclass(frozen=True)
class ProtectJob:
    """A PDF, and what to do with its encryption."""

    file: bytes = field(repr=False)
    action: Action
    user_password: str = field(default="", repr=False)
    """Prepared; empty for a PDF that everybody can open."""
    owner_password: str = field(default="", repr=False)
    """Prepared; not empty when encrypting."""
    allow: tuple[Permission, ...] = ()
    password: str | None = field(default=None, repr=False)
    """Opens the file as it is now."""


@dataclass(frozen=True)
class Protected:
    """The result."""

    content: bytes = field(repr=False)
    pages: int
    warnings: list[str]
