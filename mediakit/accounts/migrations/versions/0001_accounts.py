"""Create the tables of accounts, keys and credits."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TIMESTAMP = sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_accounts_and_keys()
    _create_credits()
    op.create_table(
        "secret",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
    )


def _create_accounts_and_keys() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("email", sa.String(254), nullable=False, unique=True),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("made", TIMESTAMP, nullable=False),
        sa.Column("plan", sa.String(16), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("paid_since", sa.Date()),
        sa.Column("unlimited", sa.Boolean(), nullable=False),
        sa.Column("next_plan", sa.String(16)),
        sa.Column("next_plan_from", TIMESTAMP),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.String(10), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False, index=True),
        sa.Column("name", sa.String(100)),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("made", TIMESTAMP, nullable=False),
        sa.Column("last_used", TIMESTAMP),
        sa.Column("revoked", TIMESTAMP),
    )


def _create_credits() -> None:
    op.create_table(
        "period",
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("start", TIMESTAMP, primary_key=True),
        sa.Column("used", sa.Integer(), nullable=False),
    )
    op.create_table(
        "hold",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("period_start", TIMESTAMP, nullable=False),
        sa.Column("expires", TIMESTAMP, nullable=False),
        sa.Index("ix_hold_account_id_expires", "account_id", "expires"),
    )
    op.create_table(
        "charge",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("key_id", sa.String(10), sa.ForeignKey("api_key.id"), nullable=False),
        sa.Column("period_start", TIMESTAMP, nullable=False),
        sa.Column("made", TIMESTAMP, nullable=False),
        sa.Index("ix_charge_account_id_period_start", "account_id", "period_start"),
    )
