from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mediakit.accounts.periods import Period, add_months, full_months, period_at

anchors = st.dates(date(2000, 1, 1), date(2100, 12, 31))
instants = st.floats(0, 4.1e9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@given(anchors, instants)
def test_every_instant_lies_in_one_month_of_every_anchor(anchor: date, instant: datetime) -> None:
    period = period_at(anchor, instant)
    assert period.start <= instant < period.end


@given(anchors, instants)
def test_months_follow_each_other_without_gap_or_overlap(anchor: date, instant: datetime) -> None:
    period = period_at(anchor, instant)
    assert period_at(anchor, period.start) == period
    assert period_at(anchor, period.end).start == period.end
    assert period_at(anchor, period.start - timedelta(microseconds=1)).end == period.start


@given(anchors, st.integers(0, 1200))
def test_a_month_begins_on_the_anchors_day_or_on_the_last_of_a_shorter_one(anchor: date, months: int) -> None:
    day = add_months(anchor, months)
    is_last_day = (day + timedelta(days=1)).month != day.month
    assert day.day == anchor.day or (day.day < anchor.day and is_last_day)
    assert full_months(anchor, day) == months


@pytest.mark.parametrize(
    ("now", "start", "end"),
    [
        ("2027-02-27T23:59:59.999999", "2027-01-31", "2027-02-28"),
        ("2027-02-28T00:00", "2027-02-28", "2027-03-31"),
        ("2027-03-30T12:00", "2027-02-28", "2027-03-31"),
        ("2027-03-31T00:00", "2027-03-31", "2027-04-30"),
        ("2028-02-29T00:00", "2028-02-29", "2028-03-31"),
    ],
)
def test_an_anchor_on_the_31st_resets_on_the_last_day_of_short_months(now: str, start: str, end: str) -> None:
    assert period_at(date(2026, 12, 31), at(now)) == Period(at(start), at(end))


def test_an_anchor_on_leap_day_resets_on_the_28th_of_other_februaries() -> None:
    assert period_at(date(2024, 2, 29), at("2025-02-28T00:00")).start == at("2025-02-28")
    assert period_at(date(2024, 2, 29), at("2025-03-28T23:59")).start == at("2025-02-28")
    assert period_at(date(2024, 2, 29), at("2028-02-28T23:59")).end == at("2028-02-29")


def test_the_last_moment_of_a_year_lies_before_the_reset_of_new_year() -> None:
    assert period_at(date(2026, 1, 1), at("2026-12-31T23:59:59.999")) == Period(at("2026-12-01"), at("2027-01-01"))


def test_a_day_is_that_of_utc_whatever_the_time_zone_of_the_instant() -> None:
    instant = datetime.fromisoformat("2026-12-03T01:30:00+02:00")
    assert period_at(date(2026, 11, 3), instant).end == at("2026-12-03")
