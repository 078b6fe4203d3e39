"""SQL over tables, with DuckDB: each query runs in a forked worker process of its own."""
