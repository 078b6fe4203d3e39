"""SQLAlchemy engines: SQLite for one machine, PostgreSQL for several servers."""

import sqlite3
import time
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from mediakit.accounts.private_files import private_folder
from mediakit.errors import InvalidInput
from mediakit.installation import required

DATABASE_TIMEOUT_SECONDS = 5
"""Timeout for statements, locks, and free connections of the pool."""
IDLE_TRANSACTION_SECONDS = 10
"""Time after which PostgreSQL ends a transaction that waits for its server, so that a frozen one holds no lock."""
RESPONSE_TIMEOUT_SECONDS = 7.0
"""Time for a response. PostgreSQL ends statements after 5 seconds itself, unless it is frozen."""

RETRY_SECONDS = 0.01

WRITE_OPTIONS = {"mediakit_write": True}
"""Execution options of a writing transaction. SQLite locks at its start, so that later statements cannot fail."""


def create_database_engine(database_url: str | None, home: Path) -> Engine:
    """Return the engine of a URL, or of the SQLite file in `home`. It connects on first use.

    Raises:
        InvalidInput: The URL is neither for SQLite nor for PostgreSQL.
    """
    if database_url is None:
        return _sqlite(URL.create("sqlite", database=str(private_folder(home) / "accounts.sqlite3")))
    url = _parse(database_url)
    return _sqlite(url) if url.drivername == "sqlite" else _postgresql(url)


def _parse(database_url: str) -> URL:
    try:
        url = make_url(database_url)
    except ArgumentError:
        url = URL.create("unknown")
    if url.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url
    raise InvalidInput("MEDIAKIT_DATABASE_URL: must be postgresql://USER@HOST/NAME, or sqlite:///PATH for a file.")


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database))
    private_folder(path.parent)
    path.touch(mode=0o600)  # SQLite gives the write-ahead log the same mode
    engine = create_engine(
        url,
        connect_args={"timeout": DATABASE_TIMEOUT_SECONDS, "isolation_level": None},
        pool_timeout=DATABASE_TIMEOUT_SECONDS,
        hide_parameters=True,  # keeps emails and digests out of logged errors
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    _use_write_ahead_log(cursor)
    cursor.execute(
        "PRAGMA synchronous = NORMAL"
    )  # a killed process loses nothing, a power failure may lose the last calls
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _use_write_ahead_log(cursor: DBAPICursor) -> None:
    """Switch to the write-ahead log. SQLite does not wait for another connection that switches at the same time."""
    deadline = time.monotonic() + DATABASE_TIMEOUT_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("mediakit_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _postgresql(url: URL) -> Engine:
    milliseconds = DATABASE_TIMEOUT_SECONDS * 1000
    timeouts = f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}"
    timeouts += f" -c idle_in_transaction_session_timeout={IDLE_TRANSACTION_SECONDS * 1000}"
    options = " ".join(url.normalized_query.get("options", ()))
    url = url.difference_update_query(["options"])
    with required("MEDIAKIT_DATABASE_URL: PostgreSQL", "psycopg", extra="postgres"):
        engine = create_engine(
            url,
            connect_args={
                "options": f"{timeouts} {options}",
                "connect_timeout": DATABASE_TIMEOUT_SECONDS,
                "tcp_user_timeout": milliseconds,
            },
            pool_pre_ping=True,
            pool_timeout=DATABASE_TIMEOUT_SECONDS,
            hide_parameters=True,
        )
    event.listen(engine, "do_connect", _connect_with_deadline)
    return engine


def _connect_with_deadline(
    _dialect: Dialect, _entry: ConnectionPoolEntry, arguments: list[Any], options: dict[str, Any]
) -> DBAPIConnection:
    return _deadline_connection().connect(*arguments, **options)  # type: ignore[no-any-return]


@cache
def _deadline_connection() -> Any:
    import psycopg

    class DeadlineConnection(psycopg.Connection[Any]):
        """A connection that is closed when a response takes too long. A frozen server keeps TCP connections alive."""

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            """Wait for a response.

            Raises:
                OperationalError: There was no response in time.
            """
            deadline = time.monotonic() + RESPONSE_TIMEOUT_SECONDS
            try:
                return super().wait(gen, interval, timeout or RESPONSE_TIMEOUT_SECONDS)
            except psycopg.OperationalError:
                if time.monotonic() >= deadline:
                    self.pgconn.finish()  # a rollback would wait again
                raise

    return DeadlineConnection
