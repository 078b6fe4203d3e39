"""Transactions on the database of accounts, its clock, and one error for every failed connection."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from mediakit.accounts import schema
from mediakit.accounts.clock import Clock, utc_now
from mediakit.accounts.database_engine import DATABASE_TIMEOUT_SECONDS, WRITE_OPTIONS, create_database_engine
from mediakit.accounts.models import UtcDateTime
from mediakit.errors import ServerBusy
from mediakit.settings import AccountSettings

_NOT_RESPONDING = "The database does not respond. Try again in 5 seconds."

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
        self._engine.dispose()

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
            with self._write_turn(), Session(self._writer, expire_on_commit=False) as session, session.begin():
                yield session

    def now(self, session: Session) -> datetime:
        """Return the current time of the clock that all servers of this database share."""
        if self._clock is not None:
            return self._clock()
        return session.scalars(select(func.clock_timestamp(type_=UtcDateTime))).one()

    def ready(self) -> bool:
        """Return whether the database responds."""
        try:
            with self.read() as session:
                session.execute(text("SELECT 1"))
        except ServerBusy:
            return False
        return True

    @contextmanager
    def _write_turn(self) -> Iterator[None]:
        """Queue the writing threads of this process: SQLite polls for its lock, which can starve a thread."""
        if not self._is_sqlite:
            yield
            return
        with _acquired(self._write_lock):
            yield

    def _update_schema(self) -> None:
        if self._is_schema_current:
            return
        with _acquired(self._schema_lock):
            if not self._is_schema_current:
                schema.upgrade(self._writer)
                self._is_schema_current = True


@contextmanager
def _acquired(lock: threading.Lock) -> Iterator[None]:
    if not lock.acquire(timeout=DATABASE_TIMEOUT_SECONDS):
        raise ServerBusy(_NOT_RESPONDING)
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
        raise ServerBusy(_NOT_RESPONDING) from error
