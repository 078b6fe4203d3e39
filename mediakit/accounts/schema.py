"""Creates or migrates the tables, once, even if several servers start at the same time."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from mediakit.accounts.models import Base
from mediakit.errors import MediakitError

HEAD_REVISION = "0004"
"""The newest revision in `migrations/versions`."""

_LOCK_NUMBER = 0x6D656469616B6974
"""Number of the PostgreSQL advisory lock: "mediakit" in ASCII."""


def upgrade(engine: Engine) -> None:
    """Create the tables of a new database, or migrate the tables of an older one.

    Args:
        engine: An engine with `WRITE_OPTIONS`.

    Raises:
        MediakitError: The database was created by a newer version of mediakit.
    """
    with engine.connect() as connection:
        if _revision(connection) == HEAD_REVISION:
            return
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # SQLite already runs one write transaction at a time
            connection.execute(text("SET LOCAL statement_timeout = '60s'"))
            connection.execute(text("SET LOCAL lock_timeout = '60s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK_NUMBER})
        revision = _revision(connection)
        if revision is None:
            _create_tables(connection)
        elif revision != HEAD_REVISION:
            _migrate(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    if revision is not None and revision > HEAD_REVISION:
        raise MediakitError(
            f"The database was created by a newer version of mediakit (schema {revision}). Update mediakit to use it."
        )
    return revision


def _create_tables(connection: Connection) -> None:
    """Create all tables. Migrations have the same result, but alembic is slow to import."""
    Base.metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD_REVISION})


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD_REVISION)
