"""Runs the migrations on the connection and in the transaction of the `schema` module."""

from alembic import context

from mediakit.accounts.models import Base

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Base.metadata, render_as_batch=True
)
context.run_migrations()
