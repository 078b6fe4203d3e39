"""`data_diff`: what differs between two tables, or two JSON, YAML or TOML documents."""

from mediakit.tools.data.data_diff.tool import data_diff

__all__ = ["data_diff"]
