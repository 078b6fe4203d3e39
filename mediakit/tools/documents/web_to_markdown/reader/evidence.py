"""What each opinion on a page's main content means for its units, as numbers."""

import math
from collections.abc import Sequence

from mediakit.tools.documents.web_to_markdown.reader.features import is_prose
from mediakit.tools.documents.web_to_markdown.reader.units import Page

UNKNOWN = math.nan
"""For an opinion that nobody was asked for; the model was taught what that means."""

FAR = -999.0
NAMES = (
    *(f"view_{name}" for name in ("in", "near", "share", "chars", "prose_share", "from_first", "to_last", "prose")),
    *(f"{who}_{name}" for who in ("second", "third") for name in ("in", "near", "share", "chars")),
)


def evidence(page: Page, view: Sequence[bool], others: Sequence[Sequence[bool]] = ()) -> list[list[float]]:
    """Give the numbers of each unit, in the order of `NAMES`.

    Args:
        page: The page.
        view: Whether each unit is in the reader view.
        others: The same for two more opinions; none where they were not asked for.
    """
    total = max(1, sum(len(unit.text) for unit in page.units))
    columns = [_opinion(page, opinion, total) for opinion in others] or [[[UNKNOWN] * 4] * len(page.units)] * 2
    rows = zip(_view(page, view, total), *columns, strict=True)
    return [[number for part in row for number in part] for row in rows]


def _view(page: Page, view: Sequence[bool], total: int) -> list[list[float]]:
    prose = [len(unit.text) if is_prose(unit) else 0 for unit in page.units]
    shown = sum(count for count, member in zip(prose, view, strict=True) if member)
    chars = sum(len(unit.text) for unit, member in zip(page.units, view, strict=True) if member)
    share, of_it = shown / max(1, sum(prose)), shown / max(1, chars)
    places = [index for index, member in enumerate(view) if member]
    return [
        [
            *numbers,
            share,
            index - places[0] if places else FAR,
            places[-1] - index if places else FAR,
            of_it,
        ]
        for index, numbers in enumerate(_opinion(page, view, total))
    ]


def _opinion(page: Page, members: Sequence[bool], total: int) -> list[list[float]]:
    chars = sum(len(unit.text) for unit, member in zip(page.units, members, strict=True) if member)
    share, log = chars / total, math.log1p(chars)
    return [[float(member), _near(members, index), share, log] for index, member in enumerate(members)]


def _near(members: Sequence[bool], index: int) -> float:
    some = [members[place] for place in (index - 2, index - 1, index + 1, index + 2) if 0 <= place < len(members)]
    return sum(some) / len(some) if some else 0.0
