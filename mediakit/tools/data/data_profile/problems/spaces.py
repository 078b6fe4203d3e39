"""Spaces before or after the text of a cell."""

from collections.abc import Iterator

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted

_LAYOUT_SHARE = 0.5
"""Share of padded cells of a typed column from which on they are its layout, which reading removes."""


def check(observed: Observed) -> Iterator[Problem]:
    """Find cells with spaces around their text."""
    if not observed.is_padded:
        return
    padded = {
        cell
        for cell in dict.fromkeys(observed.cells)
        if isinstance(cell, str) and (cell[:1].isspace() or cell[-1:].isspace()) and cell.strip()
    }
    if not padded:
        return
    places = [place for place, cell in enumerate(observed.cells) if cell in padded]
    if not observed.is_text and len(places) > _LAYOUT_SHARE * len(observed.cells):
        return
    verb = "has" if len(places) == 1 else "have"
    example = next(iter(padded)) if len(padded) == 1 else observed.cells[places[0]]
    sentence = f'{counted(len(places), "cell")} {verb} spaces around the text, such as "{example[:40]}".'
    yield Problem.at(observed, "spaces_around", places, sentence, "Trim the cells.")
