"""An account as other modules see it, and the row that it is read from."""

import hashlib
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from mediakit.accounts.models import AccountRow, PeriodRow
from mediakit.accounts.subscriptions import Subscription, period_at
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import Plan

MAX_LENGTH = 254
"""RFC 5321, section 4.5.3.1.3, without the angle brackets."""

_FORBIDDEN = set('()<>[]:;,\\"')
"""Characters with a meaning in headers of email (RFC 5322, section 3.2.3). Only quoted names could contain them."""


def check_email(text: str) -> str:
    """Return an email address in lower case.

    The check finds typing errors only. Whether the mailbox exists is found by verification.

    Raises:
        InvalidInput: The text is not an email address.
    """
    email = text.strip().lower()
    if len(email) > MAX_LENGTH:
        raise InvalidInput(f"email: must have at most {MAX_LENGTH} characters, got {len(email)}.")
    if any(char.isspace() or not char.isprintable() for char in email):
        raise InvalidInput("email: must not contain spaces or control characters.")
    if email.count("@") != 1:
        raise InvalidInput("email: must contain one @, as in ada@example.com.")
    if forbidden := sorted(set(email) & _FORBIDDEN):
        raise InvalidInput(f"email: must not contain {' '.join(forbidden)}")
    local, domain = email.split("@")
    if not local or "." not in domain or not all(domain.split(".")):
        raise InvalidInput("email: must have a name and a full domain, as in ada@example.com.")
    if not local.isascii():
        raise InvalidInput("email: must have only ASCII characters before the @; few mail servers accept others.")
    return email


def ascii_address(email: str) -> str:
    """Return an email address with an internationalized domain in ASCII (RFC 3490), which every server supports."""
    local, domain = email.split("@")
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:  # a label is too long; the mail server will reject the address
        return email


DELETED_DOMAIN = "deleted.mediakit.invalid"
"""Domain of the address that replaces the email address of a deleted account. `.invalid` is reserved (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account with its subscription."""

    account_id: int
    email: str
    verified: bool
    created: datetime
    plan: Plan
    since: date
    unlimited: bool
    next_plan: Plan | None
    """The plan after a scheduled downgrade; None if no downgrade is scheduled."""
    next_plan_from: datetime | None
    admin: bool = False
    """Whether the account can open the operator's pages."""
    disabled: datetime | None = None
    """When an operator disabled the account; None if it is enabled."""


def account_of(row: AccountRow, now: datetime) -> Account:
    """Return the account of a row, with a due downgrade applied."""
    current = row.subscription.at(now)
    return Account(
        account_id=row.id,
        email=row.email,
        verified=row.verified,
        created=row.created,
        plan=current.plan,
        since=current.since,
        unlimited=current.unlimited,
        next_plan=current.next_plan,
        next_plan_from=current.next_plan_from,
        admin=row.admin,
        disabled=row.disabled,
    )


def find_account(session: Session, email: str, *, lock: bool = False) -> AccountRow | None:
    """Return the row of an email address, or None. Deleted accounts have no email address."""
    statement = select(AccountRow).where(AccountRow.email == email.strip().lower(), AccountRow.deleted.is_(None))
    return session.scalars(statement.with_for_update(key_share=True) if lock else statement).one_or_none()


def require_account(session: Session, email: str, *, lock: bool = False) -> AccountRow:
    """Return the row of an email address.

    Raises:
        NotFound: No account has this email.
    """
    row = find_account(session, email, lock=lock)
    if row is None:
        address = email.strip().lower()
        raise NotFound(f"email: {address} has no account. Create one: mediakit account create {address}")
    return row


def add_account(
    session: Session, email: str, plan: Plan, now: datetime, *, since: date | None = None, unlimited: bool = False
) -> AccountRow:
    """Add a row for a new account, and return it.

    An address whose account was deleted within the last month continues its month: the credits used stay used.

    Raises:
        InvalidInput: The first day of the subscription is in the future.
        IntegrityError: An account with this email already exists.
    """
    start = since or now.date()
    if start > now.date():
        raise InvalidInput(f"since: must not be later than today, {now.date()}, got {start}.")
    row = AccountRow(email=email, verified=False, created=now, admin=False)
    row.subscription = Subscription(plan, start, paid_since=None if plan == "free" else start, unlimited=unlimited)
    session.add(row)
    session.flush()
    if since is None:
        _continue_month(session, row, now)
    return row


def deleted_address(row: AccountRow) -> str:
    """Return what replaces the email address of an account that is deleted: its hash, and the id of the account."""
    return f"{_address_hash(row.email)}.{row.id}@{DELETED_DOMAIN}"


def _address_hash(email: str) -> str:
    return hashlib.sha256(email.encode()).hexdigest()[:32]


def _continue_month(session: Session, row: AccountRow, now: datetime) -> None:
    """Take over the month of the account that was deleted last with the same address, with the credits used in it."""
    same_address = AccountRow.email.startswith(f"{_address_hash(row.email)}.", autoescape=True)
    latest = select(AccountRow).where(same_address, AccountRow.deleted.is_not(None)).order_by(AccountRow.deleted.desc())
    previous = session.scalars(latest).first()
    if previous is None:
        return
    start = period_at(previous.since, now).start
    if period := session.get(PeriodRow, (previous.id, start)):
        row.since = previous.since
        session.add(PeriodRow(account_id=row.id, start=start, used=period.used))
        session.flush()
