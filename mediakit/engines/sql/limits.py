"""The limits of a query."""

from mediakit.engines.guarded import Guard
from mediakit.errors import InvalidInput, NotConvertible

MAX_SQL_LENGTH = 20_000
MAX_TABLES = 10
MAX_RESULT_ROWS = 100_000
MAX_RESULT_COLUMNS = 2_000
MAX_RESULT_BYTES = 50_000_000
"""Size of the rows as JSON."""

MAX_PARAMETERS = 1000

ENGINE_MEMORY_BYTES = 512_000_000
"""Memory that the engine plans with."""

TOO_MUCH_MEMORY = f"The query needs more than {ENGINE_MEMORY_BYTES // 10**6} MB of memory."

QUERY = Guard(
    "query",
    seconds=10,
    memory=1_500_000_000,
    took_too_long=(NotConvertible, "The query took longer than {seconds:g} seconds."),
    out_of_memory=(InvalidInput, TOO_MUCH_MEMORY),
    crashed=(InvalidInput, "sql: the engine cannot run this query."),
    prepare="mediakit.engines.sql.query:import_modules",
)
"""A query has a process of its own, because the engine does not keep to its limits and cannot be interrupted. The limit
of the engine itself does not hold for single large values."""
