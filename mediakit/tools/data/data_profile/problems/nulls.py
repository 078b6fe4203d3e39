"""Nulls that a column writes in several ways."""

from collections import Counter
from collections.abc import Iterator

from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted

_WORDS = frozenset(
    "na n/a n.a. n.a n/d nd nan null none nil #n/a #na (null) (none) <na> <null> nat missing unknown unbekannt "
    "desconocido inconnu undefined - -- --- . ? ??".split()
)
_UNCERTAIN = frozenset("nd na none unknown missing . - ?".split())
"""Words that may be values of a column of text; they count where another spelling of null is there as well."""

_CODES_LIKE = ("country", "id", "uuid", "iban", "email", "url", "postcode")


def is_null_word(text: str) -> bool:
    """Return whether a trimmed text stands for null."""
    return not text or text.casefold() in _WORDS


def check(observed: Observed) -> Iterator[Problem]:
    """Find columns that write null in several ways, as empty cells and NA."""
    found = [cell for cell in dict.fromkeys(observed.cells) if _is_null(cell)]
    words = [cell for cell in found if cell is not None and cell.strip()]
    if not words or not _are_several(observed, found, words):
        return
    spelled = set(found)
    counts = Counter(_spelling(cell) for cell in observed.cells if cell in spelled)
    if len(counts) == 1:
        return
    places = [place for place, cell in enumerate(observed.cells) if cell in spelled]
    ways = ", ".join(f"{name} ({number:,})" for name, number in counts.most_common(6))
    sentence = f"{counted(len(places), 'null')} {'is' if len(places) == 1 else 'are'} written in several ways: {ways}."
    yield Problem.at(
        observed, "nulls_in_several_ways", places, sentence, "Leave such cells empty, or name the words in `nulls`."
    )


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
