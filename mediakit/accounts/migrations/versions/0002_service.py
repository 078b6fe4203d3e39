"""Create the ledger of calls, and the tables of sign-in, mail and idempotency keys."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TIMESTAMP = sa.DateTime(timezone=True)

COPY_CHARGES = """
INSERT INTO call (id, account_id, key_id, tool, status, milliseconds, request_id, created, period_start, charged)
SELECT id, account_id, key_id, '', 200, 0, '', made, period_start, true FROM charge
"""


def upgrade() -> None:
    """Create the tables."""
    _create_ledger()
    _create_leases()
    _add_account_flags()
    _create_sign_in()
    _create_idempotent_calls()


def _create_ledger() -> None:
    """Create the table of calls, which replaces the table of charges."""
    op.create_table(
        "call",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("key_id", sa.String(10)),
        sa.Column("tool", sa.String(40), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("request_id", sa.String(64), nullable=False),
        sa.Column("created", TIMESTAMP, nullable=False),
        sa.Column("period_start", TIMESTAMP, nullable=False),
        sa.Column("charged", sa.Boolean(), nullable=False),
        sa.Index("ix_call_account_id_created", "account_id", "created"),
        sa.Index("ix_call_account_id_period_start", "account_id", "period_start"),
    )
    op.execute(COPY_CHARGES)
    op.drop_table("charge")


def _create_leases() -> None:
    """Create the tables of servers and their leases, which replace the holds of single calls."""
    op.drop_table("hold")
    op.create_table(
        "server",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("heartbeat", TIMESTAMP, nullable=False),
    )
    op.create_table(
        "lease",
        sa.Column("server_id", sa.String(32), sa.ForeignKey("server.id"), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("period_start", TIMESTAMP, primary_key=True),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("expires", TIMESTAMP, nullable=False),
        sa.Index("ix_lease_account_id_period_start", "account_id", "period_start"),
    )


def _add_account_flags() -> None:
    op.add_column("account", sa.Column("admin", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("account", sa.Column("disabled", TIMESTAMP))
    op.add_column("account", sa.Column("deleted", TIMESTAMP))


def _create_sign_in() -> None:
    op.create_table(
        "web_session",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False, index=True),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created", TIMESTAMP, nullable=False),
        sa.Column("last_seen", TIMESTAMP, nullable=False),
        sa.Column("expires", TIMESTAMP, nullable=False, index=True),
        sa.Column("user_agent", sa.String(200), nullable=False),
        sa.Column("network", sa.String(50), nullable=False),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("digest", sa.LargeBinary(), primary_key=True),
        sa.Column("email", sa.String(254), nullable=False, index=True),
        sa.Column("expires", TIMESTAMP, nullable=False, index=True),
    )
    op.create_table(
        "sign_in_count",
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("starts", TIMESTAMP, primary_key=True),
        sa.Column("requests", sa.Integer(), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("recipient", sa.String(254), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created", TIMESTAMP, nullable=False),
        sa.Column("next_attempt", TIMESTAMP, nullable=False, index=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
    )


def _create_idempotent_calls() -> None:
    op.create_table(
        "idempotent_call",
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("key_digest", sa.LargeBinary(32), primary_key=True),
        sa.Column("fingerprint", sa.LargeBinary(32), nullable=False),
        sa.Column("call_id", sa.String(32), nullable=False),
        sa.Column("expires", TIMESTAMP, nullable=False, index=True),
        sa.Column("status", sa.Integer()),
        sa.Column("headers", sa.Text()),
        sa.Column("body", sa.LargeBinary()),
    )
