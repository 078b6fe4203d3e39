"""Rate limits, in one process and in Redis."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import psutil
import pytest

from mediakit.accounts import Principal, RateLimits, RateStatus
from mediakit.accounts import rate_limits as rate_limits_module
from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.subscriptions import Subscription
from mediakit.errors import InvalidInput, TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

pytest_plugins = ["tests.support.accounts_fixtures"]


def make_principal(plan: Plan = "free", *, unlimited: bool = False, email: str | None = None) -> Principal:
    key_id = PlaintextKey.generate().id
    email = email or f"{key_id}@example.com".lower()
    subscription = Subscription(plan, date(2026, 11, 21), None, unlimited)
    return Principal(1, key_id, email, True, plan, unlimited, subscription)


@pytest.fixture(params=["memory", "redis"])
def url(request: pytest.FixtureRequest) -> str | None:
    return None if request.param == "memory" else str(request.getfixturevalue("redis_url"))


def count(rates: RateLimits, principal: Principal) -> RateStatus | None:
    [rate] = rates.count_requests([principal])
    if isinstance(rate, TooManyRequests):
        raise rate
    return rate


def rejection(rates: RateLimits, principal: Principal) -> TooManyRequests:
    with pytest.raises(TooManyRequests) as caught:
        count(rates, principal)
    return caught.value


def test_11th_request_of_10_per_minute_is_rejected(url: str | None) -> None:
    rates, principal = RateLimits(DEFAULT_RATES, url), make_principal()
    for _ in range(10):
        count(rates, principal)
    error = rejection(rates, principal)
    assert (error.plan, error.limit) == ("free", 10)
    assert 1 <= error.retry_after <= 60
    wait = f"{error.retry_after} second{'s' if error.retry_after > 1 else ''}"
    assert error.message == f"Too many requests: 10 per minute for this account. Try again in {wait}."
    assert error.body()["reason"] == "rate"


def test_count_request_returns_remaining_requests(url: str | None) -> None:
    rates, principal = RateLimits(DEFAULT_RATES, url), make_principal("pro")
    states = [count(rates, principal) for _ in range(3)]
    assert [(rate.limit, rate.remaining) for rate in states if rate] == [(60, 59), (60, 58), (60, 57)]
    assert all(1 <= rate.reset_seconds <= 60 for rate in states if rate)


def test_reset_never_exceeds_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 998.6088878263243)  # plus 60, minus itself: 60.000000000000114
    rate = count(RateLimits(DEFAULT_RATES), make_principal())
    assert rate is not None
    assert rate.reset_seconds == 60


def test_accounts_are_counted_separately_and_their_keys_together(url: str | None) -> None:
    rates = RateLimits({"free": 1}, url)
    address = f"{PlaintextKey.generate().id}@example.com"
    one, same, other = make_principal(email=address), make_principal(email=address), make_principal()
    count(rates, one)
    rejection(rates, one)
    rejection(rates, same)
    assert count(rates, other) is not None


def test_request_is_accepted_after_window(url: str | None) -> None:
    rates, principal = RateLimits({"free": 1}, url, window_seconds=1), make_principal()
    count(rates, principal)
    time.sleep(rejection(rates, principal).retry_after + 0.1)
    assert count(rates, principal) is not None


def test_rejected_requests_are_not_counted(url: str | None) -> None:
    rates, principal = RateLimits({"free": 1}, url, window_seconds=2), make_principal()
    count(rates, principal)
    time.sleep(1)
    rejection(rates, principal)
    time.sleep(1.1)
    assert count(rates, principal) is not None


def test_concurrent_requests_never_exceed_limit(url: str | None) -> None:
    rates, principal, start = RateLimits(DEFAULT_RATES, url), make_principal(), Barrier(24)

    def is_accepted(_: int) -> bool:
        start.wait()
        try:
            return count(rates, principal) is not None
        except TooManyRequests:
            return False

    with ThreadPoolExecutor(24) as pool:
        assert sum(pool.map(is_accepted, range(24))) == 10


def test_servers_with_same_redis_share_count(redis_url: str) -> None:
    one, other, principal = RateLimits(DEFAULT_RATES, redis_url), RateLimits(DEFAULT_RATES, redis_url), make_principal()
    for rates in (one, other) * 5:
        count(rates, principal)
    rejection(one, principal)
    rejection(other, principal)


def test_limit_of_0_and_unlimited_account_are_not_limited() -> None:
    rates = RateLimits({"pro": 0})
    pro, unlimited = make_principal("pro"), make_principal(unlimited=True)
    assert [count(rates, principal) for principal in (pro, unlimited) * 20] == [None] * 40


def test_limits_are_read_from_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_RATE_LIMITS", "free=2")
    rates, principal = RateLimits.open(AccountSettings()), make_principal()
    count(rates, principal)
    count(rates, principal)
    assert rejection(rates, principal).limit == 2


def test_unreachable_redis_falls_back_to_process_count(caplog: pytest.LogCaptureFixture) -> None:
    rates, principal = RateLimits(DEFAULT_RATES, "redis://127.0.0.1:9/0"), make_principal()
    for _ in range(10):
        count(rates, principal)
    assert rejection(rates, principal).limit == 10
    assert len([record for record in caplog.records if "Redis does not respond" in record.message]) == 1


def test_recovered_redis_is_used_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import redis

    def fail(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(rate_limits_module, "REDIS_RETRY_SECONDS", 0.0)
    one, other = (RateLimits({"free": 1}, redis_url) for _ in range(2))
    principal = make_principal()
    with monkeypatch.context() as patch:
        patch.setattr(redis.client.Pipeline, "execute", fail)
        count(one, principal)
        assert rejection(one, principal).limit == 1
    count(one, principal)
    assert rejection(other, principal).limit == 1


def test_close_closes_redis_connections(redis_url: str) -> None:
    def connections() -> set[object]:
        return {found.laddr for found in psutil.Process().net_connections("tcp") if found.status == "ESTABLISHED"}

    before = connections()
    rates = RateLimits(DEFAULT_RATES, redis_url)
    count(rates, make_principal())
    assert connections() - before
    rates.close()
    assert not connections() - before


def test_url_that_is_not_redis_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_REDIS_URL: must be redis://"):
        RateLimits(DEFAULT_RATES, "http://127.0.0.1:6379")
