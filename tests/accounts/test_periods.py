"""The months of a subscription."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mediakit.accounts.subscriptions import Period, add_months, full_months, period_at

anchors = st.dates(date(2000, 1, 1), date(2100, 12, 31))
instants = st.floats(0, 4.1e9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@given(anchors, instants)
def test_period_contains_its_time_for_every_anchor(anchor: date, instant: datetime) -> None:
    period = period_at(anchor, instant)
    assert period.start <= instant < period.end


@given(anchors, instants)
def test_periods_have_no_gap_and_no_overlap(anchor: date, instant: datetime) -> None:
    period = period_at(anchor, instant)
    assert period_at(anchor, period.start) == period
    assert period_at(anchor, period.end).start == period.end
    assert period_at(anchor, period.start - timedelta(microseconds=1)).end == period.start


@given(anchors, st.integers(0, 1200))
def test_period_starts_on_anchor_day_or_last_day_of_shorter_month(anchor: date, months: int) -> None:
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
def test_anchor_on_31st_resets_on_last_day_of_short_months(now: str, start: str, end: str) -> None:
    assert period_at(date(2026, 12, 31), at(now)) == Period(at(start), at(end))


def test_anchor_on_leap_day_resets_on_february_28_of_other_years() -> None:
    assert period_at(date(2024, 2, 29), at("2025-02-28T00:00")).start == at("2025-02-28")
    assert period_at(date(2024, 2, 29), at("2025-03-28T23:59")).start == at("2025-02-28")
    assert period_at(date(2024, 2, 29), at("2028-02-28T23:59")).end == at("2028-02-29")


def test_end_of_year_is_before_reset_on_january_1() -> None:
    assert period_at(date(2026, 1, 1), at("2026-12-31T23:59:59.999")) == Period(at("2026-12-01"), at("2027-01-01"))


def test_day_is_in_utc_for_any_time_zone() -> None:
    instant = datetime.fromisoformat("2026-12-03T01:30:00+02:00")
    assert period_at(date(2026, 11, 3), instant).end == at("2026-12-03")
