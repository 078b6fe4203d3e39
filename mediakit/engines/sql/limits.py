"""The limits of a query."""

MAX_SQL_LENGTH = 20_000
MAX_TABLES = 10
MAX_RESULT_ROWS = 100_000
MAX_RESULT_COLUMNS = 2_000
MAX_RESULT_BYTES = 50_000_000
"""Size of the rows as JSON."""

MAX_PARAMETERS = 1000

TIMEOUT_SECONDS = 10.0
"""The time for reading the tables and running the query."""

MEMORY_BYTES = 1_500_000_000
"""Address space of the process. The limit of the engine itself does not hold for single large values."""

ENGINE_MEMORY_BYTES = 512_000_000
"""Memory that the engine plans with."""

TOOK_TOO_LONG = f"The query took longer than {TIMEOUT_SECONDS:g} seconds."
TOO_MUCH_MEMORY = f"The query needs more than {ENGINE_MEMORY_BYTES // 10**6} MB of memory."
