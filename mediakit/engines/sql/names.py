"""Names of tables in SQL: those of files without extension, as identifiers that need no quotes."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePath

MAX_NAME_LENGTH = 100

FIRST_TABLE = "data"
"""The first table has this name, too."""

_SUFFIXES = (
    *(".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".md", ".markdown"),
    *(".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".parquet"),
)


def table_name(name: str) -> str:
    """Return the name of a file as an identifier: `sales 2024.csv` becomes `sales_2024`; empty if nothing is left."""
    path = PurePath(name)
    stem = path.stem if path.suffix.lower() in _SUFFIXES else path.name
    words = re.sub(r"\W+", "_", unicodedata.normalize("NFC", stem)).strip("_")[:MAX_NAME_LENGTH]
    return f"_{words}" if words[:1].isdigit() else words


def unique(name: str, taken: Iterable[str]) -> str:
    """Return the name, or the first numbered form of it that is free. SQL ignores case."""
    used = {each.lower() for each in taken}
    number, found = 1, name
    while found.lower() in used:
        number += 1
        found = f"{name}_{number}"
    return found


def unique_columns(names: Iterable[str]) -> list[str]:
    """Return names that differ in more than case: a repeated `id` becomes `id_2`."""
    given = list(names)
    found: list[str] = []
    for place, name in enumerate(given):
        is_new = name.lower() not in {each.lower() for each in found}
        found.append(name if is_new else unique(name, [*found, *given[place + 1 :]]))
    return found
