"""Describes the columns of a table as fields, so that a table like it can be made. Runs in a worker process."""

import datetime as dt
import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from mediakit.engines.tables.model import Column
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_sample.fields import MAX_FIELDS, MAX_NAME_LENGTH
from mediakit.tools.data.data_sample.options import MAX_CHOICE_LENGTH, MAX_NUMBER
from mediakit.tools.data.data_sample.plan import Field

MAX_ROWS = 10_000
"""Rows of the table that are read."""

MAX_CATEGORIES = 20
"""Different texts of a column up to which they are copied as categories."""

_MAX_DECIMALS = 6
_MAX_SHAPE_LENGTH = 100
_MAX_WORDS = 60

_BY_NAME: Mapping[str, str] = {
    "first_name": r"first.?name|given.?name|vorname|prénom|nombre de pila",
    "last_name": r"last.?name|surname|family.?name|apellidos?|nachname|cognome",
    "name": r"(full.?|customer.?|client.?|contact.?|person.?)?name|nombre( completo)?|contact|customer|client[ea]?"
    r"|kunde",
    "email": r"e?.?mail|correo.*",
    "phone": r"(tele)?phone.*|tel|mobile|móvil|tel[eé]fono|telefon",
    "company": r"company|organi[sz]ation|employer|empresa|firma|supplier|proveedor",
    "address": r"(full.?)?address|direcci[oó]n|adresse",
    "street": r"street.*|calle|stra(ß|ss)e",
    "city": r"city|town|ciudad|stadt|ville",
    "postcode": r"post.?code|zip.*|postal.*|c\.?p\.?|plz|c[oó]digo postal",
    "country": r"country|pa[ií]s|land|pays",
    "job": r"job.*|profession|occupation|puesto|profesi[oó]n|beruf",
    "iban": r"iban",
}
_BY_VALUE: Mapping[str, str] = {
    "email": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "uuid": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "url": r"https?://\S+",
    "ipv4": r"(\d{1,3}\.){3}\d{1,3}",
    "color": r"#[0-9a-f]{6}",
    "iban": r"[a-z]{2}\d\d( ?[a-z0-9]{4}){2,7}( ?[a-z0-9]{1,4})?",
    "phone": r"\+\d[\d ()/-]{6,18}\d",
}
_PERSONAL = ("first_name", "last_name", "name", "email", "phone", "address", "street", "iban")
"""Kinds whose values are made even where a column has few of them, because they are about people."""


def fields_like(source: Source, options: ReadOptions) -> tuple[list[Field], list[str]]:
    """Return fields for the columns of a table, with dates and times as ISO 8601 text, and warnings.

    Raises:
        InvalidInput: The table cannot be read, or has too many columns.
    """
    table = as_tables(read_source(source, options), options).table
    if not len(table) or not table.columns:
        raise InvalidInput("like: must be a table with at least one row.")
    if len(table.columns) > MAX_FIELDS:
        raise InvalidInput(f"like: must have at most {MAX_FIELDS} columns, got {len(table.columns)}.")
    warnings: list[str] = []
    fields = []
    for place, column in enumerate(table.columns, 1):
        name = "".join(sign for sign in column.name if sign.isprintable())[:MAX_NAME_LENGTH] or f"column_{place}"
        fields.append(_field(name, column, warnings))
    return fields, warnings


def _field(name: str, column: Column, warnings: list[str]) -> Field:
    present = [value for value in column.values if value is not None]
    null_pct = 100 * (len(column.values) - len(present)) / len(column.values)
    if not present:
        return Field(name, "text", {}, 100)
    describe = _DESCRIBERS.get(column.type)
    if describe:
        kind, options = describe(present)
        return Field(name, kind, options, null_pct, unique=kind == "id")
    return _text(name, [str(value) for value in present], null_pct, warnings)


def _integers(values: list[int]) -> tuple[str, dict[str, Any]]:
    low, high = min(values), max(values)
    steps = {after - before for before, after in pairwise(values)}
    if len(values) > 1 and len(steps) == 1 and 0 not in steps:
        return "id", {"start": values[0], "step": steps.pop()}
    if not -MAX_NUMBER <= low <= high <= MAX_NUMBER:
        return "integer", {}
    if len(set(values)) <= MAX_CATEGORIES and len(values) > 2 * len(set(values)):
        return "choice", _shares(values)
    return "integer", {"min": low, "max": high, **_spread(values)}


def _numbers(values: list[Any]) -> tuple[str, dict[str, Any]]:
    decimals = min(max(len(repr(float(value)).partition(".")[2].rstrip("0")) for value in values), _MAX_DECIMALS)
    numbers = [min(max(float(value), -MAX_NUMBER), MAX_NUMBER) for value in values]
    return "number", {"min": min(numbers), "max": max(numbers), "decimals": decimals, **_spread(numbers)}


def _spread(values: list[Any]) -> dict[str, float]:
    """Return mean and deviation, for a column with values enough to have them."""
    if len(values) < 10:
        return {}
    return {"mean": statistics.fmean(values), "std": statistics.pstdev([float(value) for value in values])}


def _booleans(values: list[bool]) -> tuple[str, dict[str, Any]]:
    return "boolean", {"pct": 100 * sum(values) / len(values)}


def _dates(values: list[str]) -> tuple[str, dict[str, Any]]:
    return "date", {"from": min(values), "to": max(values)}


def _datetimes(values: list[str]) -> tuple[str, dict[str, Any]]:
    moments = sorted(dt.datetime.fromisoformat(value).replace(microsecond=0) for value in values if "T" in value)
    if any(moment.tzinfo for moment in moments):
        moments = sorted(moment.astimezone(dt.UTC).replace(tzinfo=None) for moment in moments)
        return "datetime", {**_ends(moments), "time_zone": "UTC"}
    return "datetime", _ends(moments)


def _times(values: list[str]) -> tuple[str, dict[str, Any]]:
    clocks = sorted(dt.time.fromisoformat(value).replace(microsecond=0, tzinfo=None) for value in values)
    return "time", _ends(clocks)


def _ends(moments: list[Any]) -> dict[str, str]:
    return {"from": moments[0].isoformat(), "to": moments[-1].isoformat()}


_DESCRIBERS: Mapping[str, Callable[[list[Any]], tuple[str, dict[str, Any]]]] = {
    "integer": _integers,
    "number": _numbers,
    "boolean": _booleans,
    "date": _dates,
    "datetime": _datetimes,
    "time": _times,
}


def _shares(values: list[Any]) -> dict[str, Any]:
    counts = Counter(values)
    found = sorted(counts)
    return {"values": found, "weights": [counts[value] for value in found]}


def _text(name: str, values: list[str], null_pct: float, warnings: list[str]) -> Field:
    different = set(values)
    avoided = frozenset(different)
    is_unique = len(different) == len(values) > MAX_CATEGORIES
    kind = _kind_of(name, different)
    is_short = all(len(value) <= MAX_CHOICE_LENGTH for value in different)
    if kind not in _PERSONAL and len(different) <= MAX_CATEGORIES and is_short:
        warnings.append(f"{name}: the {len(different)} values of this column are copied as categories.")
        return Field(name, "choice", _shares(values), null_pct)
    if kind:
        may_repeat = kind in ("first_name", "last_name", "name", "city", "country", "job", "company", "street")
        # Names of places and jobs are the same everywhere: they say nothing about the table.
        return Field(name, kind, {}, null_pct, is_unique and not may_repeat, frozenset() if may_repeat else avoided)
    if pattern := _shape(values):
        return Field(name, "code", {"pattern": pattern}, null_pct, is_unique, avoided)
    words = round(statistics.fmean(len(value.split()) for value in values))
    return Field(name, "text", {"words": min(max(words, 1), _MAX_WORDS)}, null_pct, avoided=avoided)


def _kind_of(name: str, values: set[str]) -> str | None:
    for kind, pattern in _BY_VALUE.items():
        if all(re.fullmatch(pattern, value.lower()) for value in values):
            return kind
    plain = " ".join(re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").lower().split())
    return next((kind for kind, pattern in _BY_NAME.items() if re.fullmatch(pattern, plain)), None)


def _shape(values: list[str]) -> str | None:
    """Return the pattern of values of one shape, such as `INV-####`.

    Letters at the start that all values share are kept, and so are the signs between letters and digits.
    """
    if len(values[0]) > _MAX_SHAPE_LENGTH or len({len(value) for value in values}) > 1:
        return None
    masks = {_mask(value) for value in values}
    mask = masks.pop()
    has_other_letters = any(sign.isalnum() for sign in mask)
    has_signs = any(sign in "#?*" for value in values for sign in value)
    if masks or has_other_letters or has_signs or not any(sign in "#?" for sign in mask):
        return None
    kept = 0
    while kept < len(mask) and mask[kept] in "?-_/" and len({value[kept] for value in values}) == 1:
        kept += 1
    return values[0][:kept] + mask[kept:]


def _mask(value: str) -> str:
    return "".join("#" if sign in "0123456789" else "?" if "A" <= sign <= "Z" else sign for sign in value)
