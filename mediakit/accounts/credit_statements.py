"""The SQL statements of holds, leases and charges."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, and_, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from mediakit.accounts.models import AccountRow, CallRow, LeaseRow, PeriodRow, ServerRow

SERVER: BindParameter[str] = bindparam("server")
ACCOUNT: BindParameter[int] = bindparam("account")
MONTH: BindParameter[datetime] = bindparam("month")
COUNT: BindParameter[int] = bindparam("count")

SUBSCRIPTION = select(
    AccountRow.plan,
    AccountRow.since,
    AccountRow.paid_since,
    AccountRow.unlimited,
    AccountRow.next_plan,
    AccountRow.next_plan_from,
).where(AccountRow.id == ACCOUNT)
LOCK_ACCOUNT = SUBSCRIPTION.with_for_update(key_share=True)

_used = select(PeriodRow.used).where(PeriodRow.account_id == ACCOUNT, PeriodRow.start == MONTH).scalar_subquery()
_leases = and_(LeaseRow.account_id == ACCOUNT, LeaseRow.period_start == MONTH)
USED = select(func.coalesce(_used, 0))
COUNTS = select(
    func.coalesce(_used, 0),
    func.coalesce(select(func.sum(LeaseRow.credits)).where(_leases).scalar_subquery(), 0),
    select(func.min(LeaseRow.expires)).where(_leases, LeaseRow.credits > 0).scalar_subquery(),
)
"""Credits used and leased in a month, in one statement: a charge moves a credit from one number to the other."""

LEASED = select(func.coalesce(func.sum(LeaseRow.credits), 0))

_is_stale = LeaseRow.server_id.in_(select(ServerRow.id).where(ServerRow.heartbeat <= bindparam("stale")))
DELETE_STALE_LEASES = (
    delete(LeaseRow)
    .where(LeaseRow.account_id == ACCOUNT, LeaseRow.server_id != SERVER, _is_stale)
    .returning(LeaseRow.credits)
)

_own = and_(LeaseRow.server_id == SERVER, _leases)
ADD_TO_LEASE = (
    update(LeaseRow)
    .where(_own)
    .values(credits=LeaseRow.credits + COUNT, expires=bindparam("until"))
    .returning(LeaseRow.credits)
)
INSERT_LEASE = insert(LeaseRow)
TAKE_FROM_LEASE = (
    update(LeaseRow)
    .where(_own, LeaseRow.credits >= COUNT)
    .values(credits=LeaseRow.credits - COUNT)
    .returning(LeaseRow.credits)
)
DELETE_LEASE = delete(LeaseRow).where(_own)
DELETE_LEASES = delete(LeaseRow).where(LeaseRow.server_id == SERVER)
DELETE_SERVER = delete(ServerRow).where(ServerRow.id == SERVER)
DELETE_ENDED_SERVERS = delete(ServerRow).where(
    ServerRow.heartbeat <= bindparam("stale"), ~exists().where(LeaseRow.server_id == ServerRow.id)
)

INSERT_CALL = insert(CallRow)
CALL = select(CallRow.charged).where(CallRow.id == bindparam("call"))
UNDO_CHARGE = (
    update(CallRow)
    .where(CallRow.id == bindparam("call"), CallRow.charged.is_(True))
    .values(charged=False, status=503)
    .returning(CallRow.account_id, CallRow.period_start)
)
SUBTRACT_USED = (
    update(PeriodRow).where(PeriodRow.account_id == ACCOUNT, PeriodRow.start == MONTH).values(used=PeriodRow.used - 1)
)


@cache
def add_used(dialect: str) -> Any:
    """Return the statement that adds a number to the credits used in a month, and returns the sum."""
    statement = _insert(dialect)(PeriodRow)
    return statement.on_conflict_do_update(
        index_elements=[PeriodRow.account_id, PeriodRow.start],
        set_={"used": PeriodRow.used + statement.excluded.used},
    ).returning(PeriodRow.used)


@cache
def beat(dialect: str) -> Any:
    """Return the statement that writes the heartbeat of a server."""
    statement = _insert(dialect)(ServerRow)
    return statement.on_conflict_do_update(
        index_elements=[ServerRow.id], set_={"heartbeat": statement.excluded.heartbeat}
    )


def _insert(dialect: str) -> Any:
    return sqlite.insert if dialect == "sqlite" else postgresql.insert
