"""Nulls that a column writes in several ways."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted

_WORDS = frozenset(
    "na n/a n.a. n.a n/d nd nan null none nil #n/a #na (null) (none) <na> <null> nat missing unknown unbekannt "
    "desconocido inconnu undefined - -- --- . ? ??".split()
)
_SPELLINGS = frozenset(form for word in _WORDS for form in (word, word.upper(), word.title(), word.capitalize())) | {
    "NaN",
    "NaT",
    "#n/a",
    "n/A",
    "N/a",
}
"""The words as people write them."""

_UNCERTAIN = frozenset("nd na none unknown missing . - ?".split())
"""Words that may be values of a column of text; they count where another spelling of null is there as well."""

_CODES_LIKE = ("country", "id", "uuid", "iban", "email", "url", "postcode")


def is_null_word(text: str) -> bool:
    """Return whether a trimmed text stands for null."""
    return not text or text.casefold() in _WORDS


def check(observed: Observed) -> Iterator[Problem]:
    """Find columns that write null in several ways, as empty cells and NA."""
    found = list(_null_cells(observed))
    words = [cell for cell in found if cell is not None and cell.strip()]
    if not words or not _are_several(observed, found, words):
        return
    places = [place for place, cell in enumerate(observed.cells) if _is_null(cell)]
    counts = Counter(_spelling(observed.cells[place]) for place in places)
    if len(counts) == 1:
        return
    ways = ", ".join(f"{name} ({number:,})" for name, number in counts.most_common(6))
    sentence = f"{counted(len(places), 'null')} {'is' if len(places) == 1 else 'are'} written in several ways: {ways}."
    yield Problem.at(
        observed, "nulls_in_several_ways", places, sentence, "Leave such cells empty, or name the words in `nulls`."
    )


def _null_cells(observed: Observed) -> Iterable[Any]:
    """Return the distinct cells that stand for null."""
    if not observed.is_text:  # the reader has recognized them
        return [
            cell for cell in dict.fromkeys(observed.cells[place] for place in _null_places(observed)) if _is_null(cell)
        ]
    cells: Iterable[Any] = dict.fromkeys(observed.cells)
    if not observed.is_padded:
        cells = [cell for cell in (None, "", *sorted(_SPELLINGS)) if cell in cells]
    return [cell for cell in cells if _is_null(cell)]


def _null_places(observed: Observed) -> list[int]:
    places: list[int] = np.flatnonzero(observed.codes < 0).tolist()
    return places


def _are_several(observed: Observed, found: list[str | None], words: list[str]) -> bool:
    if not observed.is_text:
        return True
    if observed.semantic in _CODES_LIKE:
        words = [word for word in words if word.strip().casefold() not in _UNCERTAIN]
    return bool(words) and len({_spelling(cell) for cell in found}) > 1


def _is_null(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and len(cell) <= 16 and is_null_word(cell.strip()))


def _spelling(cell: str | None) -> str:
    return "empty" if cell is None or not cell.strip() else cell.strip()
