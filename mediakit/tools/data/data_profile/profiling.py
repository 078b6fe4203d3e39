"""The profile of a table, made in a worker process."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from mediakit.engines.tables.model import Facts, Table
from mediakit.engines.tables.reading import as_tables, read_source
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_profile.column_profile import column_profile
from mediakit.tools.data.data_profile.correlations import MAX_COLUMNS, correlations
from mediakit.tools.data.data_profile.keys import key_candidates
from mediakit.tools.data.data_profile.numbers import Floats, floats_of
from mediakit.tools.data.data_profile.observed import Observed
from mediakit.tools.data.data_profile.problems import Problem, find
from mediakit.tools.data.data_profile.request import DataProfileRequest, Profiled
from mediakit.tools.data.data_profile.row_schema import RowErrors, check_rows, checked_schema
from mediakit.tools.data.data_profile.rows import duplicate_rows, empty_rows, sample_rows
from mediakit.tools.data.data_profile.score import score
from mediakit.tools.data.data_profile.semantics import semantic_of


def profile(request: DataProfileRequest) -> Profiled:
    """Profile a table.

    Raises:
        InvalidInput: The source is not one table, or the schema is not a JSON Schema.
    """
    schema = None if request.schema is None else checked_schema(request.schema)
    document = as_tables(read_source(request.source, request.reading), request.reading)
    if len(document.tables) > 1:
        raise InvalidInput("sheet: * is for all sheets; choose one of them.")
    table, facts = document.table, document.facts
    total = len(table)
    numbers = _sampled(total, request.max_rows)
    columns = _observed(table, numbers, request)
    fields = _fields(columns, len(numbers), request)
    errors = RowErrors([], 0) if schema is None else check_rows(schema, columns)
    fields |= {"schema_errors": errors.listed, "schema_error_count": errors.count}
    return Profiled(fields, _meta(facts, total, len(numbers)))


def _sampled(total: int, max_rows: int) -> npt.NDArray[np.int64]:
    """Return the numbers of the rows to look at, from 1: all, or an even sample with the first and the last one."""
    if total <= max_rows:
        return np.arange(1, total + 1)
    return np.linspace(1, total, max_rows).round().astype(np.int64) if max_rows > 1 else np.array([1])


def _observed(table: Table, numbers: npt.NDArray[np.int64], request: DataProfileRequest) -> list[Observed]:
    columns = []
    while table.columns:
        column = table.columns.pop(0)
        columns.append(Observed.of(column, numbers, is_declared=_is_declared(column.name, request)))
        columns[-1].semantic = semantic_of(columns[-1])
    return columns


def _is_declared(name: str, request: DataProfileRequest) -> bool:
    """Return whether the caller chose the type of a column; those of data frames come with the rows."""
    if isinstance(request.reading.types, str):
        return request.reading.types == "text"
    return name in request.reading.types and request.source.field != "rows"


def _fields(columns: Sequence[Observed], rows: int, request: DataProfileRequest) -> dict[str, Any]:
    floats = {column.name: floats_of(column) for column in columns if column.is_number}
    profiles = [column_profile(column, floats.get(column.name), request.top) for column in columns]
    repeated = duplicate_rows(columns)
    problems = find(columns, repeated)
    _add_problems(profiles, problems)
    duplicates = len(repeated)
    nulls = sum(one["nulls"] for one in profiles)
    return {
        "rows": rows,
        "columns": profiles,
        "duplicate_rows": duplicates,
        "empty_rows": empty_rows(columns),
        "empty_columns": [column.name for column in columns if not column.count],
        "constant_columns": [column.name for column in columns if len(column.distinct) == 1 < rows],
        "key_candidates": key_candidates(columns, duplicates),
        "correlations": correlations(_varied(floats)),
        "score": score(problems, nulls / (rows * len(columns) or 1), duplicates / (rows or 1)),
        "problems": [asdict(problem) for problem in problems],
        "sample": sample_rows(columns, request.sample),
    }


def _varied(floats: dict[str, Floats | None]) -> list[tuple[str, Floats]]:
    """Return the columns of numbers that may be correlated with others, 20 of them."""
    known = [(name, values) for name, values in floats.items() if values is not None and len(values)]
    return known[:MAX_COLUMNS]


def _add_problems(profiles: list[dict[str, Any]], problems: Sequence[Problem]) -> None:
    by_name = {one["name"]: one for one in profiles}
    for problem in problems:
        if problem.column is not None:
            by_name[problem.column]["problems"].append(problem.sentence)


def _meta(facts: Facts, total: int, used: int) -> dict[str, Any]:
    is_sampled = used < total
    if is_sampled:
        facts.warn(f"The profile is of an even sample of {used:,} of {total:,} rows; set max_rows for more.")
    return {
        "rows": total,
        "sampled": is_sampled,
        "input_format": facts.input_format,
        "encoding": facts.encoding,
        "delimiter": facts.delimiter,
        "decimal": facts.decimal,
        "date_order": facts.date_order,
        "sheet": facts.sheet,
        "sheets": facts.sheets,
        "skipped_lines": facts.skipped_lines,
        "warnings": facts.warnings,
    }
