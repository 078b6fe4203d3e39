"""Dates that leave it open which number is the month, that are written in several orders, or that do not exist."""

from collections.abc import Iterator

import numpy as np

from mediakit.tools.data.data_profile import dates
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems.problem import Problem, shown

_SAMPLE = 200
_LEAST_SHARE = 0.5
_ORDER_NAMES = {"ymd": "year-month-day", "dmy": "day-month-year", "mdy": "month-day-year", "d mon y": "month by name"}


def check(observed: Observed) -> Iterator[Problem]:
    """Find ambiguous dates, dates in several orders, and days that the calendar does not have."""
    if not observed.is_text or not observed.distinct or not _may_be_dates(observed):
        return
    written = [dates.read(value) for value in observed.distinct]
    is_date = np.array([one is not None for one in written])
    if observed.total(is_date) < _LEAST_SHARE * observed.count:
        return
    yield from _impossible(observed, written)
    yield from _orders(observed, written)


def _may_be_dates(observed: Observed) -> bool:
    step = max(1, len(observed.distinct) // _SAMPLE)
    sample = observed.distinct[::step][:_SAMPLE]
    return sum(dates.read(value) is not None for value in sample) >= 0.3 * len(sample)


def _impossible(observed: Observed, written: list[dates.Written | None]) -> Iterator[Problem]:
    places = observed.places_of([one is not None and not one.orders for one in written])
    if len(places):
        example = shown(observed.values[places[0]])
        what = "date does" if len(places) == 1 else "dates do"
        sentence = f'{len(places):,} {what} not exist in the calendar, such as "{example}".'
        yield Problem.at(observed, "impossible_dates", places, sentence, "Look the dates up, or clear them.")


def _orders(observed: Observed, written: list[dates.Written | None]) -> Iterator[Problem]:
    """Find dates in several orders, or in an order that no cell decides."""
    counts = {
        order: observed.total([one is not None and one.orders == (order,) for one in written])
        for order in ("ymd", "dmy", "mdy", "d mon y")
    }
    both = [one is not None and len(one.orders) == 2 and not observed.is_declared for one in written]
    unclear = observed.places_of(both)
    used = [order for order in counts if counts[order]]
    is_undecided = len(unclear) > 0 and not counts["dmy"] and not counts["mdy"]
    if len(used) > 1 or (used and is_undecided):
        yield _several(observed, written, counts, used, len(unclear) if is_undecided else 0)
    if is_undecided or (len(unclear) and counts["dmy"] and counts["mdy"]):
        yield _ambiguous(observed, unclear)


def _several(
    observed: Observed, written: list[dates.Written | None], counts: dict[str, int], used: list[str], unclear: int
) -> Problem:
    usual = max(used, key=lambda order: counts[order])
    is_other = [
        one is not None and bool(one.orders) and usual not in one.orders
        for one in written
    ]  # fmt: skip
    ways = [f"{_ORDER_NAMES[order]} ({counts[order]:,})" for order in used]
    ways += [f"day or month first ({unclear:,})"] if unclear else []
    sentence = f"the dates are written in several orders: {', '.join(ways)}."
    fix = "Write all dates as 2024-12-31, the order of ISO 8601."
    return Problem.at(observed, "dates_in_two_orders", observed.places_of(is_other), sentence, fix)


def _ambiguous(observed: Observed, places: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> Problem:
    example = shown(observed.values[places[0]])
    what = "date does" if len(places) == 1 else "dates do"
    sentence = f'{len(places):,} {what} not show whether the day or the month is first, such as "{example}".'
    return Problem.at(observed, "dates_ambiguous", places, sentence, "Set `dates` to dmy or mdy, or write ISO 8601.")
