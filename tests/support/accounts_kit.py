"""What the tests of accounts share beside their fixtures: a clock that is set by hand, and a caller."""

import os
from datetime import UTC, date, datetime, timedelta

from mediakit.accounts import Accounts, Caller

POSTGRESQL = os.environ.get("MEDIAKIT_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("MEDIAKIT_TEST_REDIS", "redis://127.0.0.1:6379/0")

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class HandClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> None:
        self.now += timedelta(**span)


def new_caller(
    accounts: Accounts, email: str = "ada@example.com", plan: str = "free", *, since: date | None = None
) -> Caller:
    """Open an account and come in with a key of it."""
    accounts.create_account(email, plan, verified=True, since=since)
    return accounts.authenticate(accounts.create_key(email).key)
