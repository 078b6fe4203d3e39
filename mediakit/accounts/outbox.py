"""Outgoing email: a table of messages, each sent by one server at a time and retried until it is delivered.

A message contains what to write about, but neither text nor links. It is composed for each attempt, so that the table
contains no secret and a delayed message has a link that still works.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database
from mediakit.accounts.models import AccountRow, MessageRow, QuotaMailRow
from mediakit.usage import Usage

QUOTA_KIND = "quota"
"""Kind of the messages about used credits."""
QUOTA_PERCENTS = (100, 80)

CLAIM = timedelta(minutes=2)
"""Time for which a message belongs to the server that sends it. If it stops, another one sends the message later."""
FIRST_RETRY = timedelta(seconds=30)
MAX_RETRY = timedelta(hours=1)
GIVE_UP_AFTER = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Message:
    """A message that this server sends now."""

    id: str
    kind: str
    recipient: str
    values: Mapping[str, str]
    created: datetime
    attempts: int
    """Number of attempts, including this one."""


def quota_percents(usage: Usage) -> list[int]:
    """Return the limits that the used credits of a month have reached."""
    limit = usage.limit
    return [] if limit is None else [each for each in QUOTA_PERCENTS if usage.used * 100 >= limit * each]


class Outbox:
    """The outgoing messages of all servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, session: Session, kind: str, recipient: str, values: Mapping[str, str], now: datetime) -> None:
        """Add a message in the transaction of a session. It is sent after the transaction is committed."""
        session.add(
            MessageRow(
                id=uuid.uuid4().hex,
                kind=kind,
                recipient=recipient,
                values=dict(values),
                created=now,
                next_attempt=now,
                attempts=0,
            )
        )

    def claim(self) -> Message | None:
        """Return the next message to send; None if there is none. Other servers do not send it meanwhile."""
        if not self.is_due():  # without a write, because this runs every few seconds
            return None
        with self._database.write() as session:
            now = self._database.now(session)
            due = select(MessageRow).where(MessageRow.next_attempt <= now).order_by(MessageRow.next_attempt).limit(1)
            row = session.scalars(due.with_for_update(skip_locked=True)).one_or_none()
            if row is None:
                return None
            row.next_attempt, row.attempts = now + CLAIM, row.attempts + 1
            return Message(row.id, row.kind, row.recipient, row.values, row.created, row.attempts)

    def is_due(self) -> bool:
        """Return whether a message waits to be sent."""
        with self._database.read() as session:
            due = MessageRow.next_attempt <= self._database.now(session)
            return session.scalars(select(MessageRow.id).where(due).limit(1)).one_or_none() is not None

    def remove(self, message: Message) -> None:
        """Remove a message that was delivered, or that cannot be delivered."""
        with self._database.write() as session:
            session.execute(delete(MessageRow).where(MessageRow.id == message.id))

    def retry(self, message: Message) -> bool:
        """Schedule another attempt, later after each one. Return False if the message is too old, and remove it."""
        delay = min(FIRST_RETRY * 2 ** min(message.attempts - 1, 16), MAX_RETRY)
        with self._database.write() as session:
            now = self._database.now(session)
            if now + delay >= message.created + GIVE_UP_AFTER:
                session.execute(delete(MessageRow).where(MessageRow.id == message.id))
                return False
            session.execute(update(MessageRow).where(MessageRow.id == message.id).values(next_attempt=now + delay))
            return True

    def report_quota(self, account_id: int, email: str, usage: Usage, base_url: str) -> None:
        """Write to an account that has used 80 or 100 percent of its credits, once a month each, on any server."""
        reset, reached = datetime.fromisoformat(usage.reset), quota_percents(usage)
        with self._database.write() as session:
            session.execute(select(AccountRow.id).where(AccountRow.id == account_id).with_for_update())
            of_month = select(QuotaMailRow.percent).where(
                QuotaMailRow.account_id == account_id, QuotaMailRow.reset == reset
            )
            due = set(reached) - set(session.scalars(of_month))
            session.add_all(QuotaMailRow(account_id=account_id, reset=reset, percent=percent) for percent in due)
            if percent := max(due, default=0):  # an account that passed both limits at once gets one message
                counts = {"percent": str(percent), "used": f"{usage.used:,}", "limit": f"{usage.limit:,}"}
                values = {**counts, "plan": usage.plan, "reset": usage.reset[:10], "base_url": base_url}
                self.add(session, QUOTA_KIND, email, values, self._database.now(session))

    def size(self) -> int:
        """Return the number of messages that are not delivered yet."""
        with self._database.read() as session:
            return session.scalars(select(func.count()).select_from(MessageRow)).one()
