"""Which readings to believe: looks cast votes, and a reading needs a whole one.

Bars carry a check digit at best, and a misread of a blurred or torn code passes it one time in ten. What gives a
misread away is how few lines beside each other agree on it, and that no other look repeats it.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from mediakit.tools.images.code_reader.sighting import RETAIL, Sighting

ENOUGH = 1.0

UNCORRECTED = frozenset({"PDF417", "CompactPDF417", "DataMatrix", "Aztec", "AztecCode"})
"""Symbologies that pass with all their error correction used up, and then mean little."""

UNCHECKED = frozenset({"ITF", "Codabar", "Code39", "Code39Std", "Code39Ext", "DXFilmEdge"})
"""Symbologies without a check digit of their own."""

CODE_39 = frozenset({"Code39", "Code39Std", "Code39Ext"})

SHORT = {"ITF": 6, "Codabar": 4} | dict.fromkeys(CODE_39, 3)
"""Characters; what is shorter appears in any stripes, and counts only where it is asked for by name."""


@dataclass(slots=True)
class Candidate:
    """A code that may be there, with what speaks for it."""

    sighting: Sighting
    votes: float = 0.0
    passes: set[str] = field(default_factory=set)
    close: float = 0.0
    """Votes of looks that were taken because of an earlier one."""

    @property
    def believed(self) -> bool:
        """Whether enough speaks for it."""
        return self.votes >= ENOUGH


class Ballot:
    """The candidates of one picture.

    Args:
        asked: Symbologies that were asked for by name; their short codes count.
    """

    def __init__(self, asked: Collection[str] = ()) -> None:
        self.candidates: list[Candidate] = []
        self._asked = asked

    @property
    def doubtful(self) -> list[Candidate]:
        """Those that some look saw, and too few."""
        return [each for each in self.candidates if not each.believed]

    def cast(self, sightings: list[Sighting], look: str, *, first: bool = False, close: bool = False) -> None:
        """Count what a look saw.

        Args:
            sightings: In pixels of the picture.
            look: Name of the look; it votes once for a code.
            first: Whether the picture was looked at as it is, which invents the least.
            close: Whether it was taken because of an earlier one.
        """
        for sighting in sightings:
            weight = _weight_at_first(sighting) if first else _weight_again(sighting)
            self.vote(sighting, look, weight, close=close)

    def vote(self, sighting: Sighting, look: str, weight: float, *, close: bool = False) -> None:
        """Let a look speak for a reading.

        Args:
            sighting: The reading, in pixels of the picture.
            look: Name of the look.
            weight: What it counts.
            close: Whether it was taken because of an earlier one; such looks together count half.
        """
        if self._too_short(sighting) and not (look == "plain" and _is_tall(sighting)):
            return
        candidate = next((each for each in self.candidates if _same(each.sighting, sighting)), None)
        if candidate is None:
            self.candidates.append(candidate := Candidate(sighting))
        elif look in candidate.passes:
            return
        elif sighting.height > candidate.sighting.height and not candidate.believed:
            candidate.sighting = sighting
        if close:
            weight = min(weight, ENOUGH / 2 - candidate.close)
            candidate.close += weight
        candidate.passes.add(look)
        candidate.votes += weight

    def _too_short(self, sighting: Sighting) -> bool:
        digits = len(sighting.text.strip("ABCDabcd")) if sighting.format == "Codabar" else len(sighting.text)
        return digits < SHORT.get(sighting.format, 0) and sighting.format not in self._asked

    def believed(self) -> list[Candidate]:
        """Give the codes that are surely there; of two made of bars on one spot the better supported."""
        sure = sorted(
            (each for each in self.candidates if each.believed), key=lambda each: (-each.votes, -each.sighting.height)
        )
        kept: list[Candidate] = []
        for candidate in sure:
            if not any(_rivals(candidate.sighting, other.sighting) for other in kept):
                kept.append(candidate)
        return kept


def _is_tall(sighting: Sighting) -> bool:
    """Tell whether a short Code 39, which begins and ends with an asterisk, is plain to see."""
    return sighting.format in CODE_39 and sighting.height >= 0.1 * sighting.width


def _same(one: Sighting, other: Sighting) -> bool:
    return one.key == other.key and one.near(other)


def _rivals(one: Sighting, other: Sighting) -> bool:
    """Tell whether two readings cannot both be right; a retail code alone has no neighbour as near as its length."""
    retail = {one.format, other.format} <= RETAIL and one.near(other)
    return retail or (one.linear and other.linear and one.covers(other))


def _weight_at_first(sighting: Sighting) -> float:
    if not sighting.linear:
        return _weight_corrected(sighting)
    lines, width = sighting.height, sighting.width
    if sighting.format in RETAIL:
        return 1.0 if sighting.format != "UPCE" and lines >= max(15, 0.15 * width) else 0.5
    if lines < max(3, 0.012 * width):
        return 0.25
    return 0.5 if sighting.format in UNCHECKED and lines < 0.05 * width else 1.0


def _weight_again(sighting: Sighting) -> float:
    if not sighting.linear:
        return _weight_corrected(sighting)
    return 0.25 if sighting.height < max(3, 0.012 * sighting.width) else 0.5


def _weight_corrected(sighting: Sighting) -> float:
    used_up = sighting.format in UNCORRECTED and sighting.spare_correction == 0
    return 0.5 if used_up else 1.0
