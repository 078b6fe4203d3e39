"""The database tables.

`call` is the ledger: one row for each call. The primary key of a charged row is the id of its hold, so a call is
charged only once. `period.used` is the number of charged rows in a month, stored so that calls do not count them.
"""

import json
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, Date, DateTime, Dialect, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from mediakit.accounts.key_format import key_prefix
from mediakit.accounts.subscriptions import Subscription
from mediakit.settings import Plan


class UtcDateTime(TypeDecorator[datetime]):
    """A time with a time zone, stored in UTC; also for databases without time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC for the database."""
        if value is None:
            return None
        instant = value.astimezone(UTC)
        return instant.replace(tzinfo=None) if dialect.name == "sqlite" else instant

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return a time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base class of all tables."""

    type_annotation_map = {datetime: UtcDateTime, date: Date, bytes: LargeBinary, Plan: String(16)}  # noqa: RUF012 - SQLAlchemy reads it from the class


class AccountRow(Base):
    """An account and its subscription."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    verified: Mapped[bool]
    created: Mapped[datetime] = mapped_column("made")
    plan: Mapped[Plan]
    since: Mapped[date]
    paid_since: Mapped[date | None]
    unlimited: Mapped[bool]
    next_plan: Mapped[Plan | None]
    next_plan_from: Mapped[datetime | None]
    admin: Mapped[bool] = mapped_column(default=False)
    disabled: Mapped[datetime | None]
    deleted: Mapped[datetime | None]

    @property
    def subscription(self) -> Subscription:
        """The subscription that the columns describe."""
        return Subscription(self.plan, self.since, self.paid_since, self.unlimited, self.next_plan, self.next_plan_from)

    @subscription.setter
    def subscription(self, value: Subscription) -> None:
        self.plan, self.since, self.paid_since = value.plan, value.since, value.paid_since
        self.unlimited, self.next_plan, self.next_plan_from = value.unlimited, value.next_plan, value.next_plan_from


class KeyRow(Base):
    """An API key: its public id and the digest of its secret."""

    __tablename__ = "api_key"

    id: Mapped[str] = mapped_column(String(10), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    name: Mapped[str | None] = mapped_column(String(100))
    digest: Mapped[bytes]
    created: Mapped[datetime] = mapped_column("made")
    last_used: Mapped[datetime | None]
    revoked: Mapped[datetime | None]
    expires: Mapped[datetime | None]
    scope_text: Mapped[str | None] = mapped_column("scopes", Text)
    """Tools and tags that the key may call, separated by spaces; null for all tools."""

    @property
    def prefix(self) -> str:
        """The public part of the key."""
        return key_prefix(self.id)

    @property
    def scopes(self) -> tuple[str, ...]:
        """Tools and tags that the key may call; empty for all tools."""
        return tuple((self.scope_text or "").split())

    def state(self, now: datetime) -> str:
        """Return `active`, `expired` or `revoked`."""
        if self.revoked:
            return "revoked"
        return "expired" if self.expires and self.expires <= now else "active"


class IdempotentCallRow(Base):
    """A call with an idempotency key: running while `status` is null, then its stored response."""

    __tablename__ = "idempotent_call"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    key_digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    fingerprint: Mapped[bytes] = mapped_column(LargeBinary(32))
    call_id: Mapped[str] = mapped_column(String(32), index=True)
    expires: Mapped[datetime] = mapped_column(index=True)
    status: Mapped[int | None]
    headers: Mapped[str | None] = mapped_column(Text)
    body: Mapped[bytes | None]


class JobRow(Base):
    """A call that is answered later."""

    __tablename__ = "job"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    tool: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(16))
    created: Mapped[datetime]
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]
    expires: Mapped[datetime] = mapped_column(index=True)
    """While the job is not finished: when its server counts as stopped. Then: when the job is deleted."""
    expected_milliseconds: Mapped[int]
    """Time that calls of the tool took recently."""
    outcome_json: Mapped[str | None] = mapped_column("outcome", Text)
    size: Mapped[int] = mapped_column(default=0)
    """Bytes of the stored result."""

    @property
    def outcome(self) -> dict[str, Any]:
        """The `result` and `meta`, or the `error`, of a finished job."""
        found: dict[str, Any] = json.loads(self.outcome_json or "{}")
        return found

    def progress(self, now: datetime) -> float:
        """Return the progress from 0 to 1. While the job runs, it is estimated from the duration of recent calls."""
        if self.finished:
            return 1.0 if self.state == "succeeded" else 0.0
        if not self.started:
            return 0.0
        seconds = max(0.0, (now - self.started).total_seconds())
        return round(seconds / (seconds + self.expected_milliseconds / 1000 + 0.001), 2)


class QuotaMailRow(Base):
    """A message about used credits that was sent to an account in a month; the month by its end."""

    __tablename__ = "quota_mail"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    reset: Mapped[datetime] = mapped_column(primary_key=True)
    percent: Mapped[int] = mapped_column(primary_key=True)


class PeriodRow(Base):
    """Credits used in one month of an account."""

    __tablename__ = "period"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    start: Mapped[datetime] = mapped_column(primary_key=True)
    used: Mapped[int]


class HoldRow(Base):
    """A credit of one month of an account, held for a running call. The primary key is the only index to update."""

    __tablename__ = "hold"
    __table_args__ = ({"sqlite_with_rowid": False},)

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    period_start: Mapped[datetime] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    expires: Mapped[datetime]
    """When the server of the call counts as stopped."""
    deadline: Mapped[datetime]
    """When the hold ends in any case."""


class CallRow(Base):
    """A call to a tool, in the ledger."""

    __tablename__ = "call"
    __table_args__ = (
        Index("ix_call_account_id_created", "account_id", "created"),
        Index("ix_call_account_id_period_start", "account_id", "period_start"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key_id: Mapped[str | None] = mapped_column(String(10))
    tool: Mapped[str] = mapped_column(String(40))
    """Name of the tool; empty for calls that were charged before the ledger existed."""
    status: Mapped[int]
    milliseconds: Mapped[int]
    """Time until the charge, or until the response to a refused call."""
    request_id: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime]
    period_start: Mapped[datetime]
    charged: Mapped[bool]


class SecretRow(Base):
    """A secret that all servers of a database share."""

    __tablename__ = "secret"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[bytes]


class SessionRow(Base):
    """A browser that is signed in: its public id and the digest of its token."""

    __tablename__ = "web_session"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    digest: Mapped[bytes]
    created: Mapped[datetime]
    last_seen: Mapped[datetime]
    expires: Mapped[datetime] = mapped_column(index=True)
    user_agent: Mapped[str] = mapped_column(String(200))
    network: Mapped[str] = mapped_column(String(50))
    """Network of the client's address, as in `203.0.113.0/24`."""


class SignInLinkRow(Base):
    """A sign-in link that was not used: the digest of its token."""

    __tablename__ = "sign_in_link"

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), index=True)
    expires: Mapped[datetime] = mapped_column(index=True)


class RequestCountRow(Base):
    """The number of sign-in requests of a subject (the digest of an email address or a network) in a window."""

    __tablename__ = "sign_in_count"

    subject: Mapped[str] = mapped_column(String(64), primary_key=True)
    starts: Mapped[datetime] = mapped_column(primary_key=True)
    requests: Mapped[int]


class MessageRow(Base):
    """An email to send. It is composed when it is sent, so that no link is stored."""

    __tablename__ = "outbox"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(32))
    recipient: Mapped[str] = mapped_column(String(254))
    values: Mapped[dict[str, str]] = mapped_column("content", JSON)
    created: Mapped[datetime]
    next_attempt: Mapped[datetime] = mapped_column(index=True)
    attempts: Mapped[int]
    """Number of attempts, including the one that runs."""
