"""The database of accounts: short transactions, one clock, and one error when it does not answer."""

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
from mediakit.accounts.dialects import WAIT_SECONDS, WRITE, make_engine
from mediakit.accounts.models import UtcDateTime
from mediakit.errors import ServerBusy
from mediakit.settings import AccountSettings

_BUSY = "The database does not answer. Try again in 5 seconds."

_log = logging.getLogger(__name__)


class Database:
    """Transactions on SQLite or PostgreSQL; the tables are made when the first one begins.

    The clock of a PostgreSQL database is its own, so that servers agree on months and on expired holds.
    """

    def __init__(self, engine: Engine, home: Path, *, embedded: bool, clock: Clock | None = None) -> None:
        self.home = home
        self.embedded = embedded
        """Whether it is the file in HOME, which no other machine can see."""
        self._one_writer = engine.dialect.name == "sqlite"
        self._engine = engine
        self._writer = engine.execution_options(**WRITE)
        self._reader = engine if self._one_writer else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = utc_now if clock is None and self._one_writer else clock
        self._turn = threading.Lock()
        self._preparing = threading.Lock()
        self._prepared = False

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock | None = None) -> Self:
        """Choose the database that the settings name; it is connected to when it is used."""
        engine = make_engine(settings.database_url, settings.home)
        return cls(engine, settings.home, embedded=settings.database_url is None, clock=clock)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a session that only reads.

        Raises:
            ServerBusy: The database does not answer.
        """
        with _answering():
            self._prepare()
            with Session(self._reader, expire_on_commit=False) as session:
                yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a session in a transaction, committed at the end unless an error leaves the block.

        Raises:
            ServerBusy: The database does not answer, or is locked for too long.
        """
        with _answering():
            self._prepare()
            with self._turn_to_write(), Session(self._writer, expire_on_commit=False) as session, session.begin():
                yield session

    def now(self, session: Session) -> datetime:
        """Tell the time by the clock that all servers of this database share."""
        if self._clock is not None:
            return self._clock()
        return session.scalars(select(func.clock_timestamp(type_=UtcDateTime))).one()

    def ready(self) -> bool:
        """Tell whether the database answers."""
        try:
            with self.read() as session:
                session.execute(text("SELECT 1"))
        except ServerBusy:
            return False
        return True

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Queue the threads of this process: SQLite lets rivals poll for its lock, so some would starve."""
        if not self._one_writer:
            yield
            return
        with _held(self._turn):
            yield

    def _prepare(self) -> None:
        if self._prepared:
            return
        with _held(self._preparing):
            if not self._prepared:
                schema.upgrade(self._writer)
                self._prepared = True


@contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    if not lock.acquire(timeout=WAIT_SECONDS):
        raise ServerBusy(_BUSY)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, PoolTimeout) as error:
        _log.warning("The database does not answer: %s", str(error).partition("\n")[0])
        raise ServerBusy(_BUSY) from error
