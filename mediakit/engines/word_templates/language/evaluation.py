"""Evaluates expressions."""

from collections.abc import Callable
from typing import Any

from mediakit.engines.word_templates.language import expressions as e
from mediakit.engines.word_templates.language.filters import FILTERS, to_decimal
from mediakit.engines.word_templates.language.problems import ValueProblem
from mediakit.engines.word_templates.language.scope import Bound, Missing, Scope

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
}


class Evaluation:
    """Evaluates the expressions of one tag in a scope."""

    def __init__(self, scope: Scope, on_missing: Callable[[Missing], None]) -> None:
        self._scope = scope
        self._on_missing = on_missing

    def value(self, expression: e.Expression) -> Bound | Missing:
        """Return the value of an expression, or that the data does not have it.

        Raises:
            ValueProblem: A filter or a comparison does not take it.
        """
        match expression:
            case e.Literal(value):
                return Bound(value, "")
            case e.Path():
                return self._scope.find(expression)
            case e.Filtered(operand, filters):
                return self._filtered(self.value(operand), filters)
        return Bound(self.is_true(expression), "")

    def is_true(self, expression: e.Expression) -> bool:
        """Return whether a condition holds; a missing value is reported, and counts as false.

        Raises:
            ValueProblem: Values cannot be compared.
        """
        match expression:
            case e.Not(operand):
                return not self.is_true(operand)
            case e.All(operands):
                return all(map(self.is_true, operands))
            case e.Any(operands):
                return any(map(self.is_true, operands))
            case e.Comparison(operator, left, right):
                return self._compared(operator, self._known(left), self._known(right))
        return bool(self._known(expression))

    def _known(self, expression: e.Expression) -> Any:
        found = self.value(expression)
        if isinstance(found, Missing):
            self._on_missing(found)
            return None
        return found.value

    def _filtered(self, found: Bound | Missing, filters: tuple[e.Filter, ...]) -> Bound | Missing:
        for each in filters:
            if isinstance(found, Missing):
                if each.name == "default":
                    found = Bound(each.arguments[0], found.path)
                continue
            try:
                found = Bound(FILTERS[each.name].apply(found.value, *each.arguments), found.path)
            except ValueProblem as problem:
                raise ValueProblem(f"{found.path or 'the value'} {problem.reason}") from None
        return found

    def _compared(self, operator: str, left: Any, right: Any) -> bool:
        numbers = to_decimal(left), to_decimal(right)
        if None not in numbers and not (isinstance(left, str) and isinstance(right, str)):
            left, right = numbers
        if operator in ("==", "!="):
            return _are_equal(left, right) == (operator == "==")
        if left is None or right is None:
            return False
        try:
            return _ORDERS[operator](left, right)
        except TypeError:
            raise ValueProblem(f'a text and a number cannot be compared with "{operator}"') from None


def _are_equal(left: Any, right: Any) -> bool:
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    return bool(left == right)
