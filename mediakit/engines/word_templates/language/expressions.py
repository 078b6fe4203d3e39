"""Expressions: values by their path, filters, comparisons, `and`, `or` and `not`."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Literal:
    """A text, a number, true, false or null."""

    value: str | float | bool | None


@dataclass(frozen=True)
class Path:
    """A value of the data, such as `client.address` or `rows.0.price`."""

    names: tuple[str, ...]
    """Keys and indexes, as they are written."""


@dataclass(frozen=True)
class Filter:
    """The name of a filter and its arguments."""

    name: str
    arguments: tuple[str | float | bool | None, ...] = ()


@dataclass(frozen=True)
class Filtered:
    """A value that passes through filters."""

    operand: "Expression"
    filters: tuple[Filter, ...]


@dataclass(frozen=True)
class Comparison:
    """Two values and the operator between them."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class Not:
    """The opposite of a condition."""

    operand: "Expression"


@dataclass(frozen=True)
class All:
    """Conditions of which each must be true."""

    operands: tuple["Expression", ...]


@dataclass(frozen=True)
class Any:
    """Conditions of which one must be true."""

    operands: tuple["Expression", ...]


Expression = Literal | Path | Filtered | Comparison | Not | All | Any


def paths(expression: Expression) -> Iterator[Path]:
    """Yield the paths in an expression, in the order of the text."""
    match expression:
        case Path():
            yield expression
        case Filtered(operand) | Not(operand):
            yield from paths(operand)
        case Comparison(_, left, right):
            yield from paths(left)
            yield from paths(right)
        case All(operands) | Any(operands):
            for operand in operands:
                yield from paths(operand)
