"""Plans, loyalty bonuses and plan changes."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mediakit.accounts.subscriptions import CREDITS, Subscription, check_plan, loyalty
from mediakit.errors import InvalidInput
from mediakit.settings import Plan

SINCE = date(2020, 3, 31)
plans = st.sampled_from(list(CREDITS))


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


def test_credits_per_plan() -> None:
    assert CREDITS == {"free": 50, "pro": 500, "business": 2000, "scale": 10000}


def test_unknown_plan_error_lists_plans() -> None:
    with pytest.raises(InvalidInput, match=r"^plan: must be one of free, pro, business or scale, got 'gold'\.$"):
        check_plan("gold")


@pytest.mark.parametrize(
    ("day", "pct", "bonus"),
    [
        (date(2021, 3, 30), 0, 0),
        (date(2021, 3, 31), 5, 25),
        (date(2022, 3, 31), 10, 50),
        (date(2025, 3, 31), 25, 125),
        (date(2040, 3, 31), 25, 125),
    ],
)
def test_loyalty_is_5_percent_per_full_year_up_to_25(day: date, pct: int, bonus: int) -> None:
    bonus_of_day = loyalty("pro", SINCE, day)
    assert (bonus_of_day.pct, bonus_of_day.bonus) == (pct, bonus)


def test_free_plan_has_no_loyalty_bonus() -> None:
    assert loyalty("free", SINCE, date(2030, 1, 1)).bonus == 0


def test_upgrade_takes_effect_at_once_and_keeps_reset_day() -> None:
    changed = Subscription("free", SINCE, None).change("pro", at(2026, 11, 21))
    assert changed.allowance(at(2026, 11, 21)).limit == 500
    assert changed.allowance(at(2026, 11, 21)).period.end == datetime(2026, 11, 30, tzinfo=UTC)


def test_downgrade_takes_effect_at_next_reset() -> None:
    changed = Subscription("scale", SINCE, SINCE).change("pro", at(2026, 11, 21))
    assert changed.next_plan_from == datetime(2026, 11, 30, tzinfo=UTC)
    assert changed.allowance(datetime(2026, 11, 30, tzinfo=UTC) - timedelta(microseconds=1)).plan == "scale"
    assert changed.allowance(datetime(2026, 11, 30, tzinfo=UTC)).plan == "pro"


def test_selecting_current_plan_cancels_downgrade() -> None:
    changed = Subscription("scale", SINCE, SINCE).change("free", at(2026, 11, 21)).change("scale", at(2026, 11, 22))
    assert changed.at(at(2027, 1, 1)).plan == "scale"
    assert changed.allowance(at(2027, 1, 1)).loyalty.pct == 25


def test_years_on_free_plan_earn_no_loyalty() -> None:
    changed = Subscription("free", SINCE, None).change("pro", at(2026, 11, 21))
    assert changed.allowance(at(2027, 11, 20)).loyalty.pct == 0
    assert changed.allowance(at(2027, 12, 1)).loyalty.pct == 5


def test_downgrade_to_free_resets_loyalty() -> None:
    cancelled = Subscription("pro", SINCE, SINCE).change("free", at(2026, 11, 21))
    again = cancelled.change("pro", at(2027, 1, 5))
    assert again.allowance(at(2027, 2, 1)).loyalty.pct == 0


@given(plans, plans, st.floats(1.6e9, 2.8e9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)))
def test_plan_change_never_reduces_current_month(before: Plan, after: Plan, now: datetime) -> None:
    subscription = Subscription(before, SINCE, None if before == "free" else SINCE)
    changed = subscription.change(after, now)
    assert changed.allowance(now).limit >= subscription.allowance(now).limit
    assert changed.allowance(changed.allowance(now).period.end).plan == after
