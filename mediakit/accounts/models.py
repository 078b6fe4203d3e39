"""The database tables.

`charge` is the ledger: one row for each successful call, never changed. Its primary key is the id of the hold, so a
call is charged only once. `period.used` is the number of its rows in a month, stored so that calls do not count them.
"""

from datetime import UTC, date, datetime

from sqlalchemy import Date, DateTime, Dialect, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

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


class PeriodRow(Base):
    """Credits used in one month of an account."""

    __tablename__ = "period"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    start: Mapped[datetime] = mapped_column(primary_key=True)
    used: Mapped[int]


class HoldRow(Base):
    """A credit held for a running call."""

    __tablename__ = "hold"
    __table_args__ = (Index("ix_hold_account_id_expires", "account_id", "expires"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    period_start: Mapped[datetime]
    expires: Mapped[datetime]


class ChargeRow(Base):
    """A credit charged for a call that succeeded."""

    __tablename__ = "charge"
    __table_args__ = (Index("ix_charge_account_id_period_start", "account_id", "period_start"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key_id: Mapped[str] = mapped_column(ForeignKey("api_key.id"))
    period_start: Mapped[datetime]
    created: Mapped[datetime] = mapped_column("made")


class SecretRow(Base):
    """A secret that all servers of a database share."""

    __tablename__ = "secret"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[bytes]
