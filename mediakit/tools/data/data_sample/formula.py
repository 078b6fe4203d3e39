"""Formulas of earlier fields: an evaluator that knows numbers, names, brackets, + - * / and round, and nothing else."""

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any

from mediakit.core.messages import nearest, quote
from mediakit.tools.data.data_sample.plan import Options, Plan, Setting

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
    """Return a function that evaluates a formula, and whether its results are integers.

    Args:
        formula: The formula.
        numbers: The names of the earlier fields that are numbers, with whether they are integers.

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


def plan_formula(_options: Options, _setting: Setting) -> Plan:
    """Plan nulls: formulas are evaluated once the other fields of the table are there."""
    return Plan(lambda _entity, _chance, _row: None)


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
                raise ValueError(f"{quote(name)} is not an earlier field with numbers; {_hint(name, numbers)}")
            return (lambda row: row[name]), numbers[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner, whole = _compile(operand, numbers)
            return (lambda row: -inner(row)), whole
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _compile(operand, numbers)
        case ast.BinOp(left=left, op=operator, right=right):
            return _binary(_compile(left, numbers), operator, _compile(right, numbers))
        case ast.Call(func=ast.Name(id="round"), args=arguments, keywords=[]):
            return _rounding(arguments, numbers)
    raise ValueError(f"{_RULE}.")


def _hint(name: str, numbers: Mapping[str, bool]) -> str:
    return nearest(name, list(numbers)) if numbers else "there is none before it."


def _binary(left: tuple[Evaluate, bool], operator: ast.operator, right: tuple[Evaluate, bool]) -> tuple[Evaluate, bool]:
    (first, first_is_whole), (second, second_is_whole) = left, right
    are_whole = first_is_whole and second_is_whole
    match operator:
        case ast.Add():
            return (lambda row: first(row) + second(row)), are_whole
        case ast.Sub():
            return (lambda row: first(row) - second(row)), are_whole
        case ast.Mult():
            return (lambda row: first(row) * second(row)), are_whole
        case ast.Div():
            return (lambda row: first(row) / second(row)), False
    raise ValueError(f"{_RULE}.")


def _rounding(arguments: list[ast.expr], numbers: Mapping[str, bool]) -> tuple[Evaluate, bool]:
    match arguments:
        case [value]:
            inner, _ = _compile(value, numbers)
            return (lambda row: round(_clean(inner(row)))), True
        case [value, ast.Constant(value=int() as digits)] if 0 <= digits <= _MAX_DIGITS:
            inner, is_whole = _compile(value, numbers)
            return (lambda row: round(_clean(inner(row)), digits)), is_whole
    raise ValueError("round takes a number, and how many decimals it keeps: round(price * quantity, 2).")
