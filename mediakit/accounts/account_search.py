"""The accounts as an operator sees them: searched by email, with the credits used this month."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from mediakit.accounts.account import Account, account_of
from mediakit.accounts.database import Database, searchable
from mediakit.accounts.models import AccountRow, PeriodRow
from mediakit.errors import NotFound
from mediakit.settings import Plan
from mediakit.usage import Usage


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
            row = session.get(AccountRow, account_id)
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
