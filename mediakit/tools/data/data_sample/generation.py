"""Makes the columns of a plan, or the plan of columns that are like those of a table."""

import datetime as dt
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as member
from itertools import pairwise
from typing import Any

from mediakit.core.request import invalid
from mediakit.engines.tables.model import Column, ColumnType, ReadOptions, Table, distinct_names
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_sample import kinds
from mediakit.tools.data.data_sample.fields import MAX_FIELDS, MAX_NAME_LENGTH, numbers_of
from mediakit.tools.data.data_sample.kinds import ADDRESS_KINDS, KINDS
from mediakit.tools.data.data_sample.plan import (
    MAX_CHOICE_LENGTH,
    MAX_INTEGER,
    MAX_NUMBER,
    Chance,
    Field,
    Plan,
    Setting,
)
from mediakit.tools.data.data_sample.values import people
from mediakit.tools.data.data_sample.values.people import People
from mediakit.tools.data.data_sample.values.places import LANGUAGES, Places, Products, countries_of

MAX_CHARACTERS = 120_000_000
"""Characters of all values together, estimated before they are made."""

MAX_CHARACTERS_OF_FEW_ROWS = 20_000_000
"""The same for as many rows as a server makes."""

_FEW_ROWS = 1000
_REDRAWS_PER_ROW = 30
_MIN_REDRAWS = 3000
Draw = Callable[[Chance, int], Any]


@dataclass
class _Drawn:
    """A field that is being filled."""

    field: Field
    plan: Plan
    chance: Chance
    values: list[Any] = member(default_factory=list)
    seen: set[Any] = member(default_factory=set)


def generate(fields: Sequence[Field], setting: Setting) -> tuple[Table, list[str]]:
    """Return a table, and warnings.

    Raises:
        InvalidInput: There are not enough different values for a field, or the table would be too large.
    """
    characters = setting.rows * sum(KINDS[each.kind].longest(each.options) for each in fields)
    most = MAX_CHARACTERS_OF_FEW_ROWS if setting.rows <= _FEW_ROWS else MAX_CHARACTERS
    if characters > most:
        message = f"would make over {most:,} characters with these fields; use fewer rows, fields or words."
        raise invalid([{"field": "rows", "message": message}])
    drawn = {each.name: _Drawn(each, _plan(each, setting), _chance(setting, "field", each.name)) for each in fields}
    groups: dict[str, list[_Drawn]] = defaultdict(list)
    count: dict[str, int] = defaultdict(int)
    for each in drawn.values():
        entity = KINDS[each.field.kind].entity
        place = count[each.field.kind]
        count[each.field.kind] += 1
        groups[f"{entity}/{place}" if entity else f"/{each.field.name}"].append(each)
    for name, members in groups.items():
        _fill(name, members, setting)
    for each in drawn.values():
        if each.field.kind != "formula":
            _add_nulls(each, setting)
    types = {each.name: KINDS[each.kind].type_of(each.options) for each in fields} | _formulas(drawn, setting)
    columns = [Column(name, kind, drawn[name].values) for name, kind in types.items()]
    return Table(columns), _warnings(fields, setting)


def _chance(setting: Setting, *parts: object) -> Chance:
    return Chance(setting.seed, setting.locale, *parts)


def _plan(each: Field, setting: Setting) -> Plan:
    plan = KINDS[each.kind].plan
    if plan is None:
        return Plan(lambda entity, _chance, _row: entity[each.kind])
    try:
        return plan(each.options, setting)
    except ValueError as error:
        raise invalid([{"field": f"fields.{each.name}", "message": str(error)}]) from None


def _fill(name: str, members: list[_Drawn], setting: Setting) -> None:
    """Fill the fields of a group: all get their value from one person, place or product per row.

    A row with a value that must not repeat, and does, is drawn again.
    """
    first = members[0]
    limited = [each for each in members if each.field.unique or each.field.avoided]
    for each in limited:
        if each.field.unique and each.plan.size is not None and each.plan.size < setting.rows:
            raise _too_few(each, setting, each.plan.size)
    if len(members) == len(limited) == 1 and first.plan.size and first.plan.value_at and not first.field.avoided:
        first.values = list(map(first.plan.value_at, first.chance.sample(first.plan.size, setting.rows)))
        return
    chance, draw = _chance(setting, name), _draw_of(name, members, setting)
    redraws = setting.rows * _REDRAWS_PER_ROW + _MIN_REDRAWS
    for row in range(setting.rows):
        attempts = 0
        while repeated := _draw_row(members, limited, draw(chance, attempts), row):
            attempts, redraws = attempts + 1, redraws - 1
            if redraws < 0:
                raise _too_few(repeated, setting)


def _draw_row(members: list[_Drawn], limited: list[_Drawn], entity: Any, row: int) -> _Drawn | None:
    """Add the values of a row, or return the field whose value repeats one."""
    values = [each.plan.value(entity, each.chance, row) for each in members]
    for each, value in zip(members, values, strict=True):
        if value in each.seen or value in each.field.avoided:
            return each
    for each, value in zip(members, values, strict=True):
        each.values.append(value)
    for each in limited:
        if each.field.unique:
            each.seen.add(each.values[-1])
    return None


def _too_few(each: _Drawn, setting: Setting, size: int | None = None) -> InvalidInput:
    found = len(each.seen) if size is None else size
    message = f"cannot give {setting.rows} different values ({found} exist)."
    if not each.field.unique:
        message = "cannot make values that the table of like does not have."
    return invalid([{"field": f"fields.{each.field.name}", "message": message}])


def _draw_of(name: str, members: list[_Drawn], setting: Setting) -> Draw:
    """Return the function that draws what a group's values come from."""
    entity = name.partition("/")[0]
    if entity == "person":
        return People(setting.locale).draw
    if entity == "place":
        needs_street = any(each.field.kind in ("address", "street") for each in members)
        return Places(setting.locale, f"{setting.seed}/{name}", needs_street=needs_street).draw
    if entity == "product":
        return Products(setting.language).draw
    if entity == "country":
        countries = countries_of(setting.language, setting.country if setting.kinds & ADDRESS_KINDS else "")
        return lambda chance, _attempt: chance.pick(countries)
    return lambda _chance, _attempt: None


def _add_nulls(each: _Drawn, setting: Setting) -> None:
    if each.field.null_pct:
        chance, share = _chance(setting, "null", each.field.name), each.field.null_pct / 100
        each.values = [None if chance.random() < share else value for value in each.values]


def _formulas(drawn: dict[str, _Drawn], setting: Setting) -> dict[str, ColumnType]:
    """Evaluate the formulas, and return the types of their columns."""
    types: dict[str, ColumnType] = {}
    earlier: dict[str, Field] = {}
    for name, each in drawn.items():
        if each.field.kind == "formula":
            text = each.field.options["formula"]
            compiled, is_whole = kinds.compile_formula(text, numbers_of(earlier))
            names = kinds.names_of(text)
            columns = [drawn[other].values for other in names]
            rows = zip(*columns, strict=True) if columns else ((),) * len(each.values)
            each.values = [kinds.evaluate(compiled, dict(zip(names, row, strict=True))) for row in rows]
            _add_nulls(each, setting)
            types[name] = "integer" if is_whole else "number"
        earlier[name] = each.field
    return types


def _warnings(fields: Sequence[Field], setting: Setting) -> list[str]:
    """Return which fields are in English because there is no list in the language."""
    warnings = []
    for each in fields:
        needed = KINDS[each.kind].entity or each.kind
        lacks = each.kind in ("product", "category") and setting.language not in LANGUAGES
        if lacks or (needed in ("person", "job", "company") and people.lacks(needed, setting.locale)):
            warnings.append(f"{each.name}: there is no list for {setting.locale}, so the values are English.")
    return warnings


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
    printable = ["".join(filter(str.isprintable, name))[:MAX_NAME_LENGTH] for name in table.names]
    names = distinct_names(printable, str)
    return [_field(name, column, warnings) for name, column in zip(names, table.columns, strict=True)], warnings


def _field(name: str, column: Column, warnings: list[str]) -> Field:
    present = [value for value in column.values if value is not None]
    null_pct = 100 * (len(column.values) - len(present)) / len(column.values)
    if not present:
        return Field(name, "text", {}, 100)
    if describe := _DESCRIBERS.get(column.type):
        kind, options = describe(present)
        return Field(name, kind, options, null_pct, unique=kind == "id")
    return _text(name, [str(value) for value in present], null_pct, warnings)


def _integers(values: list[int]) -> tuple[str, dict[str, Any]]:
    low, high = min(values), max(values)
    steps = {after - before for before, after in pairwise(values)}
    if not -MAX_INTEGER <= low <= high <= MAX_INTEGER:
        return "integer", {}
    if len(values) > 1 and len(steps) == 1 and 0 not in steps:
        return "id", {"start": values[0], "step": steps.pop()}
    if len(set(values)) <= MAX_CATEGORIES and len(values) > 2 * len(set(values)):
        return "choice", _shares(values)
    spread = _spread(values) if max(-low, high) <= MAX_NUMBER else {}  # that of larger ones is not exact in floats
    return "integer", {"min": low, "max": high, **spread}


def _numbers(values: list[Any]) -> tuple[str, dict[str, Any]]:
    decimals = min(max(len(repr(float(value)).partition(".")[2].rstrip("0")) for value in values), _MAX_DECIMALS)
    numbers = [min(max(float(value), -MAX_NUMBER), MAX_NUMBER) for value in values]
    return "number", {"min": min(numbers), "max": max(numbers), "decimals": decimals, **_spread(numbers)}


def _spread(values: list[Any]) -> dict[str, float]:
    """Return mean and deviation, for a column with values enough to have them."""
    if len(values) < 10:
        return {}
    return {"mean": statistics.fmean(values), "std": statistics.pstdev([float(value) for value in values])}


def _datetimes(values: list[str]) -> tuple[str, dict[str, Any]]:
    moments = sorted(dt.datetime.fromisoformat(value).replace(microsecond=0) for value in values if "T" in value)
    has_zone = any(moment.tzinfo for moment in moments)
    if has_zone:
        moments = sorted(moment.astimezone(dt.UTC).replace(tzinfo=None) for moment in moments)
    zone = {"time_zone": "UTC"} if has_zone else {}
    return "datetime", {"from": moments[0].isoformat(), "to": moments[-1].isoformat(), **zone}


def _times(values: list[str]) -> tuple[str, dict[str, Any]]:
    clocks = sorted(dt.time.fromisoformat(value).replace(microsecond=0, tzinfo=None) for value in values)
    return "time", {"from": clocks[0].isoformat(), "to": clocks[-1].isoformat()}


_DESCRIBERS: Mapping[str, Callable[[list[Any]], tuple[str, dict[str, Any]]]] = {
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda values: ("boolean", {"pct": 100 * sum(values) / len(values)}),
    "date": lambda values: ("date", {"from": min(values), "to": max(values)}),
    "datetime": _datetimes,
    "time": _times,
}


def _shares(values: list[Any]) -> dict[str, Any]:
    counts = Counter(values)
    found = sorted(counts)
    return {"values": found, "weights": [counts[value] for value in found]}


def _text(name: str, values: list[str], null_pct: float, warnings: list[str]) -> Field:
    different = frozenset(values)
    is_unique = len(different) == len(values) > MAX_CATEGORIES
    plain = " ".join(re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").lower().split())
    by_value = (kind for kind, form in _BY_VALUE.items() if all(re.fullmatch(form, each.lower()) for each in different))
    by_name = (kind for kind, pattern in _BY_NAME.items() if re.fullmatch(pattern, plain))
    kind = next(by_value, None) or next(by_name, None)
    is_short = all(len(value) <= MAX_CHOICE_LENGTH for value in different)
    if kind not in _PERSONAL and len(different) <= MAX_CATEGORIES and is_short:
        warnings.append(f"{name}: the {len(different)} values of this column are copied as categories.")
        return Field(name, "choice", _shares(values), null_pct)
    if kind:
        may_repeat = kind in ("first_name", "last_name", "name", "city", "country", "job", "company", "street")
        # Names of places and jobs are the same everywhere: they say nothing about the table.
        return Field(name, kind, {}, null_pct, is_unique and not may_repeat, frozenset() if may_repeat else different)
    if pattern := _shape(values):
        return Field(name, "code", {"pattern": pattern}, null_pct, is_unique, different)
    words = round(statistics.fmean(len(value.split()) for value in values))
    return Field(name, "text", {"words": min(max(words, 1), _MAX_WORDS)}, null_pct, avoided=different)


def _shape(values: list[str]) -> str | None:
    """Return the pattern of values of one shape, such as `INV-####`.

    Letters at the start that all values share are kept, and so are the signs between letters and digits.
    """
    if len(values[0]) > _MAX_SHAPE_LENGTH or len({len(value) for value in values}) > 1:
        return None
    masks = {re.sub("[A-Z]", "?", re.sub("[0-9]", "#", value)) for value in values}
    mask = masks.pop()
    has_other_letters = any(sign.isalnum() for sign in mask)
    has_signs = any(sign in "#?*" for value in values for sign in value)
    if masks or has_other_letters or has_signs or not any(sign in "#?" for sign in mask):
        return None
    kept = 0
    while kept < len(mask) and mask[kept] in "?-_/" and len({value[kept] for value in values}) == 1:
        kept += 1
    return values[0][:kept] + mask[kept:]
