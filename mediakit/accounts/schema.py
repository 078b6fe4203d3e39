"""Brings a database to the tables of this version, however many servers start on it at once."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from mediakit.accounts.models import Base
from mediakit.errors import MediakitError

HEAD = "0001"
"""The last revision in `migrations/versions`."""

_LOCK = 0x6D656469616B6974
"""Number of PostgreSQL's advisory lock: "mediakit" in ASCII."""


def upgrade(engine: Engine) -> None:
    """Make the tables of a new database, or run the migrations that an older one misses; one server at a time.

    Args:
        engine: An engine whose transactions write.

    Raises:
        MediakitError: A newer version of mediakit made the database.
    """
    with engine.connect() as connection:
        if _revision(connection) == HEAD:
            return
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # SQLite's write transactions are one at a time anyway
            connection.execute(text("SET LOCAL statement_timeout = '60s'"))
            connection.execute(text("SET LOCAL lock_timeout = '60s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        revision = _revision(connection)
        if revision is None:
            _make(connection)
        elif revision != HEAD:
            _migrate(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    if revision is not None and revision > HEAD:
        raise MediakitError(f"A newer mediakit made this database (schema {revision}). Update mediakit to use it.")
    return revision


def _make(connection: Connection) -> None:
    """Make every table at once. The migrations lead to the same, but their machinery takes long to load."""
    Base.metadata.create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
