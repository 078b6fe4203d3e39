"""The connection of a process for the statements of every call: one round trip for several statements.

SQLAlchemy needs 50 to 100 microseconds to execute a compiled statement, SQLite less than 10. The statements of every
call to a tool are therefore compiled once for each dialect, and executed by the database driver.
"""

import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal

from sqlalchemy import Dialect, Engine, Executable
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from mediakit.accounts.database_engine import DATABASE_TIMEOUT_SECONDS

Row = tuple[Any, ...]
Step = tuple[Executable, Mapping[str, Any]]
"""A statement, created once as a constant of a module, and its values."""

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
        self._dialect = engine.dialect
        self._statements: dict[int, tuple[Executable, _Statement]] = {}
        """The compiled statements by the identity of those that they are compiled from."""
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._connection: Any = None
        self._transaction: Literal["none", "due", "open"] = "none"
        """PostgreSQL begins a transaction together with its first statements."""
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

    def transact(self, *steps: Step) -> list[list[Row]]:
        """Execute statements in a transaction of their own, in one round trip if the database supports it.

        Raises:
            ConnectionLost: The database does not respond; the transaction may have been committed.
        """
        with self.transaction():
            return self.run(*steps, commits=not self._is_sqlite)

    def run(self, *steps: Step, commits: bool = False) -> list[list[Row]]:
        """Execute statements, in one round trip if the database supports it, and return the rows of each.

        Raises:
            ConnectionLost: The database does not respond.
        """
        with self._lost_connections():
            connection = self._open()
            if self._is_sqlite or (len(steps) == 1 and self._transaction != "due"):
                return [statement.rows(cursor) for cursor, statement in map(self._execute, steps)]
            with connection.pipeline():  # its end waits for the results
                if self._transaction == "due":
                    connection.execute("BEGIN")
                    self._transaction = "open"
                started = [self._execute(step) for step in steps]
                if commits:
                    connection.execute("COMMIT")
                    self._transaction = "none"
            return [statement.rows(cursor) for cursor, statement in started]

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def _execute(self, step: Step) -> tuple[Any, "_Statement"]:
        found = self._statements.get(id(step[0]))
        if found is None:
            found = self._statements[id(step[0])] = step[0], _Statement(step[0], self._dialect)
        cursor, statement = self._connection.cursor(), found[1]
        cursor.execute(statement.sql, statement.parameters(step[1]))
        return cursor, statement

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
            self._transaction = "due"
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
                self._transaction = "open"
                return

    def _commit(self) -> None:
        if self._transaction != "open":
            return
        self._transaction = "none"
        try:
            self._connection.execute("COMMIT")
        except self._errors as error:
            self._rollback()
            if self._is_sqlite:  # an error means that nothing is committed
                raise
            raise UncertainCommit from error

    def _rollback(self) -> None:
        self._transaction = "none"
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


class _Statement:
    """A compiled statement with the conversions of its parameters and results."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        compiled: SQLCompiler = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._names = tuple(compiled.positiontup) if compiled.positiontup else None
        self._constants = dict(compiled.params)
        names = compiled.bind_names
        processors = {name: _impl(bind.type, dialect).bind_processor(dialect) for bind, name in names.items()}
        self._binds = [(name, convert) for name, convert in processors.items() if convert is not None]
        columns = getattr(statement, "returning_column_descriptions", None)
        columns = columns or getattr(statement, "column_descriptions", [])
        self._results = [_impl(column["type"], dialect).result_processor(dialect, None) for column in columns]

    def parameters(self, values: Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
        """Return the parameters in the form that the driver expects."""
        converted = {**self._constants, **values}
        for name, convert in self._binds:
            converted[name] = convert(converted[name])
        return converted if self._names is None else [converted[name] for name in self._names]

    def rows(self, cursor: Any) -> list[Row]:
        """Return the rows of an executed statement with converted values."""
        if not self._results:
            return []
        return [
            tuple(
                value if convert is None else convert(value) for value, convert in zip(row, self._results, strict=True)
            )
            for row in cursor.fetchall()
        ]


def _impl(kind: TypeEngine[Any], dialect: Dialect) -> TypeEngine[Any]:
    return kind.dialect_impl(dialect)
