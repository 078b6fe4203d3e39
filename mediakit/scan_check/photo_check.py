"""Which simulated photos of a printed code were read."""

from dataclasses import dataclass

GOOD_SCORE, FAIR_SCORE = 85, 60
"""Scores from which a code scans well, or in good conditions."""


@dataclass(frozen=True)
class PhotoCheck:
    """The simulated photos of one print size in one condition."""

    size_mm: float
    """Width of the print with its quiet zone, in millimeters."""
    condition: str
    """`straight`, `blurred`, `tilted`, `scratched` or `low light`."""
    photos: int
    """Number of photos."""
    read: int
    """Number of photos that were read."""
