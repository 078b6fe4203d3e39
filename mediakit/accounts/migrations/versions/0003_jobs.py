"""Create the tables of jobs and of messages about credits; add the scopes and the expiry of keys."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TIMESTAMP = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables, and add the columns."""
    op.add_column("api_key", sa.Column("expires", TIMESTAMP))
    op.add_column("api_key", sa.Column("scopes", sa.Text()))
    op.create_table(
        "job",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False, index=True),
        sa.Column("tool", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created", TIMESTAMP, nullable=False),
        sa.Column("started", TIMESTAMP),
        sa.Column("finished", TIMESTAMP),
        sa.Column("expires", TIMESTAMP, nullable=False, index=True),
        sa.Column("expected_milliseconds", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text()),
        sa.Column("size", sa.Integer(), nullable=False),
    )
    op.create_index("ix_idempotent_call_call_id", "idempotent_call", ["call_id"])
    op.create_table(
        "quota_mail",
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("reset", TIMESTAMP, primary_key=True),
        sa.Column("percent", sa.Integer(), primary_key=True),
    )
