import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psutil
import pytest

from mediakit.accounts import Caller, RateLimits
from mediakit.accounts import rates as rates_module
from mediakit.accounts.key_format import KeyText
from mediakit.errors import InvalidInput, TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

pytest_plugins = ["tests.support.accounts_fixtures"]


def a_caller(plan: Plan = "free", *, unlimited: bool = False) -> Caller:
    return Caller(1, KeyText.make().id, "ada@example.com", verified=True, plan=plan, unlimited=unlimited)


@pytest.fixture(params=["memory", "redis"])
def url(request: pytest.FixtureRequest) -> str | None:
    return None if request.param == "memory" else str(request.getfixturevalue("redis_url"))


def refused(rates: RateLimits, caller: Caller) -> TooManyRequests:
    with pytest.raises(TooManyRequests) as caught:
        rates.hit(caller)
    return caught.value


def test_the_11th_request_of_10_in_a_minute_is_refused(url: str | None) -> None:
    rates, caller = RateLimits(DEFAULT_RATES, url), a_caller()
    for _ in range(10):
        rates.hit(caller)
    error = refused(rates, caller)
    assert (error.plan, error.limit) == ("free", 10)
    assert 1 <= error.retry_after <= 60
    wait = f"{error.retry_after} second{'s' if error.retry_after > 1 else ''}"
    assert error.message == f"Too many requests: 10 per minute for this key. Try again in {wait}."
    assert error.body()["reason"] == "rate"


def test_a_request_tells_how_many_remain(url: str | None) -> None:
    rates, caller = RateLimits(DEFAULT_RATES, url), a_caller("pro")
    standings = [rates.hit(caller) for _ in range(3)]
    assert [(rate.limit, rate.remaining) for rate in standings if rate] == [(60, 59), (60, 58), (60, 57)]
    assert all(1 <= rate.reset_seconds <= 60 for rate in standings if rate)


def test_keys_are_counted_apart(url: str | None) -> None:
    rates, one, other = RateLimits({"free": 1}, url), a_caller(), a_caller()
    rates.hit(one)
    refused(rates, one)
    assert rates.hit(other) is not None


def test_a_request_leaves_the_window_and_makes_room(url: str | None) -> None:
    rates, caller = RateLimits({"free": 1}, url, window_seconds=1), a_caller()
    rates.hit(caller)
    time.sleep(refused(rates, caller).retry_after + 0.1)
    assert rates.hit(caller) is not None


def test_refused_requests_do_not_put_the_next_one_off(url: str | None) -> None:
    rates, caller = RateLimits({"free": 1}, url, window_seconds=2), a_caller()
    rates.hit(caller)
    time.sleep(1)
    refused(rates, caller)
    time.sleep(1.1)
    assert rates.hit(caller) is not None


def test_requests_at_once_never_pass_the_limit(url: str | None) -> None:
    rates, caller, start = RateLimits(DEFAULT_RATES, url), a_caller(), Barrier(24)

    def hit(_: int) -> bool:
        start.wait()
        try:
            return rates.hit(caller) is not None
        except TooManyRequests:
            return False

    with ThreadPoolExecutor(24) as pool:
        assert sum(pool.map(hit, range(24))) == 10


def test_servers_that_share_a_redis_share_the_count(redis_url: str) -> None:
    one, other, caller = RateLimits(DEFAULT_RATES, redis_url), RateLimits(DEFAULT_RATES, redis_url), a_caller()
    for rates in (one, other) * 5:
        rates.hit(caller)
    refused(one, caller)
    refused(other, caller)


def test_neither_a_limit_of_0_nor_an_unlimited_account_is_limited() -> None:
    rates = RateLimits({"pro": 0})
    pro, unlimited = a_caller("pro"), a_caller(unlimited=True)
    assert [rates.hit(caller) for caller in (pro, unlimited) * 20] == [None] * 40


def test_the_settings_name_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_RATE_LIMITS", "free=2")
    rates, caller = RateLimits.open(AccountSettings()), a_caller()
    rates.hit(caller)
    rates.hit(caller)
    assert refused(rates, caller).limit == 2


def test_a_redis_that_is_away_leaves_each_server_counting_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    rates, caller = RateLimits(DEFAULT_RATES, "redis://127.0.0.1:9/0"), a_caller()
    for _ in range(10):
        rates.hit(caller)
    assert refused(rates, caller).limit == 10
    assert len([record for record in caplog.records if "Redis does not answer" in record.message]) == 1


def test_a_redis_that_comes_back_is_shared_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import redis

    def away(*_: object, **__: object) -> None:
        raise redis.ConnectionError

    monkeypatch.setattr(rates_module, "RETRY_REDIS_AFTER", 0.0)
    one, other = (RateLimits({"free": 1}, redis_url) for _ in range(2))
    caller = a_caller()
    with monkeypatch.context() as patch:
        patch.setattr(redis.Redis, "execute_command", away)
        one.hit(caller)
        assert refused(one, caller).limit == 1
    one.hit(caller)
    assert refused(other, caller).limit == 1


def test_closing_leaves_no_connection_to_redis(redis_url: str) -> None:
    def connections() -> set[object]:
        return {found.laddr for found in psutil.Process().net_connections("tcp") if found.status == "ESTABLISHED"}

    before = connections()
    rates = RateLimits(DEFAULT_RATES, redis_url)
    rates.hit(a_caller())
    assert connections() - before
    rates.close()
    assert not connections() - before


def test_an_address_that_is_not_redis_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^redis_url: use redis://"):
        RateLimits(DEFAULT_RATES, "http://127.0.0.1:6379")
