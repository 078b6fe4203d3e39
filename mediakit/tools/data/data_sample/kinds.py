"""The kinds of columns, ready lists of fields, and formulas over other columns."""

import ast
import json
import math
from collections.abc import Callable, Mapping
from importlib.resources import files
from operator import add, itemgetter, mul, sub, truediv
from typing import Any, Literal

from mediakit.core.messages import nearest, quote
from mediakit.engines.tables.model import ColumnType
from mediakit.tools.data.data_sample import plan
from mediakit.tools.data.data_sample.plan import Kind, Options, Plan, Setting
from mediakit.tools.data.data_sample.values import codes, numbers, people, places

MAX_NODES = 100
MAX_RESULT = 1e15
_MAX_DIGITS = 15
_RULE = (
    "must be a formula such as round(price * quantity, 2): names of earlier fields, numbers, + - * /, brackets, round"
)

Row = Mapping[str, Any]
Evaluate = Callable[[Row], float]


def names_of(formula: str) -> set[str]:
    """Return the names in a formula.

    Raises:
        ValueError: It is not a formula.
    """
    return {node.id for node in ast.walk(_parse(formula)) if isinstance(node, ast.Name)} - {"round"}


def compile_formula(formula: str, numbers: Mapping[str, bool]) -> tuple[Evaluate, bool]:
    """Return a function that evaluates a formula, and whether its results are integers, as some of the numbers are.

    Raises:
        ValueError: It is not a formula, or has an unknown name.
    """
    return _compile(_parse(formula), numbers)


def evaluate(compiled: Evaluate, row: Row) -> float | None:
    """Return the result for a row; None where a value is null or the result is not a number."""
    try:
        result = compiled(row)
    except (TypeError, ValueError, ArithmeticError):
        return None
    if not math.isfinite(result) or abs(result) > MAX_RESULT:
        return None
    return result if isinstance(result, int) else _clean(result)


def _clean(result: float) -> float:
    """Return a number without the noise of binary fractions: 59.97 for 59.969999999999995."""
    return float(f"{result:.{_MAX_DIGITS - 1}g}")


def _parse(formula: str) -> ast.expr:
    try:
        tree = ast.parse(formula.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{_RULE}, got {quote(formula)}.") from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise ValueError(f"is too long; at most {MAX_NODES} names, numbers and operators are allowed.")
    return tree.body


def _compile(node: ast.expr, numbers: Mapping[str, bool]) -> tuple[Evaluate, bool]:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) <= MAX_RESULT:
            return (lambda _row: value), isinstance(value, int)
        case ast.Name(id=name):
            if name not in numbers:
                hint = nearest(name, list(numbers)) if numbers else "there is none before it."
                raise ValueError(f"{quote(name)} is not an earlier field with numbers; {hint}")
            return itemgetter(name), numbers[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            inner, is_whole = _compile(operand, numbers)
            return (lambda row: -inner(row)) if isinstance(sign, ast.USub) else inner, is_whole
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            calculate = _OPERATORS[type(operator)]
            (first, first_is_whole), (second, second_is_whole) = _compile(left, numbers), _compile(right, numbers)
            is_whole = first_is_whole and second_is_whole and calculate is not truediv
            return (lambda row: calculate(first(row), second(row))), is_whole
        case ast.Call(func=ast.Name(id="round"), args=[rounded], keywords=[]):
            inner, _ = _compile(rounded, numbers)
            return (lambda row: round(_clean(inner(row)))), True
        case ast.Call(func=ast.Name(id="round"), args=[rounded, ast.Constant(value=int() as digits)], keywords=[]) if (
            0 <= digits <= _MAX_DIGITS
        ):
            inner, is_whole = _compile(rounded, numbers)
            return (lambda row: round(_clean(inner(row)), digits)), is_whole
        case ast.Call(func=ast.Name(id="round"), keywords=[]):
            raise ValueError("round takes a number, and how many decimals it keeps: round(price * quantity, 2).")
    raise ValueError(f"{_RULE}.")


_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}


KINDS_VERSION = "3"
"""Changes with the values that kinds make for a seed."""

_AMOUNT = {"min": plan.number(), "max": plan.number()}
_WORD_LENGTH = 7
"""Characters of a word with its space, on average."""


def _phone(_options: Options, setting: Setting) -> Plan:
    country = setting.country
    return Plan(lambda place, chance, _row: people.make_phone(chance, country, place["area_code"]))


def _sku(_options: Options, setting: Setting) -> Plan:
    if setting.kinds & {"product", "category"}:
        return Plan(lambda product, _chance, _row: product["sku"])
    return codes.plan_code({"pattern": "???-####"}, setting)


def _choice_type(given: Options) -> ColumnType:
    first = given["values"][0]
    if isinstance(first, bool):
        return "boolean"
    if isinstance(first, str):
        return "text"
    return "integer" if all(isinstance(value, int) for value in given["values"]) else "number"


def _longest_pattern(given: Options) -> int:
    return len(given.get("pattern", codes.DEFAULT))


_PATTERN = {"pattern": plan.text(plan.MAX_PATTERN_LENGTH)}
KINDS: Mapping[str, Kind] = {
    "id": Kind("integer", numbers.plan_id, {"start": plan.integer(), "step": plan.step}),
    "uuid": Kind("text", codes.plan_uuid),
    "first_name": Kind("text", entity="person"),
    "last_name": Kind("text", entity="person"),
    "name": Kind("text", entity="person"),
    "gender": Kind("text", entity="person"),
    "age": Kind(
        "integer",
        numbers.plan_age,
        {"min": plan.integer(0, 150), "max": plan.integer(0, 150)},
        check=numbers.check_range,
    ),
    "email": Kind("text", entity="person"),
    "phone": Kind("text", _phone, entity="place"),
    "company": Kind("text", places.plan_company),
    "job": Kind("text", places.plan_job, longest=lambda _given: 60),
    "address": Kind("text", entity="place", longest=lambda _given: 60),
    "street": Kind("text", entity="place"),
    "city": Kind("text", entity="place"),
    "postcode": Kind("text", entity="place"),
    "country": Kind("text", entity="country"),
    "country_code": Kind("text", entity="country"),
    "latitude": Kind("number", entity="place"),
    "longitude": Kind("number", entity="place"),
    "date": Kind(
        "date",
        numbers.plan_date,
        {"from": plan.day, "to": plan.day, "step": plan.integer(1, 366)},
        check=numbers.check_steps,
    ),
    "datetime": Kind(
        "datetime",
        numbers.plan_datetime,
        {
            "from": plan.moment,
            "to": plan.moment,
            "time_zone": plan.zone,
            "step": plan.integer(1, plan.MAX_STEP_SECONDS),
        },
        check=numbers.check_steps,
    ),
    "time": Kind("time", numbers.plan_time, {"from": plan.clock, "to": plan.clock}, check=numbers.check_clock),
    "integer": Kind(
        "integer",
        numbers.plan_integer,
        {"min": plan.integer(), "max": plan.integer(), "mean": plan.number(), "std": plan.number(0)},
        check=numbers.check_range,
    ),
    "number": Kind(
        "number",
        numbers.plan_number,
        {**_AMOUNT, "decimals": plan.integer(0, 10), "mean": plan.number(), "std": plan.number(0)},
        check=numbers.check_range,
    ),
    "boolean": Kind("boolean", numbers.plan_boolean, {"pct": plan.number(0, 100)}),
    "choice": Kind(
        _choice_type,
        places.plan_choice,
        {"values": plan.choices, "weights": plan.weights},
        check=places.check_choice,
        longest=lambda given: max(len(str(value)) for value in given["values"]),
    ),
    "text": Kind(
        "text",
        places.plan_text,
        {"words": plan.integer(1, plan.MAX_WORDS)},
        longest=lambda given: _WORD_LENGTH * given.get("words", places.DEFAULT_WORDS),
    ),
    "sentence": Kind("text", places.plan_sentence, longest=lambda _given: _WORD_LENGTH * places.MAX_SENTENCE_WORDS),
    "paragraph": Kind(
        "text",
        places.plan_paragraph,
        longest=lambda _given: _WORD_LENGTH * places.MAX_SENTENCE_WORDS * places.MAX_SENTENCES,
    ),
    "url": Kind("text", codes.plan_url),
    "ipv4": Kind("text", codes.plan_ipv4),
    "color": Kind("text", codes.plan_color),
    "currency": Kind("text", places.plan_currency),
    "price": Kind("number", numbers.plan_price, {**_AMOUNT, "decimals": plan.integer(0, 10)}, entity="product"),
    "iban": Kind("text", codes.plan_iban, {"country": plan.one_of(codes.COUNTRIES)}),
    "tax_id": Kind("text", codes.plan_tax_id, {"country": plan.one_of(codes.TAX_ID_COUNTRIES)}),
    "sku": Kind("text", _sku, entity="product"),
    "ean13": Kind("text", codes.plan_ean13),
    "product": Kind("text", entity="product"),
    "category": Kind("text", entity="product"),
    "percent": Kind("number", numbers.plan_percent, {**_AMOUNT, "decimals": plan.integer(0, 10)}),
    "sequence": Kind("text", codes.plan_sequence, {**_PATTERN, "start": plan.integer(0)}, longest=_longest_pattern),
    "code": Kind("text", codes.plan_code, _PATTERN, longest=_longest_pattern),
    # Evaluated once the other fields of the table are there.
    "formula": Kind(
        "number",
        lambda _options, _setting: Plan(lambda _entity, _chance, _row: None),
        {"formula": plan.text(plan.MAX_FORMULA_LENGTH)},
    ),
}
"""The kinds by name."""

ADDRESS_KINDS = frozenset(("address", "street", "city", "postcode", "latitude", "longitude", "phone"))
"""Kinds that are in the country of the language, so that `country` is this one beside them."""


Template = Literal["people", "orders", "products", "sensors", "surveys"]


def template_fields(template: Template, language: str) -> dict[str, Any]:
    """Return the fields of a template, with its texts in a language, or in English."""
    fields: dict[str, Any] = json.loads(files(__package__).joinpath("templates.json").read_text("utf-8"))[template]
    for field in fields.values():
        if isinstance(field, dict) and isinstance(texts := field.get("values"), dict):
            field["values"] = texts.get(language, texts["en"])
    return fields
