"""Helpers for tests of accounts: a manual clock, and an authenticated principal."""

import os
from datetime import UTC, date, datetime, timedelta

from mediakit.accounts import Accounts, Principal

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
