"""Reads `fields`: names and kinds, with their options."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails

from mediakit.core.messages import nearest, quote
from mediakit.tools.data.data_sample import kinds, plan
from mediakit.tools.data.data_sample.kinds import KINDS
from mediakit.tools.data.data_sample.plan import Field

MAX_FIELDS = 50
MAX_NAME_LENGTH = 100
MAX_TEXT_LENGTH = 200_000
"""Characters of `fields` as text."""

_RULE = 'must be an object such as {"name": "name", "age": "integer"}, or an array of objects with name and kind'
_IMPLIED = {"formula": "formula", "expression": "formula", "values": "choice", "pattern": "sequence"}
"""Kinds that an option shows where there is no `kind`."""

_SYNONYMS = {
    "text": "str, string",
    "integer": "int",
    "number": "float, double, decimal, real, numeric",
    "boolean": "bool",
    "datetime": "timestamp",
    "choice": "categorical, enum, option",
    "postcode": "zip, zipcode, zip code",
}
_COMMON = {"null_pct": plan.number(0, 100), "unique": plan.boolean}
_PART = re.compile(r"\s*([^,:]+?)\s*(?::\s*([^,:]+?)\s*)?(?:,|\Z)")


def check_fields(value: Any) -> list[Field]:
    """Return the fields of a request.

    Raises:
        ValueError: Something is wrong; errors of a field name it.
    """
    named = list(_named(value))
    if not 1 <= len(named) <= MAX_FIELDS:
        raise ValueError(f"must have 1 to {MAX_FIELDS} fields, got {len(named)}.")
    found: dict[str, Field] = {}
    for name, described in named:
        if name in found:
            raise located(name, "is there twice.")
        try:
            field = _field(name, described)
            if field.kind == "formula":
                _check_formula(field, found)
            found[name] = field
        except ValidationError:
            raise
        except ValueError as error:
            raise located(name, str(error)) from None
    return list(found.values())


def checked(field: Field) -> Field:
    """Return a field with its options checked, and dates read from text."""
    checks = KINDS[field.kind].options
    return replace(field, options={name: checks[name](value) for name, value in field.options.items()})


def located(path: str, message: str) -> ValidationError:
    """Return an error of a field."""
    details = InitErrorDetails(type="value_error", loc=(path,), ctx={"error": ValueError(message)}, input=None)
    return ValidationError.from_exception_data("fields", [details])


def described_fields(fields: list[Field]) -> dict[str, Any]:
    """Return fields as a request has them: JSON values only."""
    found: dict[str, Any] = {}
    for field in fields:
        written = {
            name: each.isoformat() if hasattr(each, "isoformat") else each for name, each in field.options.items()
        }
        written |= {"null_pct": field.null_pct} if field.null_pct else {}
        written |= {"unique": True} if field.unique else {}
        found[field.name] = {"kind": field.kind, **written} if written else field.kind
    return found


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, str):
        value = _read(value)
    if isinstance(value, Mapping):
        for name, described in value.items():
            yield _name(name), described
    elif isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, str):
                yield _name(item), item
            elif isinstance(item, Mapping) and "name" in item:
                yield _name(item["name"]), {key: part for key, part in item.items() if key != "name"}
            else:
                raise ValueError(f"{_RULE}, got {quote(item)}.")
    else:
        raise ValueError(f"{_RULE}, got {quote(value)}.")  # noqa: TRY004  # pydantic turns it into a message


def _read(text: str) -> Any:
    """Return fields that are written as JSON, or as `id, name, born: date`."""
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueError(f"must have at most {MAX_TEXT_LENGTH} characters, got {len(text)}.")
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(f"{_RULE}, got {quote(text)}.") from None
    found, place = {}, 0
    while place < len(text):
        part = _PART.match(text, place)
        if part is None:
            raise ValueError(f"must be names of fields such as id, name, born: date, got {quote(text)}.")
        name, place = part[1], part.end()
        if name in found:
            raise located(name, "is there twice.")
        found[name] = part[2] or name
    return found


def _name(name: Any) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable():
        raise ValueError(f"must have names of 1 to {MAX_NAME_LENGTH} printable characters, got {quote(name)}.")
    return name


def _field(name: str, described: Any) -> Field:
    given = {"kind": described} if isinstance(described, str) else described
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ValueError(
            f'must be a kind, or an object such as {{"kind": "integer", "min": 1}}, got {quote(described)}.'
        )
    given = dict(given)
    kind_name = given.pop("kind", None)
    if not kind_name:
        kind_name = next((kind for option, kind in _IMPLIED.items() if option in given), name)
        if kind_name not in KINDS:
            raise ValueError("kind is required.")
    if not isinstance(kind_name, str) or kind_name not in KINDS:
        raise ValueError(f"{quote(kind_name)} is not a kind; {nearest(str(kind_name), list(KINDS), _SYNONYMS)}")
    if kind_name == "formula" and "expression" in given:
        given["formula"] = given.pop("expression")
    kind = KINDS[kind_name]
    checks = {**kind.options, **_COMMON}
    checked = {}
    for key, value in given.items():
        if key not in checks:
            raise located(f"{name}.{key}", f"is not an option of {kind_name}; {nearest(key, list(checks))}")
        if value is not None:
            checked[key] = _checked(name, key, value, checks[key])
    null_pct, unique = checked.pop("null_pct", 0), checked.pop("unique", False)
    if kind.check is not None:
        kind.check(checked)
    return Field(name, kind_name, checked, null_pct, unique)


def _checked(name: str, option: str, value: Any, check: plan.Check) -> Any:
    if hasattr(value, "tolist"):  # an array, a column or a scalar of NumPy or pandas
        value = value.tolist()
    try:
        return check(value)
    except ValueError as error:
        raise located(f"{name}.{option}", str(error)) from None


def _check_formula(field: Field, earlier: Mapping[str, Field]) -> None:
    """Check a formula by the fields before it."""
    if "formula" not in field.options:
        raise ValueError('formula is required, such as {"kind": "formula", "formula": "price * quantity"}.')
    if field.unique:
        raise ValueError("a formula cannot be unique.")
    text = field.options["formula"]
    _checked(field.name, "formula", text, lambda text: kinds.compile_formula(text, numbers_of(earlier)))


def numbers_of(fields: Mapping[str, Field]) -> dict[str, bool]:
    """Return the names of fields with numbers, with whether they are integers."""
    found: dict[str, bool] = {}
    for name, field in fields.items():
        if field.kind == "formula":
            found[name] = kinds.compile_formula(field.options["formula"], found)[1]
        elif (kind := KINDS[field.kind].type_of(field.options)) in ("integer", "number"):
            found[name] = kind == "integer"
    return found
