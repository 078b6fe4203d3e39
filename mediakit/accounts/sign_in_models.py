"""The database tables of sign-in: sessions, links, their rate limits, and outgoing email. They contain no secret."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from mediakit.accounts.models import Base


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
