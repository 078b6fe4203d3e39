"""Runs the check of a tool on the values of a request."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from mediakit.core.inputs import file_of
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.reading import Source
from mediakit.engines.validation.checking import Check, Job, run
from mediakit.engines.validation.cleaning import lines_of
from mediakit.engines.validation.request import ValuesRequest
from mediakit.engines.validation.result import ValidationResult
from mediakit.engines.validation.verdict import Verdict
from mediakit.errors import InvalidInput

MAX_WARNINGS = 50

R = TypeVar("R", bound=ValidationResult[Any])


async def validate(
    request: ValuesRequest,
    check: Check,
    options: Any,
    result: type[R],
    *,
    meta: Mapping[str, Any] | None = None,
    keeps_invisible: bool = False,
) -> R:
    """Return the verdicts on the values of a request.

    Args:
        request: The request.
        check: An importable function that returns the verdict on one value. It runs in a worker process.
        options: What the check gets beside each value: plain data, or a dataclass of mediakit.
        result: The class of the result.
        meta: Members of the meta beside `warnings`.
        keeps_invisible: Whether the check gets the invisible characters inside a value; those around it are removed.

    Raises:
        InvalidInput: The table cannot be read, or has no such column.
        NotConvertible: Reading the table took too long.
    """
    field, is_single, job = _job(request, check, options, keeps_invisible=keeps_invisible)
    values, verdicts = await run_guarded(run, job, field=field, guard=TABLE)
    names = "" if is_single else ("values" if field == "values" else field)
    warnings = _warnings(verdicts, names)
    return result._judged(values, verdicts, {**(meta or {}), "warnings": warnings}, is_single=is_single)


def _job(request: ValuesRequest, check: Check, options: Any, *, keeps_invisible: bool) -> tuple[str, bool, Job]:
    """Return the name of the field with the values, whether it has one value, and the work."""
    if request.file is not None:
        file = file_of(request.file)
        if not file:
            raise InvalidInput("file: must not be empty.")
        source = Source("file", file, file.name)
        column = None if request.column is None else str(request.column)
        return "file", False, Job(check, options, (), source, column, keeps_invisible)
    if request.values is not None:
        return "values", False, Job(check, options, tuple(request.values), keeps_invisible=keeps_invisible)
    lines = tuple(lines_of(str(getattr(request, request.value_field))))
    is_single = len(lines) == 1
    job = Job(check, options, lines, keeps_invisible=keeps_invisible, is_single=is_single)
    return request.value_field, is_single, job


def _warnings(verdicts: Sequence[Verdict], field: str) -> list[str]:
    """Return the warnings of all values, with the places of those in a list."""
    places: dict[str, list[int]] = {}
    for place, verdict in enumerate(verdicts):
        for sentence in verdict.warnings:
            places.setdefault(sentence, []).append(place)
    if not field:
        return list(places)
    sentences = [f"{field}[{_listed(found)}]: {sentence}" for sentence, found in places.items()]
    more = len(sentences) - MAX_WARNINGS
    return sentences[:MAX_WARNINGS] + ([f"{more} more warnings are not listed."] if more > 0 else [])


def _listed(places: Sequence[int]) -> str:
    shown = ", ".join(map(str, places[:5]))
    return f"{shown} and {len(places) - 5} more" if len(places) > 5 else shown
