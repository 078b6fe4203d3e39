"""Connections to the SQLite database."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from mediakit.accounts.database_engine import create_database_engine


def test_first_connections_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "accounts.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN EXCLUSIVE")
        threading.Timer(0.3, lambda: other.execute("COMMIT")).start()
        engine = create_database_engine(None, tmp_path)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        engine.dispose()


def test_many_first_connections_succeed(tmp_path: Path) -> None:
    failed = [error for number in range(20) for error in connect_at_once(tmp_path / str(number))]
    assert failed == []


def connect_at_once(home: Path) -> list[Exception]:
    """Open the first connections to a database in eight threads and return their errors."""
    engines = [create_database_engine(None, home) for _ in range(8)]
    start = threading.Barrier(len(engines))

    def connect(engine: Engine) -> Exception | None:
        start.wait()
        try:
            engine.connect().close()
        except DBAPIError as error:
            return error
        finally:
            engine.dispose()
        return None

    with ThreadPoolExecutor(len(engines)) as threads:
        return [error for error in threads.map(connect, engines) if error]
