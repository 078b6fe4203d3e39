"""Helpers for tests of accounts: a manual clock, and an authenticated principal."""

import os
from datetime import UTC, date, datetime, timedelta

from mediakit.accounts import Accounts, Hold, Outcome, Principal
from mediakit.accounts.credits import Record
from mediakit.usage import Usage

POSTGRESQL = os.environ.get("MEDIAKIT_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("MEDIAKIT_TEST_REDIS", "redis://127.0.0.1:6379/0")

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class ManualClock:
    """A clock that only changes when a test moves it."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


def new_principal(
    accounts: Accounts, email: str = "ada@example.com", plan: str = "free", *, since: date | None = None
) -> Principal:
    """Create an account, and return the principal of a new key."""
    accounts.create_account(email, plan, verified=True, since=since)
    return accounts.authenticate(accounts.create_key(email).key)


def reserve(accounts: Accounts, principal: Principal, hold_seconds: float) -> Hold:
    """Hold a credit for one call."""
    [hold] = accounts.credits.reserve_many([(principal, hold_seconds)])
    if isinstance(hold, Exception):
        raise hold
    return hold


def commit(accounts: Accounts, hold: Hold, outcome: Outcome | None = None, record: Record | None = None) -> Usage:
    """Charge one call; with a record, as calls with an idempotency key and jobs are charged."""
    outcome = outcome or Outcome()
    if record:
        return accounts.credits.commit_with(record, hold, outcome)
    [usage] = accounts.credits.commit_many([(hold, outcome)])
    if isinstance(usage, Exception):
        raise usage
    return usage


def release(accounts: Accounts, hold: Hold) -> None:
    """Release the credit of one call."""
    accounts.credits.release_many([hold])
