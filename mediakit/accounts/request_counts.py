"""Limits of sign-in requests per hour, counted in the database that all servers share."""

import hashlib
import math
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from mediakit.accounts.sign_in_models import RequestCountRow
from mediakit.errors import MediakitError

WINDOW = timedelta(hours=1)


class SignInLimitReached(MediakitError):  # noqa: N818  # named as the classes in `errors`
    """Too many sign-in links were requested for one address, or from one network."""

    status = 429
    fields = ("retry_after",)
    constants: ClassVar = {"code": "sign_in_limit"}

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


def count_request(session: Session, subject: str, limit: int, now: datetime) -> None:
    """Count a request of a subject in the current window. Windows start at fixed times, so that servers agree on them.

    Args:
        session: A writing session. If it is rolled back, the request is not counted.
        subject: An email address or a network. Only its digest is stored.
        limit: Maximum number of requests per window.
        now: The time of the database.

    Raises:
        SignInLimitReached: The limit was reached before this request.
    """
    start = _window_start(now)
    session.execute(delete(RequestCountRow).where(RequestCountRow.starts < start))
    key = {"subject": hashlib.sha256(subject.encode()).hexdigest(), "starts": start}
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(RequestCountRow).values(**key, requests=1)
    statement = statement.on_conflict_do_update(
        index_elements=[RequestCountRow.subject, RequestCountRow.starts],
        set_={"requests": RequestCountRow.requests + 1},
    )
    if session.scalars(statement.returning(RequestCountRow.requests)).one() > limit:
        seconds = max(1, math.ceil((start + WINDOW - now).total_seconds()))
        minutes = math.ceil(seconds / 60)
        raise SignInLimitReached(
            f"Too many sign-in links were requested. Use the newest email, or try again in {minutes} minutes.",
            retry_after=seconds,
        )


def _window_start(now: datetime) -> datetime:
    return datetime.fromtimestamp(now.timestamp() // WINDOW.total_seconds() * WINDOW.total_seconds(), UTC)
