"""SQL over tables, with DuckDB: runs in a worker process of its own for each query.

The modules import as little as they can, because every query starts a process.
"""
