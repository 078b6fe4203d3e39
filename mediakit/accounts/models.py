"""The tables.

`charge` is the ledger: a row for every successful call, never changed. Its key is the hold's, so a call is charged
once however often that is asked for. `period.used` is its sum, kept beside it so that no call has to count.
"""

from datetime import UTC, date, datetime

from sqlalchemy import Date, DateTime, Dialect, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from mediakit.accounts.subscriptions import Subscription
from mediakit.settings import Plan


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware in Python, UTC in the database, also where the database knows no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC."""
        if value is None:
            return None
        instant = value.astimezone(UTC)
        return instant.replace(tzinfo=None) if dialect.name == "sqlite" else instant

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Read UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Every table."""

    type_annotation_map = {datetime: UtcDateTime, date: Date, bytes: LargeBinary, Plan: String(16)}  # noqa: RUF012 - SQLAlchemy reads it from the class


class AccountRow(Base):
    """An account and its subscription."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    verified: Mapped[bool]
    made: Mapped[datetime]
    plan: Mapped[Plan]
    since: Mapped[date]
    paid_since: Mapped[date | None]
    unlimited: Mapped[bool]
    next_plan: Mapped[Plan | None]
    next_plan_from: Mapped[datetime | None]

    @property
    def subscription(self) -> Subscription:
        """The columns that make up the subscription."""
        return Subscription(self.plan, self.since, self.paid_since, self.unlimited, self.next_plan, self.next_plan_from)

    @subscription.setter
    def subscription(self, value: Subscription) -> None:
        self.plan, self.since, self.paid_since = value.plan, value.since, value.paid_since
        self.unlimited, self.next_plan, self.next_plan_from = value.unlimited, value.next_plan, value.next_plan_from


class KeyRow(Base):
    """An API key: its public id, and a digest that its secret is checked against."""

    __tablename__ = "api_key"

    id: Mapped[str] = mapped_column(String(10), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    name: Mapped[str | None] = mapped_column(String(100))
    digest: Mapped[bytes]
    made: Mapped[datetime]
    last_used: Mapped[datetime | None]
    revoked: Mapped[datetime | None]


class PeriodRow(Base):
    """Credits used in a month of an account."""

    __tablename__ = "period"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    start: Mapped[datetime] = mapped_column(primary_key=True)
    used: Mapped[int]


class HoldRow(Base):
    """A credit set aside for a call that runs."""

    __tablename__ = "hold"
    __table_args__ = (Index("ix_hold_account_id_expires", "account_id", "expires"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    period_start: Mapped[datetime]
    expires: Mapped[datetime]


class ChargeRow(Base):
    """A credit used by a call that succeeded."""

    __tablename__ = "charge"
    __table_args__ = (Index("ix_charge_account_id_period_start", "account_id", "period_start"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    key_id: Mapped[str] = mapped_column(ForeignKey("api_key.id"))
    period_start: Mapped[datetime]
    made: Mapped[datetime]


class SecretRow(Base):
    """A secret that servers of one database share."""

    __tablename__ = "secret"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[bytes]
