"""Reads the tables of a query and names them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mediakit.engines.sql.model import Query, TableInput
from mediakit.engines.sql.names import FIRST_TABLE, table_name, unique
from mediakit.engines.tables.model import Column, Document, Table
from mediakit.engines.tables.naming import missing
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import as_tables, read_source
from mediakit.errors import InvalidInput


@dataclass
class NamedTable:
    """A table, and its names in SQL."""

    name: str
    table: Table
    other_names: tuple[str, ...] = ()


def read_tables(query: Query, warnings: list[str]) -> list[NamedTable]:
    """Return the tables of a query; every sheet of a workbook is one.

    Args:
        query: The query.
        warnings: Receives what may not be as expected.

    Raises:
        InvalidInput: A source cannot be read, or an option names what is not there.
    """
    found: list[NamedTable] = []
    is_single = len(query.tables) == 1
    for item in query.tables:
        document = _read(item)
        prefix = "" if is_single else f"{item.name or item.source.field}: "
        warnings += [f"{prefix}{warning}" for warning in document.facts.warnings]
        for each in _named(item, document):
            each.name = unique(each.name, _names(found))
            each.other_names = tuple(name for name in each.other_names if name.lower() not in _names(found))
            found.append(each)
    _check_types(query, found)
    if FIRST_TABLE not in _names(found):
        found[0].other_names += (FIRST_TABLE,)
    return found


def _names(tables: list[NamedTable]) -> set[str]:
    return {name.lower() for each in tables for name in (each.name, *each.other_names)}


def _read(item: TableInput) -> Document:
    document = as_tables(read_source(item.source, _options(item)), item.options)
    for name, table in document.tables.items():
        if not table.columns and item.types:  # a data frame without rows
            document.tables[name] = Table([Column(each, kind, []) for each, kind in item.types.items()])
    tables = {name: table for name, table in document.tables.items() if table.columns}
    if not tables:
        raise InvalidInput(f"{item.options.field}: has no columns.")
    document.tables = tables
    return document


def _options(item: TableInput) -> ReadOptions:
    options = replace(item.options, allows_missing_types=True, sheet=item.options.sheet or "*")
    if not item.types or options.types == "text":
        return options
    chosen = options.types if isinstance(options.types, Mapping) else {}
    return replace(options, types={**item.types, **chosen})


def _named(item: TableInput, document: Document) -> Iterator[NamedTable]:
    name = table_name(item.name) or FIRST_TABLE
    if document.facts.input_format != "excel":
        yield NamedTable(name, document.table)
        return
    for place, (sheet, table) in enumerate(document.tables.items()):
        full = f"{name}_{table_name(sheet) or place + 1}"
        yield NamedTable(full, table, () if place or full.lower() == name.lower() else (name,))


def _check_types(query: Query, tables: list[NamedTable]) -> None:
    chosen: Any = query.tables[0].options.types
    known = list(dict.fromkeys(name for each in tables for name in each.table.names))
    for name in chosen if isinstance(chosen, Mapping) else ():
        if name not in known:
            raise InvalidInput(f"types: {missing(name, known)}")
