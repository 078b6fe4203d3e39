"""Numbers in the HTML of templates, such as `page - 240 - 220*has(logo)`."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

MAX_EXPRESSION_LENGTH = 600
MAX_NUMBER = 100_000

FUNCTIONS = ("has", "count", "height", "text_width")
"""Functions of the texts of a page. Their arguments are names of keys; `text_width` also takes a size and a weight."""
VARIABLES = ("page", "page_height")

_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
LIMITS: Mapping[str, Callable[..., float]] = {"min": min, "max": max}


class Numbers(Protocol):
    """The values of the names and functions in an expression."""

    def variable(self, name: str) -> float:
        """Return the value of a name."""
        ...

    def call(self, function: str, keys: list[str], numbers: list[float]) -> float:
        """Return the value of a function of texts."""
        ...


@dataclass(frozen=True)
class Expression:
    """A parsed expression. Only arithmetic, comparisons and the functions of this module are allowed."""

    tree: ast.expr

    @classmethod
    def parse(cls, source: str) -> "Expression":
        """Parse an expression.

        Raises:
            ValueError: It is too long or not an expression of numbers.
        """
        source = " ".join(source.split())
        if len(source) > MAX_EXPRESSION_LENGTH:
            raise ValueError(f"an expression must have at most {MAX_EXPRESSION_LENGTH} characters, got {len(source)}.")
        try:
            tree = ast.parse(source, mode="eval").body
            _check(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ValueError(f'"{source}" is not an expression of numbers.') from None
        return cls(tree)

    def evaluate(self, numbers: Numbers) -> float:
        """Return the number, within limits that keep layouts finite."""
        return max(-MAX_NUMBER, min(MAX_NUMBER, float(_evaluate(self.tree, numbers))))

    def variables(self) -> set[str]:
        """Return the names of numbers, without those of keys."""
        return set(_variables(self.tree))

    def keys(self) -> set[str]:
        """Return the names of keys, such as `title` and `items.qty`."""
        calls = (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))
        return {key for call in calls for key in _keys(call)}


def _check(node: ast.expr) -> None:
    """Raise `SyntaxError` for a node that is not allowed."""
    allowed: dict[type[ast.expr], Callable[[Any], bool]] = {
        ast.Constant: lambda node: type(node.value) in (int, float),
        ast.Name: lambda _: True,
        ast.BinOp: lambda node: type(node.op) in _OPERATORS,
        ast.UnaryOp: lambda node: type(node.op) in _OPERATORS,
        ast.Compare: lambda node: all(type(op) in _OPERATORS for op in node.ops),
        ast.BoolOp: lambda _: True,
        ast.IfExp: lambda _: True,
        ast.Call: _is_known_call,
    }
    if not allowed.get(type(node), lambda _: False)(node):
        raise SyntaxError
    for part in _operands(node):
        _check(part)


def _is_known_call(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    minimum = {"text_width": 2, "min": 2, "max": 2}.get(name, 1)
    if (name not in LIMITS and name not in FUNCTIONS) or len(call.args) < minimum or call.keywords:
        return False
    return all(map(_is_key, _key_arguments(call)))


def _operands(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a node that are numbers. Arguments that are names of keys are not."""
    if isinstance(node, ast.Call):
        return node.args if _function(node) in LIMITS else _number_arguments(node)
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _function(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Name)  # noqa: S101  # checked when parsed
    return call.func.id


def _key_arguments(call: ast.Call) -> list[ast.expr]:
    if _function(call) in LIMITS:
        return []
    return call.args[:1] if _function(call) == "text_width" else call.args


def _number_arguments(call: ast.Call) -> list[ast.expr]:
    return call.args[1:] if _function(call) == "text_width" else []


def _is_key(node: ast.expr) -> bool:
    """Return whether a node is the name of a key, or of a column such as `items.qty`."""
    return isinstance(node.value if isinstance(node, ast.Attribute) else node, ast.Name)


def _keys(call: ast.Call) -> list[str]:
    return [ast.unparse(key) for key in _key_arguments(call)]


def _variables(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    for part in _operands(node):
        yield from _variables(part)


def _evaluate(node: ast.expr, numbers: Numbers) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return numbers.variable(node.id)
        case ast.Call():
            return _call(node, numbers)
        case ast.IfExp():
            return _evaluate(node.body if _evaluate(node.test, numbers) else node.orelse, numbers)
        case ast.BoolOp() | ast.Compare():
            return _logic(node, numbers)
        case _:
            return _arithmetic(node, numbers)


def _arithmetic(node: ast.expr, numbers: Numbers) -> Any:
    """Return a sum, product and so on. A division by zero is zero."""
    operands = [_evaluate(operand, numbers) for operand in _operands(node)]
    try:
        return _OPERATORS[type(node.op)](*operands)  # type: ignore[attr-defined]  # BinOp or UnaryOp
    except ZeroDivisionError:
        return 0


def _logic(node: ast.BoolOp | ast.Compare, numbers: Numbers) -> bool:
    if isinstance(node, ast.BoolOp):
        truths = (bool(_evaluate(value, numbers)) for value in node.values)
        return all(truths) if isinstance(node.op, ast.And) else any(truths)
    values = [_evaluate(value, numbers) for value in (node.left, *node.comparators)]
    pairs = zip(node.ops, values, values[1:], strict=False)
    return all(_OPERATORS[type(op)](left, right) for op, left, right in pairs)


def _call(call: ast.Call, numbers: Numbers) -> float:
    values = [_evaluate(argument, numbers) for argument in _operands(call)]
    limit = LIMITS.get(_function(call))
    return limit(values) if limit else numbers.call(_function(call), _keys(call), values)
