"""Places on a page: letters, and the areas that are removed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in the user space of a page."""

MIN_OVERLAP = 0.2
"""A letter goes if an area covers more than this part of it."""


@dataclass(frozen=True)
class Letter:
    """A letter of a page."""

    box: Box
    line: int
    """Number of its line."""
    across: float = 1.0
    """Direction of its line: cosine and, upwards, sine."""
    up: float = 0.0

    @property
    def is_horizontal(self) -> bool:
        """Whether its line is horizontal in the user space of the page."""
        return abs(self.up) < 0.01

    @property
    def is_upright(self) -> bool:
        """Whether its line is horizontal or vertical."""
        return self.is_horizontal or abs(self.across) < 0.01

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the letter."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def is_covered(self, area: Box) -> bool:
        """Return whether an area covers more than a fifth of the letter."""
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        across = min(self.box[2], area[2]) - max(self.box[0], area[0])
        up = min(self.box[3], area[3]) - max(self.box[1], area[1])
        if across < 0 or up < 0:
            return False
        return (across / width if width else 1.0) * (up / height if height else 1.0) > MIN_OVERLAP


def around(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around boxes."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def pieces(letters: Sequence[Letter]) -> list[Box]:
    """Return the boxes that cover letters: one for each line, or for each letter of a slanted line."""
    lines: dict[int, list[Box]] = {}
    slanted: list[Box] = []
    for letter in letters:
        if letter.is_upright:
            lines.setdefault(letter.line, []).append(letter.box)
        else:
            slanted.append(letter.box)
    return [around(boxes) for boxes in lines.values()] + slanted


def meet(one: Box, other: Box) -> bool:
    """Return whether two boxes have an area in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
