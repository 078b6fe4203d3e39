"""What operators and owners do with accounts: admin rights, disabling, deletion."""

from collections.abc import Callable

from sqlalchemy import delete, update

from mediakit.accounts.account import Account, account_of, deleted_address, require_account
from mediakit.accounts.database import Database
from mediakit.accounts.models import (
    AccountRow,
    IdempotentCallRow,
    JobRow,
    KeyRow,
    MessageRow,
    SessionRow,
    SignInLinkRow,
)


class Administration:
    """Changes of accounts that take effect on all servers at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set_admin(self, email: str, *, admin: bool) -> Account:
        """Allow or forbid an account to open the operator's pages.

        Raises:
            NotFound: No account has this email.
        """

        def change(row: AccountRow) -> None:
            row.admin = admin

        return self._change(email, change)

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

        def change(row: AccountRow) -> None:
            row.disabled = None

        return self._change(email, change)

    def delete(self, email: str) -> None:
        """Delete an account: its keys stop working, and its sessions, links, mail and stored responses are deleted.

        The rows of its calls remain for statistics. They refer to an account and to keys without personal data: a hash
        replaces the email address, so that the same address gets no second month of free credits.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.write() as session:
            row, now = require_account(session, email, lock=True), self._database.now(session)
            session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
            session.execute(delete(SignInLinkRow).where(SignInLinkRow.email == row.email))
            session.execute(delete(IdempotentCallRow).where(IdempotentCallRow.account_id == row.id))
            session.execute(delete(JobRow).where(JobRow.account_id == row.id))
            session.execute(delete(MessageRow).where(MessageRow.recipient == row.email))
            of_account = update(KeyRow).where(KeyRow.account_id == row.id)
            session.execute(of_account.where(KeyRow.revoked.is_(None)).values(revoked=now))
            session.execute(of_account.values(name=None, digest=b""))
            row.email, row.deleted = deleted_address(row), now
            row.verified, row.admin = False, False

    def _change(self, email: str, change: Callable[[AccountRow], None]) -> Account:
        with self._database.write() as session:
            row = require_account(session, email, lock=True)
            change(row)
            return account_of(row, self._database.now(session))
