"""Values that cannot be, or that nearly all rows have: negative counts, births in the future, one value."""

from collections.abc import Iterator

import numpy as np

from mediakit.tools.data.data_profile import dates
from mediakit.tools.data.data_profile.names import BIRTHS, COUNTS
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, counted, shown

LAST_BIRTH_DATE = "2026-12-31"
"""Births after this day count as future. A fixed day, not the clock: the same table always has the same profile."""

DOMINANT_SHARE = 0.95
_MONEY_WORDS = frozenset("amount cost price value total balance change diff difference delta growth".split())


def check(observed: Observed) -> Iterator[Problem]:
    """Find negative counts, birth dates in the future, and columns nearly all of whose values are the same."""
    if not observed.distinct:
        return
    yield from _negative(observed)
    yield from _future(observed)
    yield from _dominant(observed)


def _negative(observed: Observed) -> Iterator[Problem]:
    if not observed.is_number or not observed.words & COUNTS or observed.words & _MONEY_WORDS:
        return
    places = observed.places_of([value < 0 for value in observed.distinct])
    if len(places):
        example = shown(observed.values[places[0]])
        verb = "is" if len(places) == 1 else "are"
        sentence = f"{counted(len(places), 'value')} {verb} negative, such as {example}, which a count cannot be."
        yield Problem.at(observed, "negative_counts", places, sentence, "Correct the sign, or clear the cells.")


def _future(observed: Observed) -> Iterator[Problem]:
    if not observed.words & BIRTHS:
        return
    if observed.type in ("date", "datetime"):
        late = [value[:10] > LAST_BIRTH_DATE for value in observed.distinct]
    elif observed.is_text:
        late = [_year(value) > int(LAST_BIRTH_DATE[:4]) for value in observed.distinct]
    elif observed.type == "integer" and observed.words & {"year", "ano", "jahr", "annee", "anno"}:
        late = [value > int(LAST_BIRTH_DATE[:4]) for value in observed.distinct]
    else:
        return
    places = observed.places_of(late)
    if len(places):
        example = shown(observed.values[places[0]])
        verb = "is" if len(places) == 1 else "are"
        sentence = f"{counted(len(places), 'birth date')} {verb} in the future, such as {example}."
        yield Problem.at(observed, "future_birth_dates", places, sentence, "Correct the year, or clear the cells.")


def _year(text: str) -> int:
    """Return the year of a date with four digits of it; 0 for any other text."""
    written = dates.read(text)
    if written is None or not written.orders or written.has_short_year:
        return 0
    parts = [int(part) for part in text.replace("/", "-").replace(".", "-").replace(" ", "-").split("-")
             if len(part) == 4 and part.isdecimal()]  # fmt: skip
    return parts[0] if parts else 0


def _dominant(observed: Observed) -> Iterator[Problem]:
    top = int(np.argmax(observed.counts))
    count = int(observed.counts[top])
    value = shown(observed.distinct[top])
    fix = "Check whether the column is filled in properly; it says little about the rows."
    if count == observed.count > 1:
        sentence = f'Column "{shown(observed.name)}": all {count:,} values are "{value}".'
        yield Problem(observed.name, "one_value", count, [], sentence, fix)
    if not DOMINANT_SHARE * observed.count < count < observed.count:
        return
    others = np.ones(len(observed.distinct), np.bool_)
    others[top] = False
    share = 100 * count / observed.count
    sentence = f'Column "{shown(observed.name)}": "{value}" is {_percent(share)} of the values.'
    rows = observed.rows_at(observed.places_of(~others))
    yield Problem(observed.name, "one_value", count, rows, sentence, fix)


def _percent(share: float) -> str:
    return f"{min(99.9, share):.1f} %"
