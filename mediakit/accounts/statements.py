"""SQL statements that are compiled once and executed by the database driver, without the overhead of SQLAlchemy.

SQLAlchemy needs 50 to 100 microseconds to execute a compiled statement, SQLite less than 10. The statements of every
call to a tool are therefore compiled once for each dialect.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

Converter = Callable[[Any], Any]


class Statement:
    """A compiled statement with the conversions of its parameters and results."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        compiled: SQLCompiler = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._names = tuple(compiled.positiontup) if compiled.positiontup else None
        self._constants = dict(compiled.params)
        self._binds = _converters(
            ((name, bind.type) for name, bind in compiled.binds.items()),
            lambda kind: kind.dialect_impl(dialect).bind_processor(dialect),
        )
        self._results = [
            kind.dialect_impl(dialect).result_processor(dialect, None) for kind in _result_types(statement)
        ]
        self.returns_rows = bool(self._results)

    def parameters(self, values: Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
        """Return the parameters in the form that the driver expects."""
        converted = {**self._constants, **values}
        for name, convert in self._binds:
            converted[name] = convert(converted[name])
        return converted if self._names is None else [converted[name] for name in self._names]

    def rows(self, rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """Return rows of the driver with converted values."""
        return [
            tuple(
                value if convert is None else convert(value) for value, convert in zip(row, self._results, strict=True)
            )
            for row in rows
        ]


class Statements:
    """Compiled statements by the statement that they are compiled from."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._compiled: dict[int, tuple[Executable, Statement]] = {}

    def __getitem__(self, statement: Executable) -> Statement:
        """Return the compiled statement. The argument must be created once, as a constant of a module."""
        found = self._compiled.get(id(statement))
        if found is None:
            found = self._compiled[id(statement)] = (statement, Statement(statement, self._dialect))
        return found[1]


def _result_types(statement: Any) -> list[TypeEngine[Any]]:
    columns = getattr(statement, "returning_column_descriptions", None) or getattr(statement, "column_descriptions", [])
    return [column["type"] for column in columns]


def _converters(types: Any, converter: Callable[[TypeEngine[Any]], Converter | None]) -> list[tuple[str, Converter]]:
    found = [(name, converter(kind)) for name, kind in types]
    return [(name, convert) for name, convert in found if convert is not None]
