"""Makes the table: groups of fields that share a person, a place or a product, and fields of their own."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as member
from typing import Any

from mediakit.core.request import invalid
from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_sample import formula
from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.fields import numbers_of
from mediakit.tools.data.data_sample.kinds import ADDRESS_KINDS, KINDS
from mediakit.tools.data.data_sample.plan import Field, Plan, Setting
from mediakit.tools.data.data_sample.values import faker_data
from mediakit.tools.data.data_sample.values.countries import Countries
from mediakit.tools.data.data_sample.values.people import People
from mediakit.tools.data.data_sample.values.places import Places
from mediakit.tools.data.data_sample.values.products import LANGUAGES, Products

MAX_CHARACTERS = 120_000_000
"""Characters of all values together, estimated before they are made."""

MAX_CHARACTERS_OF_FEW_ROWS = 20_000_000
"""The same for as many rows as a server makes."""

_FEW_ROWS = 1000
_REDRAWS_PER_ROW = 30
_MIN_REDRAWS = 3000
_PROVIDERS = {"person": "person", "job": "job", "company": "company"}
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
    _check_size(fields, setting)
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
    _add_nulls([each for each in drawn.values() if each.field.kind != "formula"], setting)
    types = _formulas(drawn, setting)
    columns = [Column(each.name, types.get(each.name, _type(each)), drawn[each.name].values) for each in fields]
    return Table(columns), _warnings(fields, setting)


def _chance(setting: Setting, *parts: object) -> Chance:
    return Chance(setting.seed, setting.locale, *parts)


def _type(each: Field) -> ColumnType:
    return KINDS[each.kind].type_of(each.options)


def _plan(each: Field, setting: Setting) -> Plan:
    try:
        return KINDS[each.kind].plan(each.options, setting)
    except ValueError as error:
        raise _error(each, str(error)) from None


def _error(each: Field, message: str) -> InvalidInput:
    return invalid([{"field": f"fields.{each.name}", "message": message}])


def _check_size(fields: Sequence[Field], setting: Setting) -> None:
    characters = setting.rows * sum(KINDS[each.kind].longest(each.options) for each in fields)
    most = MAX_CHARACTERS_OF_FEW_ROWS if setting.rows <= _FEW_ROWS else MAX_CHARACTERS
    if characters > most:
        message = f"would make over {most:,} characters with these fields; use fewer rows, fields or words."
        raise invalid([{"field": "rows", "message": message}])


def _fill(name: str, members: list[_Drawn], setting: Setting) -> None:
    """Fill the fields of a group: all get their value from one person, place or product per row."""
    first = members[0]
    if len(members) == 1 and first.field.unique and first.plan.value_at and not first.field.avoided:
        _fill_without_repeats(first, setting)
        return
    limited = [each for each in members if each.field.unique or each.field.avoided]
    for each in limited:
        _check_capacity(each, setting)
    if limited:
        _fill_differently(name, members, limited, setting)
        return
    chance, draw = _chance(setting, name), _draw_of(name, members, setting)
    steps = [(each.values.append, each.plan.value, each.chance) for each in members]
    for row in range(setting.rows):
        entity = draw(chance, 0)
        for add, value, own in steps:
            add(value(entity, own, row))


def _fill_differently(name: str, members: list[_Drawn], limited: list[_Drawn], setting: Setting) -> None:
    """Fill the fields of a group whose values must not repeat; a row that repeats one is drawn again."""
    chance, draw = _chance(setting, name), _draw_of(name, members, setting)
    attempts, redraws = 0, setting.rows * _REDRAWS_PER_ROW + _MIN_REDRAWS
    row = 0
    while row < setting.rows:
        entity = draw(chance, attempts)
        values = {id(each): each.plan.value(entity, each.chance, row) for each in members}
        repeated = next((each for each in limited if _is_repeated(each, values[id(each)])), None)
        if repeated is not None:
            attempts, redraws = attempts + 1, redraws - 1
            if redraws < 0:
                raise _too_few(repeated, setting)
            continue
        for each in members:
            each.values.append(values[id(each)])
            if each.field.unique:
                each.seen.add(values[id(each)])
        attempts, row = 0, row + 1


def _is_repeated(each: _Drawn, value: Any) -> bool:
    return value in each.seen or value in each.field.avoided


def _fill_without_repeats(each: _Drawn, setting: Setting) -> None:
    size, value_at = each.plan.size, each.plan.value_at
    _check_capacity(each, setting)
    if size is not None and value_at is not None:
        each.values = [value_at(place) for place in each.chance.sample(size, setting.rows)]


def _check_capacity(each: _Drawn, setting: Setting) -> None:
    if each.field.unique and each.plan.size is not None and each.plan.size < setting.rows:
        raise _too_few(each, setting, each.plan.size)


def _too_few(each: _Drawn, setting: Setting, size: int | None = None) -> InvalidInput:
    if not each.field.unique:
        return _error(each.field, "cannot make values that the table of like does not have.")
    found = len(each.seen) if size is None else size
    return _error(each.field, f"cannot give {setting.rows} different values ({found} exist).")


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
        return Countries(setting.language, setting.country if setting.kinds & ADDRESS_KINDS else "").draw
    return lambda _chance, _attempt: None


def _add_nulls(drawn: Sequence[_Drawn], setting: Setting) -> None:
    for each in drawn:
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
            compiled, is_whole = formula.compile_formula(text, numbers_of(earlier))
            names = formula.names_of(text)
            columns = [drawn[other].values for other in names]
            rows = zip(*columns, strict=True) if columns else ((),) * len(each.values)
            each.values = [formula.evaluate(compiled, dict(zip(names, row, strict=True))) for row in rows]
            _add_nulls([each], setting)
            types[name] = "integer" if is_whole else "number"
        earlier[name] = each.field
    return types


def _warnings(fields: Sequence[Field], setting: Setting) -> list[str]:
    """Return which fields are in English because there is no list in the language."""
    warnings = []
    for each in fields:
        needed = KINDS[each.kind].entity or each.kind
        lacks = (
            faker_data.lacks(_PROVIDERS[needed], setting.locale)
            if needed in _PROVIDERS
            else needed == "product" and each.kind in ("product", "category") and setting.language not in LANGUAGES
        )
        if lacks:
            warnings.append(f"{each.name}: there is no list for {setting.locale}, so the values are English.")
    return warnings
