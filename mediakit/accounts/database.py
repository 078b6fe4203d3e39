"""Transactions on the database of accounts, its clock, its tables, and one error for every failed connection."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, func, inspect, select, text
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from mediakit.accounts.clock import Clock, utc_now
from mediakit.accounts.database_engine import DATABASE_TIMEOUT_SECONDS, WRITE_OPTIONS, create_database_engine
from mediakit.accounts.direct_connection import ConnectionLost, DirectConnection, Row, Step
from mediakit.accounts.models import Base, UtcDateTime
from mediakit.errors import MediakitError, ServerBusy
from mediakit.settings import AccountSettings

HEAD_REVISION = "0004"
"""The newest revision in `migrations/versions`."""

_LOCK_NUMBER = 0x6D656469616B6974
"""Number of the PostgreSQL advisory lock: "mediakit" in ASCII."""


NOT_RESPONDING = "The database does not respond. Try again in 5 seconds."

MAX_AGE_SECONDS = 2.0
"""Time for which the last reading of the database's clock is used."""

CLOCK = select(func.clock_timestamp(type_=UtcDateTime))
"""The clock of PostgreSQL."""

_log = logging.getLogger(__name__)


class Database:
    """Transactions on SQLite or PostgreSQL. The first transaction creates or migrates the tables.

    With PostgreSQL the time comes from the database, so that servers agree on months and on expired holds.
    """

    def __init__(self, engine: Engine, home: Path, *, embedded: bool, clock: Clock | None = None) -> None:
        self.home = home
        self.embedded = embedded
        """Whether the database is the SQLite file in `MEDIAKIT_HOME`, which other machines cannot use."""
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._engine = engine
        self._writer = engine.execution_options(**WRITE_OPTIONS)
        self._reader = engine if self._is_sqlite else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = utc_now if clock is None and self._is_sqlite else clock
        self._last_reading: tuple[datetime, float] | None = None
        """The time of the last reading of the database's clock, and that of this machine's monotonic clock."""
        self.has_manual_clock = clock is not None
        """Whether a test moves the clock."""
        self.dialect = engine.dialect.name
        self.direct = DirectConnection(engine)
        """The connection for the statements of every call. Call `prepare` before the first use."""
        self._write_lock = threading.Lock()
        self._schema_lock = threading.Lock()
        self._is_schema_current = False

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock | None = None) -> Self:
        """Return the database of the settings. It is connected on first use."""
        engine = create_database_engine(settings.database_url, settings.home)
        return cls(engine, settings.home, embedded=settings.database_url is None, clock=clock)

    def close(self) -> None:
        """Close all connections."""
        self.direct.close()
        self._engine.dispose()

    def prepare(self) -> None:
        """Create or migrate the tables, if this was not done before.

        Raises:
            ServerBusy: The database does not respond.
        """
        if not self._is_schema_current:
            with _connection_errors():
                self._update_schema()

    def read_directly(self, *steps: Step) -> tuple[list[list[Row]], datetime]:
        """Return the rows of statements, read in one round trip with the direct connection, and the current time.

        If the clock is that of the database, the last column of each row must be its time. The statements are executed
        again if the connection has ended since its last use.

        Raises:
            ServerBusy: The database does not respond.
        """
        self.prepare()
        try:
            with self.direct.turn():
                try:
                    results = self.direct.run(*steps)
                except ConnectionLost:
                    results = self.direct.run(*steps)
                if not self.has_local_clock and results[-1]:
                    self._last_reading = results[-1][-1][-1], time.monotonic()
                return results, self.current_time()
        except ConnectionLost as error:
            raise ServerBusy(NOT_RESPONDING) from error

    def current_time(self) -> datetime:
        """Return the time of the clock that all servers share. The caller has the turn of the direct connection.

        For seconds after a reading of the database's clock, the time is computed from this machine's monotonic clock.
        """
        if self._clock is not None:
            return self._clock()
        if self._last_reading is None or time.monotonic() - self._last_reading[1] >= MAX_AGE_SECONDS:
            [[[now]]] = self.direct.run((CLOCK, {}))
            self._last_reading = now, time.monotonic()
        reading, monotonic = self._last_reading
        return reading + timedelta(seconds=time.monotonic() - monotonic)

    @property
    def has_local_clock(self) -> bool:
        """Whether the time needs no query: with SQLite, it is that of this machine."""
        return self._clock is not None

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a read-only session.

        Raises:
            ServerBusy: The database does not respond.
        """
        with _connection_errors():
            self._update_schema()
            with Session(self._reader, expire_on_commit=False) as session:
                yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a session in a transaction that is committed at the end, and rolled back on an exception.

        Raises:
            ServerBusy: The database does not respond, or is locked for too long.
        """
        with _connection_errors():
            self._update_schema()
            # SQLite polls for its lock, which can starve a thread: the writing threads of this process queue.
            turn = _acquired(self._write_lock) if self._is_sqlite else nullcontext()
            with turn, Session(self._writer, expire_on_commit=False) as session, session.begin():
                yield session

    def now(self, session: Session) -> datetime:
        """Return the current time of the clock that all servers of this database share."""
        if self._clock is not None:
            return self._clock()
        return session.scalars(CLOCK).one()

    def ready(self) -> bool:
        """Return whether the database can be written. A full disk makes it read-only."""
        try:
            with self.write() as session:
                session.execute(text("UPDATE alembic_version SET version_num = version_num"))
        except ServerBusy:
            return False
        return True

    def _update_schema(self) -> None:
        if self._is_schema_current:
            return
        with _acquired(self._schema_lock):
            if not self._is_schema_current:
                _upgrade(self._writer)
                self._is_schema_current = True


def searchable(text: str) -> str:
    """Return a text of a client for comparisons; PostgreSQL takes no NUL, so no stored text has one."""
    return text.replace("\0", "\ufffd")


def _upgrade(engine: Engine) -> None:
    """Create the tables of a new database, or migrate the tables of an older one."""
    with engine.connect() as connection:
        if _revision(connection) == HEAD_REVISION:
            return
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # SQLite already runs one write transaction at a time
            connection.execute(text("SET LOCAL statement_timeout = '60s'"))
            connection.execute(text("SET LOCAL lock_timeout = '60s'"))
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = '60s'"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK_NUMBER})
        revision = _revision(connection)
        if revision is None:
            # Migrations have the same result, but alembic is slow to import.
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD_REVISION})
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


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD_REVISION)


@contextmanager
def _acquired(lock: threading.Lock) -> Iterator[None]:
    if not lock.acquire(timeout=DATABASE_TIMEOUT_SECONDS):
        raise ServerBusy(NOT_RESPONDING)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _connection_errors() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, PoolTimeout) as error:
        _log.warning("The database does not respond: %s", str(error).partition("\n")[0])
        raise ServerBusy(NOT_RESPONDING) from error
