"""Codes of one width of which some are shorter, because a program read them as numbers."""

import re
from collections.abc import Iterator

import numpy as np

from mediakit.tools.data.data_profile.names import CODES, PADDED_CODES
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted, shown

_DIGITS = re.compile(r"\d+")
_LEAST_WIDTH = 3
_MOST_LOST = 4
_USUAL_SHARE = 0.5
_SPARSE = 3
"""The range of codes must be this many times their number, or they are a sequence of numbers."""


def check(observed: Observed) -> Iterator[Problem]:
    """Find codes that are shorter than the others of their column, which have one width."""
    if not (observed.is_text or observed.type == "integer") or not observed.distinct:
        return
    if observed.is_text and not _DIGITS.fullmatch(observed.distinct[0].strip()):
        return
    if not observed.is_text and not (observed.words & (PADDED_CODES | CODES) or observed.semantic == "postcode"):
        return
    texts = [str(value).strip() for value in observed.distinct]
    if not all(map(_DIGITS.fullmatch, texts)) or not _are_codes(observed, texts):
        return
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    width = int(lengths.max())
    is_short = lengths < width
    usual = observed.total(~is_short) / observed.count
    if width < _LEAST_WIDTH or not is_short.any() or usual < _USUAL_SHARE or width - lengths.min() > _MOST_LOST:
        return
    places = observed.places_of(is_short)
    example = shown(observed.values[places[0]])
    verb = "has" if len(places) == 1 else "have"
    sentence = (
        f"{counted(len(places), 'code')} {verb} fewer than {width} digits, such as {example}; "
        "leading zeros were probably lost."
    )
    fix = f"Pad the codes with zeros to {width} digits, and keep the column as text."
    yield Problem.at(observed, "leading_zeros_lost", places, sentence, fix)


def _are_codes(observed: Observed, texts: list[str]) -> bool:
    """Return whether digits are codes: by the name of their column, or because some have kept their zeros."""
    if observed.is_text and any(text.startswith("0") and len(text) > 1 for text in texts):
        return True
    if observed.words & PADDED_CODES or observed.semantic == "postcode":
        return True
    if not observed.words & CODES:
        return False
    numbers = [int(text) for text in texts]
    return max(numbers) - min(numbers) >= _SPARSE * len(numbers)
