"""Writers, one per format; each turns tables into the bytes of a file, the same for the same tables."""

from mediakit.engines.tables.writers.writing import OutputFormat, WriteOptions, write

__all__ = ["OutputFormat", "WriteOptions", "write"]
