"""Options of a scan; the tool and its worker share them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What to read in a file."""

    formats: tuple[str, ...] = ()
    """Names of symbologies and groups; empty: all."""
    max_codes: int = 20
    pages: str | None = None
    """Pages of a PDF, as `1-3,5`; None: all."""
    scale: float = 2.0
    """Resolution at which pages are rendered, in multiples of 72 dpi."""
