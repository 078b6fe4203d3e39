"""Checks the rows of a table against a JSON Schema, draft 2020-12."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_profile.column_values import Observed
from mediakit.tools.data.data_profile.statistics import plain

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

MAX_ERRORS = 100
"""Errors that are listed."""

_MAX_DEPTH = 100
_MAX_MESSAGE = 300
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_LITERALS = ("const", "enum", "default", "examples")
"""Keywords whose values are data, and no schemas."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass
class RowErrors:
    """The first errors by row, and the number of all."""

    listed: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def add(self, row: int | None, column: str | None, message: str) -> None:
        """Count an error, and list it if it is one of the first."""
        self.count += 1
        if len(self.listed) < MAX_ERRORS:
            self.listed.append({"row": row, "column": column, "message": message})


def checked_schema(schema: Any) -> "tuple[Draft202012Validator, bool]":
    """Return what validates a row by a schema, and whether it validates the array of all rows instead.

    Raises:
        InvalidInput: It is not a JSON Schema, or refers to another document.
    """
    import jsonschema_rs

    _check_references(schema)
    try:
        jsonschema_rs.meta.validate(schema)
    except jsonschema_rs.ValidationError as error:
        raise InvalidInput(f"schema: is not a JSON Schema: {_reason(error)}") from None
    try:
        validator = jsonschema_rs.Draft202012Validator(schema, retriever=_refuse)
    except jsonschema_rs.ValidationError as error:
        if error.kind.name == "format":
            raise InvalidInput(f"schema: a pattern is not a regular expression: {quote(error.instance)}.") from None
        raise InvalidInput(f"schema: a reference leads nowhere: {error.message[:_MAX_MESSAGE]}.") from None
    return validator, isinstance(schema, Mapping) and schema.get("type") == "array"


def _refuse(address: str) -> NoReturn:
    """Refuse to fetch another document; `_check_references` has found all that a caller can name."""
    raise ValueError(f"{address} is not fetched")


def check_rows(schema: "tuple[Draft202012Validator, bool]", columns: Sequence[Observed]) -> RowErrors:
    """Return the errors of the rows of a table."""
    validator, is_array = schema
    names = {column.name for column in columns}
    numbers = columns[0].row_numbers.tolist() if columns else []
    found = RowErrors()
    if is_array:
        for error in validator.iter_errors(list(_records(columns))):
            path = error.instance_path
            _note(error, numbers[int(path[0])] if path else None, path[1:], names, found)
        found.listed.sort(key=lambda each: each["row"] or 0)
        return found
    for number, row in zip(numbers, _records(columns), strict=True):
        for error in sorted(validator.iter_errors(row), key=lambda error: error.kind.name != "required"):
            _note(error, number, error.instance_path, names, found)
    return found


def _records(columns: Sequence[Observed]) -> Iterator[dict[str, Any]]:
    names = [column.name for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return (dict(zip(names, map(plain, row), strict=True)) for row in rows)


def _note(
    error: "ValidationError", row: int | None, path: Sequence[str | int], names: set[str], found: RowErrors
) -> None:
    """Note an error; one about several columns, or about a missing one, is noted for each of them."""
    kind: Any = error.kind
    if kind.name == "required" and not path and row is not None:
        words = "is required." if kind.property in names else "is required, but there is no such column."
        found.add(row, kind.property, words)
    elif kind.name == "additionalProperties" and not path and row is not None:
        for name in kind.unexpected:
            found.add(row, name, "is not allowed by the schema.")
    else:
        found.add(row, str(path[0]) if path else None, _message(error))


def _message(error: "ValidationError") -> str:
    """Return what is wrong with a value, in words of JSON."""
    kind: Any = error.kind
    if kind.name == "type":
        return f"must be {', '.join(kind.types)}, got {quote(error.instance)}."
    if kind.name == "enum":
        return f"must be one of {_listed(kind.options)}, got {quote(error.instance)}."
    if kind.name == "pattern":
        return f"must match the pattern {quote(kind.pattern)}, got {quote(error.instance)}."
    if kind.name in _BOUNDS:
        (bound,) = kind.as_dict().values()
        return f"{_BOUNDS[kind.name].format(bound)}, got {quote(error.instance)}."
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


def _reason(error: "ValidationError") -> str:
    """Return why a schema is not valid, such as "type must be a string"."""
    kind: Any = error.kind
    while kind.name in ("anyOf", "oneOf"):
        error = kind.context[0][0]
        kind = error.kind
    place = ".".join(map(str, error.instance_path))
    if kind.name == "enum":
        is_text = isinstance(error.instance, str)
        wanted = f"must be one of {_listed(kind.options)}" if is_text else "must be a string"
    elif kind.name == "type":
        wanted = "must be " + " or ".join(f"{'an' if each[0] in 'aio' else 'a'} {each}" for each in kind.types)
    else:
        wanted = str(error.message)[:_MAX_MESSAGE]
    return f"{place} {wanted}." if place else f"it {wanted}."


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
