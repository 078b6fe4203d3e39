"""The connection of a process for the statements of every call: one round trip for several statements."""

import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Engine, Executable
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from mediakit.accounts.database_engine import DATABASE_TIMEOUT_SECONDS
from mediakit.accounts.statements import Statement, Statements

Row = tuple[Any, ...]
Step = tuple[Executable, Mapping[str, Any] | Sequence[Mapping[str, Any]]]
"""A statement and its values. A list of values executes the statement for each of them and returns no rows."""

MIN_POLL_SECONDS = 0.0001
MAX_POLL_SECONDS = 0.002


class ConnectionLost(Exception):  # noqa: N818  # converted to ServerBusy
    """The database did not execute a transaction."""


class UncertainCommit(ConnectionLost):
    """The connection ended during the commit: the transaction may have been committed."""


class DirectConnection:
    """A connection of the driver, opened on first use and again after an error.

    Only one thread can use it at a time; see `turn`.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._statements = Statements(engine.dialect)
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._connection: Any = None
        self._begins = False
        self._lock = threading.Lock()
        driver = engine.dialect.loaded_dbapi
        self._errors = (driver.OperationalError, driver.InterfaceError, driver.InternalError, DBAPIError, PoolTimeout)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other thread uses the connection.

        Raises:
            ConnectionLost: Other threads use it for too long.
        """
        if not self._lock.acquire(timeout=DATABASE_TIMEOUT_SECONDS):
            raise ConnectionLost
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the steps of the block, or roll them back if it raises an exception.

        Raises:
            ConnectionLost: The database does not respond, or is locked for too long.
        """
        with self._lost_connections():
            self._begin()
            try:
                yield
            except BaseException:
                self._rollback()
                raise
            self._commit()

    def run(self, *steps: Step) -> list[list[Row]]:
        """Execute statements, in one round trip if the database supports it, and return the rows of each.

        Raises:
            ConnectionLost: The database does not respond.
        """
        with self._lost_connections():
            connection = self._open()
            if self._is_sqlite or (len(steps) == 1 and not self._begins):
                return [self._fetch(*self._execute(connection.cursor(), step)) for step in steps]
            with connection.pipeline() as pipeline:
                if self._begins:
                    connection.execute("BEGIN")
                    self._begins = False
                started = [self._execute(connection.cursor(), step) for step in steps]
                pipeline.sync()
            return [self._fetch(*each) for each in started]

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def _execute(self, cursor: Any, step: Step) -> tuple[Any, Statement | None]:
        statement, values = self._statements[step[0]], step[1]
        if isinstance(values, Mapping):
            cursor.execute(statement.sql, statement.parameters(values))
            return cursor, statement
        cursor.executemany(statement.sql, [statement.parameters(each) for each in values])
        return cursor, None

    def _fetch(self, cursor: Any, statement: Statement | None) -> list[Row]:
        return statement.rows(cursor.fetchall()) if statement and statement.returns_rows else []

    def _open(self) -> Any:
        if self._connection is None:
            proxied = self._engine.raw_connection()
            self._connection = proxied.driver_connection
            proxied.detach()
            if not self._is_sqlite:
                self._connection.rollback()
                self._connection.autocommit = True
            else:
                self._connection.execute("PRAGMA busy_timeout = 0")
        return self._connection

    def _begin(self) -> None:
        connection = self._open()
        if not self._is_sqlite:
            self._begins = True  # together with the first statements
            return
        deadline, pause = time.monotonic() + DATABASE_TIMEOUT_SECONDS, MIN_POLL_SECONDS
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except self._errors as error:
                if time.monotonic() > deadline or "locked" not in str(error):
                    raise
                # SQLite's own wait is at least a millisecond, longer than most transactions.
                time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311  # not for cryptography
                pause = min(pause * 1.5, MAX_POLL_SECONDS)
            else:
                return

    def _commit(self) -> None:
        if self._begins:
            self._begins = False
            return
        try:
            self._connection.execute("COMMIT")
        except self._errors as error:
            self._rollback()
            if self._is_sqlite:  # an error means that nothing is committed
                raise
            raise UncertainCommit from error

    def _rollback(self) -> None:
        self._begins = False
        with suppress(Exception):
            self._connection.execute("ROLLBACK")

    @contextmanager
    def _lost_connections(self) -> Iterator[None]:
        try:
            yield
        except UncertainCommit:
            self.close()
            raise
        except self._errors as error:
            self.close()
            raise ConnectionLost(str(error).partition("\n")[0]) from error
