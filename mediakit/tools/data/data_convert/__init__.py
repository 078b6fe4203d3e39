"""`data_convert`: a table, or JSON, YAML and TOML of any shape, in another format."""

from mediakit.tools.data.data_convert.tool import data_convert

__all__ = ["data_convert"]
