"""Writers, one per format; each turns tables into the bytes of a file, the same for the same tables."""

from mediakit.engines.tables.writers.writing import MEDIA_TYPES, OutputFormat, WriteOptions, write

__all__ = ["MEDIA_TYPES", "OutputFormat", "WriteOptions", "write"]
