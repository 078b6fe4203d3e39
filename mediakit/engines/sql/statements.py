"""Which statements may run: one that reads. The engine's own parser judges."""

import re
from typing import Any

from mediakit.errors import InvalidInput

ONLY_SELECT = "sql: only SELECT is allowed."
ONE_STATEMENT = "sql: one statement."

_SKIPPED = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_EXPLAIN = re.compile(
    rf"{_SKIPPED}EXPLAIN\b{_SKIPPED}(?:ANALYZE\b)?{_SKIPPED}(?:\([^()]*\))?", re.IGNORECASE | re.DOTALL
)
_PIVOT_START = re.compile(
    rf"(?:{_SKIPPED}\()*{_SKIPPED}(?:PIVOT|PIVOT_WIDER|FROM|WITH|SELECT)\b", re.IGNORECASE | re.DOTALL
)
"""How a query with PIVOT begins, which the engine runs as several statements."""


def check_statement(connection: Any, sql: str) -> None:
    """Refuse everything but one statement that reads.

    Raises:
        InvalidInput: There is no statement, more than one, or one that does not read only.
    """
    statements = connection.extract_statements(sql)
    if len(statements) > 1:
        raise InvalidInput(ONE_STATEMENT)
    if not statements:
        raise InvalidInput("sql: must have a statement; it is empty or only a comment.")
    kind = statements[0].type.name
    if explained := _EXPLAIN.match(sql):
        check_statement(connection, sql[explained.end() :])
    elif kind != "SELECT" and not (kind == "MULTI" and _PIVOT_START.match(sql)):
        raise InvalidInput(ONLY_SELECT)
