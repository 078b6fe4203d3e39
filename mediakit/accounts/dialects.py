"""Connections to the two databases: SQLite for one machine, PostgreSQL for many servers."""

from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from mediakit.accounts.home import private_folder
from mediakit.errors import InvalidInput, MediakitError

WAIT_SECONDS = 5
"""How long a statement, a lock or a free connection is waited for."""

WRITE = {"mediakit_write": True}
"""Execution option of a transaction that writes: SQLite takes its lock at the start, so it can never fail half-way."""


def make_engine(database_url: str | None, home: Path) -> Engine:
    """Connect lazily to the database of an address, or to the SQLite file in HOME.

    Raises:
        InvalidInput: The address is neither SQLite's nor PostgreSQL's.
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
    raise InvalidInput("database_url: use postgresql://USER@HOST/NAME, or sqlite:///PATH for a file.")


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database))
    private_folder(path.parent)
    path.touch(mode=0o600)  # the write-ahead log takes over the mode of the file
    engine = create_engine(
        url,
        connect_args={"timeout": WAIT_SECONDS, "isolation_level": None},
        pool_timeout=WAIT_SECONDS,
        hide_parameters=True,  # errors go to the log; emails and digests do not
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing; a power cut may lose the last calls
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("mediakit_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> Engine:
    milliseconds = WAIT_SECONDS * 1000
    wait = f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}"
    given = " ".join(_texts(url.query.get("options", "")))
    url = url.difference_update_query(["options"])
    try:
        return create_engine(
            url,
            connect_args={
                "options": f"{wait} {given}",
                "connect_timeout": WAIT_SECONDS,
                "tcp_user_timeout": milliseconds,
            },
            pool_pre_ping=True,
            pool_timeout=WAIT_SECONDS,
            hide_parameters=True,
        )
    except ModuleNotFoundError as error:
        raise MediakitError("PostgreSQL needs a driver: pip install 'mediakit[postgres]'") from error


def _texts(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
