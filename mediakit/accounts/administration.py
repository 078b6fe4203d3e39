"""What operators and owners do with accounts: search, admin rights, disabling, deletion."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.account import Account, account_of, deleted_address, require_account
from mediakit.accounts.database import Database, searchable
from mediakit.accounts.links import Links
from mediakit.accounts.models import (
    AccountRow,
    IdempotentCallRow,
    JobRow,
    KeyRow,
    MessageRow,
    PeriodRow,
    SessionRow,
    SignInLinkRow,
)
from mediakit.errors import NotFound
from mediakit.settings import Plan
from mediakit.usage import Usage

MAX_ID = 2**31 - 1
"""The largest integer of a column of PostgreSQL."""


class Administration:
    """Changes of accounts that take effect on all servers at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set_admin(self, email: str, *, admin: bool) -> Account:
        """Allow or forbid an account to open the operator's pages.

        Raises:
            NotFound: No account has this email.
        """
        return self._change(email, admin=admin)

    def disable(self, email: str) -> Account:
        """Disable an account: its keys return 401, its sessions and sign-in links end. Nothing is deleted.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.write() as session:
            row, now = require_account(session, email, lock=True), self._database.now(session)
            row.disabled = row.disabled or now
            session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.email == row.email))
            return account_of(row, now)

    def enable(self, email: str) -> Account:
        """Enable a disabled account. Its keys work again.

        Raises:
            NotFound: No account has this email.
        """
        return self._change(email, disabled=None)

    def delete(self, email: str, links: Links) -> None:
        """Delete an account: its keys stop working; its sessions, mail, stored responses and results are deleted.

        The rows of its calls remain for statistics. They refer to an account and to keys without personal data: a hash
        replaces the email address, so that the same address gets no second month of free credits.

        Raises:
            NotFound: No account has this email.
            ServerBusy: The database or the store does not respond; the account is not deleted.
        """
        with self._database.read() as session:
            row = require_account(session, email)
            deleted = _results(session.scalars(select(JobRow.outcome_json).where(JobRow.account_id == row.id)))
        for token in deleted:  # before the transaction, because calls wait for its locks
            links.delete(token)
        with self._database.write() as session:
            row, now = require_account(session, email, lock=True), self._database.now(session)
            session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.email == row.email))
            session.execute(delete(IdempotentCallRow).where(IdempotentCallRow.account_id == row.id))
            outcomes = session.scalars(delete(JobRow).where(JobRow.account_id == row.id).returning(JobRow.outcome_json))
            for token in _results(outcomes) - deleted:
                links.delete(token)
            session.execute(delete(MessageRow).where(MessageRow.recipient == row.email))
            of_account = update(KeyRow).where(KeyRow.account_id == row.id)
            session.execute(of_account.where(KeyRow.revoked.is_(None)).values(revoked=now))
            session.execute(of_account.values(name=None, digest=b""))
            row.email, row.deleted = deleted_address(row), now
            row.verified, row.admin = False, False

    def _change(self, email: str, **columns: Any) -> Account:
        with self._database.write() as session:
            row = require_account(session, email, lock=True)
            for name, value in columns.items():
                setattr(row, name, value)
            return account_of(row, self._database.now(session))


def _results(outcomes: Iterable[str | None]) -> set[str]:
    """Return the tokens of the results of jobs."""
    results = (json.loads(outcome or "{}").get("result") for outcome in outcomes)
    return {result["token"] for result in results if result}


@dataclass(frozen=True, slots=True)
class FoundAccount:
    """An account and its usage of the current month."""

    account: Account
    usage: Usage


@dataclass(frozen=True, slots=True)
class FoundAccounts:
    """One page of a search."""

    total: int
    """Number of accounts that match."""
    accounts: list[FoundAccount]


class AccountSearch:
    """Searches the accounts of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, text: str = "", plan: Plan | None = None, *, limit: int = 50, offset: int = 0) -> FoundAccounts:
        """Return one page of the accounts that match, sorted by email.

        Args:
            text: A part of the email address.
            plan: The plan that is stored. A downgrade that became due is stored with the next change.
            limit: Maximum number of accounts.
            offset: Number of accounts to omit.
        """
        part = searchable(text.strip().lower())
        conditions = [AccountRow.deleted.is_(None), AccountRow.email.contains(part, autoescape=True)]
        if plan:
            conditions.append(AccountRow.plan == plan)
        rows = select(AccountRow).where(*conditions).order_by(AccountRow.email).limit(limit).offset(offset)
        with self._database.read() as session:
            total = session.scalar(select(func.count()).select_from(AccountRow).where(*conditions)) or 0
            return FoundAccounts(total, self._with_usage(session, list(session.scalars(rows))))

    def by_id(self, account_id: int) -> FoundAccount:
        """Return an account.

        Raises:
            NotFound: The account does not exist, or is deleted.
        """
        with self._database.read() as session:
            row = session.get(AccountRow, account_id) if account_id <= MAX_ID else None
            if row is None or row.deleted is not None:
                raise NotFound(f"account id: {account_id} does not exist.")
            return self._with_usage(session, [row])[0]

    def count_by_plan(self) -> dict[str, int]:
        """Return the number of accounts of each plan."""
        statement = select(AccountRow.plan, func.count()).where(AccountRow.deleted.is_(None)).group_by(AccountRow.plan)
        with self._database.read() as session:
            return {row[0]: row[1] for row in session.execute(statement)}

    def _with_usage(self, session: Session, rows: list[AccountRow]) -> list[FoundAccount]:
        now = self._database.now(session)
        allowances = {row.id: row.subscription.allowance(now) for row in rows}
        periods = session.execute(
            select(PeriodRow.account_id, PeriodRow.start, PeriodRow.used).where(PeriodRow.account_id.in_(allowances))
        )
        used = {account: used for account, start, used in periods if start == allowances[account].period.start}
        return [FoundAccount(account_of(row, now), allowances[row.id].usage(used.get(row.id, 0))) for row in rows]
