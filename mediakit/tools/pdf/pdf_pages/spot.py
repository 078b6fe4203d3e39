"""Where a page lies on a sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.geometry import Placement, is_number, rounded


@dataclass(frozen=True)
class Spot:
    """A page's place on a sheet."""

    sheet: pikepdf.Object
    form: pikepdf.Object
    """The content of the page."""
    placement: Placement
    """How points of the page move to the sheet."""
    box: tuple[float, float, float, float]
    """Left, bottom, right and top of the page on the sheet."""

    def destination(self, target: Sequence[Any]) -> list[Any]:
        """Return a destination of the page as one of the sheet.

        A view of the whole page shows its place on the sheet; a view of a width or a height becomes a point.
        """
        kind, numbers = str(target[1]) if len(target) > 1 else "/Fit", [*target[2:], None, None]
        match kind:
            case "/XYZ":
                return self._point(numbers[0], numbers[1])
            case "/FitH" | "/FitBH":
                return self._point(None, numbers[0])
            case "/FitV" | "/FitBV":
                return self._point(numbers[0], None)
            case "/FitR" if all(map(is_number, numbers[:4])):
                corners = [float(number) for number in numbers[:4]]
                return [self.sheet, Name.FitR, *rounded(self.placement.box(corners))]
        return [self.sheet, Name.FitR, *rounded(self.box)]

    def _point(self, x: object, y: object) -> list[Any]:
        """Return a view of a point of the page; what is not given is at the left or the top of the page."""
        moved = self.placement.point(_number(x), _number(y))
        if self.placement.turn % 180:
            x, y = y, x
        left, top = (
            place if is_number(given) else edge
            for place, given, edge in zip(moved, (x, y), (self.box[0], self.box[3]), strict=True)
        )
        return [self.sheet, Name.XYZ, *rounded([left, top]), None]


def _number(value: object) -> float:
    return float(value) if is_number(value) else 0.0  # type: ignore[arg-type]  # is_number has checked
