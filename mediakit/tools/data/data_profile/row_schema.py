"""Checks the rows of a table against a JSON Schema, draft 2020-12."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_profile.column_values import Observed
from mediakit.tools.data.data_profile.statistics import plain

MAX_ERRORS = 100
"""Errors that are listed."""

_MAX_DEPTH = 100
_MAX_MESSAGE = 300
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_LITERALS = ("const", "enum", "default", "examples")
"""Keywords whose values are data, and no schemas."""

_PER_COLUMN = frozenset(
    "type properties required additionalProperties title description $schema $id $defs definitions $comment examples "
    "default deprecated readOnly writeOnly".split()
)
"""Keywords of a row whose columns can be checked one by one, each distinct value once."""

_FORMAT_LIBRARIES = ("rfc3987_syntax", "rfc3987")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass
class RowErrors:
    """The first errors by row, and the number of all."""

    listed: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0


def checked_schema(schema: Any) -> Any:
    """Return a validator of a schema.

    Raises:
        InvalidInput: It is not a JSON Schema, or refers to another document.
    """
    with _without_formats():
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import SchemaError, best_match
        from referencing import Registry

    _check_references(schema)
    try:
        found = best_match(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema))
    except (SchemaError, RecursionError):
        raise InvalidInput("schema: is not a JSON Schema: it is nested too deeply.") from None
    if found is not None:
        raise InvalidInput(f"schema: is not a JSON Schema: {_reason(found)}")
    return Draft202012Validator(schema, registry=Registry())


@contextmanager
def _without_formats() -> Iterator[None]:
    """Keep jsonschema from importing a library of grammars, which takes seconds; `format` is not checked anyway."""
    hidden = [name for name in _FORMAT_LIBRARIES if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None makes an import fail
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def check_rows(validator: Any, columns: Sequence[Observed]) -> RowErrors:
    """Return the errors of the rows of a table.

    Args:
        validator: A validator of a row, or of the array of all rows.
        columns: The columns.

    Raises:
        InvalidInput: A reference leads nowhere, or a pattern is not a regular expression.
    """
    from referencing.exceptions import Unresolvable

    try:
        return _errors(validator, columns)
    except Unresolvable as error:
        raise InvalidInput(f"schema: the reference {quote(str(error.ref))} leads nowhere.") from None
    except RecursionError:
        raise InvalidInput("schema: refers to itself without end, or is nested too deeply.") from None
    except Exception as error:  # of `re`, which jsonschema calls only when a value is checked
        if type(error).__module__ in ("re", "re._constants", "sre_constants"):
            raise InvalidInput(f"schema: a pattern is not a regular expression: {error}.") from None
        raise


def _errors(validator: Any, columns: Sequence[Observed]) -> RowErrors:
    schema = validator.schema
    found = RowErrors()
    if isinstance(schema, Mapping) and schema.get("type") == "array":
        _check_array(validator, columns, found)
    elif isinstance(schema, Mapping) and _is_per_column(schema):
        _check_columns(validator, schema, columns, found)
    else:
        numbers = columns[0].row_numbers.tolist() if columns else []
        for number, row in zip(numbers, _records(columns), strict=True):
            for error in validator.iter_errors(row):
                _add(found, number, _column_of(error, 0), error)
    return found


def _is_per_column(schema: Mapping[str, Any]) -> bool:
    return schema.keys() <= _PER_COLUMN and schema.get("type", "object") == "object"


def _check_array(validator: Any, columns: Sequence[Observed], found: RowErrors) -> None:
    """Check the whole; each row on its own where the schema says nothing of the array but its items."""
    schema = validator.schema
    items = schema.get("items", True)
    others = {key: value for key, value in schema.items() if key != "items"}
    for error in validator.evolve(schema=others).iter_errors(list(_records(columns))):
        place = error.path[0] if error.path else None
        number = int(columns[0].row_numbers[place]) if isinstance(place, int) else None
        _add(found, number, _column_of(error, 1), error)
    if isinstance(items, Mapping) and _is_per_column(items):
        _check_columns(validator, items, columns, found)
        return
    inner = validator.evolve(schema=items)
    for number, row in zip(columns[0].row_numbers.tolist() if columns else [], _records(columns), strict=True):
        for error in inner.iter_errors(row):
            _add(found, number, _column_of(error, 0), error)


def _check_columns(validator: Any, schema: Mapping[str, Any], columns: Sequence[Observed], found: RowErrors) -> None:
    """Check each distinct value of each column once."""
    if not columns:
        return
    properties = schema.get("properties", {})
    extra = schema.get("additionalProperties", True)
    by_row: list[tuple[int, int, str, str]] = []
    names = {column.name for column in columns}
    rows = range(len(columns[0].values))
    for name in schema.get("required", []):
        if name not in names:
            by_row += _everywhere(rows, -1, name, "is required, but there is no such column.", found)
    for place, column in enumerate(columns):
        rule = properties.get(column.name, extra)
        if rule is False:
            by_row += _everywhere(rows, place, column.name, "is not allowed by the schema.", found)
        elif rule is not True:
            by_row += _of_column(validator.evolve(schema=rule), place, column, found)
    for row, _, name, message in sorted(by_row)[:MAX_ERRORS]:
        found.listed.append({"row": int(columns[0].row_numbers[row]), "column": name, "message": message})
    found.listed.sort(key=lambda error: error["row"] or 0)
    del found.listed[MAX_ERRORS:]


def _everywhere(
    rows: range, place: int, name: str, message: str, found: RowErrors
) -> Iterator[tuple[int, int, str, str]]:
    found.count += len(rows)
    return ((row, place, name, message) for row in rows[:MAX_ERRORS])


def _of_column(validator: Any, place: int, column: Observed, found: RowErrors) -> list[tuple[int, int, str, str]]:
    """Return the first errors of a column, and count them all."""
    messages = [list(map(_message, validator.iter_errors(plain(value)))) for value in column.distinct]
    of_null = list(map(_message, validator.iter_errors(None))) if column.count < len(column.values) else []
    found.count += sum(len(some) * int(count) for some, count in zip(messages, column.counts, strict=True))
    found.count += len(of_null) * (len(column.values) - column.count)
    messages.append(of_null)  # where the code of null, -1, finds it
    wrong = ((row, some) for row, code in enumerate(column.codes.tolist()) if (some := messages[code]))
    listed = ((row, place, column.name, message) for row, some in wrong for message in some)
    return list(islice(listed, MAX_ERRORS))


def _records(columns: Sequence[Observed]) -> Iterator[dict[str, Any]]:
    names = [column.name for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return (dict(zip(names, map(plain, row), strict=True)) for row in rows)


def _add(found: RowErrors, row: int | None, column: str | None, error: Any) -> None:
    found.count += 1
    if len(found.listed) < MAX_ERRORS:
        found.listed.append({"row": row, "column": column, "message": _message(error)})


def _column_of(error: Any, place: int) -> str | None:
    path = list(error.path)
    return str(path[place]) if len(path) > place else None


def _message(error: Any) -> str:
    """Return what is wrong with a value, in words of JSON."""
    if error.validator == "type":
        wanted = error.validator_value
        kinds = ", ".join(wanted) if isinstance(wanted, list) else str(wanted)
        return f"must be {kinds}, got {quote(error.instance)}."
    if error.validator == "enum":
        return f"must be one of {_listed(error.validator_value)}, got {quote(error.instance)}."
    if error.validator == "pattern":
        return f"must match the pattern {quote(error.validator_value)}, got {quote(error.instance)}."
    if error.validator in _BOUNDS:
        return f"{_BOUNDS[error.validator].format(error.validator_value)}, got {quote(error.instance)}."
    text = str(error.message)
    return text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]}…"


_BOUNDS = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be greater than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
}


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(quote(value) for value in islice(values, 10))


def _reason(error: Any) -> str:
    """Return why a schema is not valid, such as "type must be a string"."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        error = error.context[0]
    place = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "enum" and all(isinstance(value, str) for value in error.validator_value):
        wanted = (
            "must be a string"
            if not isinstance(error.instance, str)
            else f"must be one of {_listed(error.validator_value)}"
        )
    elif error.validator == "type":
        kinds = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        wanted = f"must be {' or '.join(_article(kind) for kind in kinds)}"
    else:
        wanted = str(error.message)[:_MAX_MESSAGE]
    return f"{place} {wanted}." if place else f"it {wanted}."


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


def _check_references(schema: Any) -> None:
    """Refuse references to other documents, which are never fetched.

    Raises:
        InvalidInput: There is one, or the schema is nested too deeply.
    """
    own = {_DIALECT}
    references: list[str] = []
    queue: list[tuple[Any, int]] = [(schema, 0)]
    while queue:
        value, depth = queue.pop()
        if depth > _MAX_DEPTH:
            raise InvalidInput(f"schema: must be nested at most {_MAX_DEPTH} levels deep.")
        if isinstance(value, Mapping):
            own |= {value["$id"].partition("#")[0]} if isinstance(value.get("$id"), str) else set()
            references += [value[name] for name in _REFERENCES if isinstance(value.get(name), str)]
            queue += [(item, depth + 1) for name, item in value.items() if name not in _LITERALS]
        elif isinstance(value, list):
            queue += [(item, depth + 1) for item in value]
    for reference in references:
        document = reference.partition("#")[0]
        if document and document not in own:
            raise InvalidInput(
                f'schema: $ref must begin with "#"; other documents are not fetched, got {quote(reference)}.'
            )
