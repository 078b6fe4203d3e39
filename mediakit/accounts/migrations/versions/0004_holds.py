"""Create the table of holds, one for each running call. It replaces the leases of servers."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

TIMESTAMP = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table. The credits that servers have leased are free."""
    op.drop_table("lease")
    op.drop_table("server")
    op.create_table(
        "hold",
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("account.id"), primary_key=True, autoincrement=False),
        sa.Column("period_start", TIMESTAMP, primary_key=True),
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("expires", TIMESTAMP, nullable=False),
        sa.Column("deadline", TIMESTAMP, nullable=False),
        sqlite_with_rowid=False,
    )
