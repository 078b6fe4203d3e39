"""The revisions of the tables: changes of a database that an older version has created, in the order of their numbers.

A revision lists what `create_all` cannot do: new columns and indexes of tables that exist, and tables to copy or
delete. Missing tables are created before the first revision, as the models describe them.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, text

from mediakit.accounts.models import Base, UtcDateTime

REVISIONS: Mapping[str, tuple[str, ...]] = {
    "0002": (  # the ledger of calls, which replaces the table of charges; sign-in, mail and idempotency keys
        "ALTER TABLE account ADD COLUMN admin BOOLEAN DEFAULT false NOT NULL",
        "ALTER TABLE account ADD COLUMN disabled {time}",
        "ALTER TABLE account ADD COLUMN deleted {time}",
        """
        INSERT INTO call
            (id, account_id, key_id, tool, status, milliseconds, request_id, created, period_start, charged)
        SELECT id, account_id, key_id, '', 200, 0, '', made, period_start, true FROM charge
        """,
        "DROP TABLE charge",
    ),
    "0003": (  # jobs, messages about credits, scopes and expiry of keys
        "ALTER TABLE api_key ADD COLUMN expires {time}",
        "ALTER TABLE api_key ADD COLUMN scopes TEXT",
        "CREATE INDEX IF NOT EXISTS ix_idempotent_call_call_id ON idempotent_call (call_id)",
    ),
    "0004": (  # holds of running calls, which replace the leases of servers; leased credits are free
        "DROP TABLE IF EXISTS lease",
        "DROP TABLE IF EXISTS server",
    ),
}
"""The statements of each revision; `{time}` is the type of a time."""

HEAD_REVISION = max(REVISIONS)


def migrate(connection: Connection, revision: str) -> None:
    """Change the tables of an older version to those of the models, in a transaction of the caller."""
    if revision < "0004":
        connection.execute(text("DROP TABLE IF EXISTS hold"))  # the first version had another table with this name
    Base.metadata.create_all(connection)
    time = UtcDateTime().compile(dialect=connection.dialect)
    for number, statements in REVISIONS.items():
        for statement in statements if number > revision else ():
            connection.execute(text(statement.format(time=time)))
    connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": HEAD_REVISION})
