"""Conversion of rows to a data frame of pandas or Polars."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mediakit.errors import MissingPackage
from mediakit.installation import install_command

LIBRARIES = ("pandas", "polars")
"""Data frame libraries in the order of preference."""


def data_frame(rows: Sequence[Any], columns: Sequence[str] | None = None) -> Any:
    """Return rows as a DataFrame of pandas, or of Polars if pandas is not installed.

    Args:
        rows: Dictionaries, or sequences with a value for each column.
        columns: The names of the columns; read from the dictionaries by default.

    Raises:
        MissingPackage: Neither library is installed.
    """
    library = next((name for name in LIBRARIES if find_spec(name)), None)
    if library is None:
        raise MissingPackage("to_frame() requires pandas or Polars.", command=install_command("pandas"))
    frame = import_module(library).DataFrame
    if library == "pandas":
        return frame(list(rows), columns=None if columns is None else list(columns))
    return frame(list(rows), schema=None if columns is None else list(columns), orient=None if not columns else "row")
