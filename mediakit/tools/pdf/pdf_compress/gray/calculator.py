"""PostScript calculator functions (ISO 32000-2, 7.10.5)."""

import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

_TOKEN = re.compile(rb"[{}]|[^\s{}]+")

MAX_STEPS = 10_000
"""Operators of one evaluation."""

Program = list[Any]
"""Numbers, names of operators, and programs in braces."""

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "idiv": lambda first, second: int(first / second),
    "mod": math.fmod,
    "exp": operator.pow,
    "atan": lambda first, second: math.degrees(math.atan2(first, second)) % 360,
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "and": lambda first, second: int(first) & int(second),
    "or": lambda first, second: int(first) | int(second),
    "xor": lambda first, second: int(first) ^ int(second),
    "bitshift": lambda first, second: int(first) << int(second) if second >= 0 else int(first) >> -int(second),
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "abs": abs,
    "ceiling": math.ceil,
    "floor": math.floor,
    "round": lambda value: math.floor(value + 0.5),
    "truncate": math.trunc,
    "cvi": math.trunc,
    "cvr": float,
    "sqrt": math.sqrt,
    "sin": lambda value: math.sin(math.radians(value)),
    "cos": lambda value: math.cos(math.radians(value)),
    "ln": math.log,
    "log": math.log10,
    "not": lambda value: (not value) if isinstance(value, bool) else ~int(value),
}


def calculator(code: bytes) -> Callable[[Sequence[float]], list[float]]:
    """Return a calculator function.

    Raises:
        ValueError: The braces do not match. Evaluation raises it, or `IndexError`, for other mistakes.
    """
    program = _parse(code)

    def evaluate(values: Sequence[float]) -> list[float]:
        machine = _Machine(list(values))
        machine.run(program)
        return [float(value) for value in machine.stack]

    return evaluate


def _parse(code: bytes) -> Program:
    stack: list[Program] = [[]]
    for token in _TOKEN.findall(code):
        if token == b"{":
            stack.append([])
        elif token == b"}":
            inner = stack.pop()
            if not stack:
                raise ValueError("braces do not match")
            stack[-1].append(inner)
        else:
            stack[-1].append(_value(token))
    if len(stack) != 1 or not stack[0] or not isinstance(stack[0][0], list):
        raise ValueError("braces do not match")
    first: Program = stack[0][0]
    return first


def _value(token: bytes) -> float | str | bool:
    text = token.decode("latin-1")
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text


class _Machine:
    def __init__(self, stack: list[Any]) -> None:
        self.stack = stack
        self._steps = 0

    def run(self, program: Program) -> None:
        for item in program:
            self._steps += 1
            if self._steps > MAX_STEPS:
                raise ValueError("too many operators")
            if isinstance(item, str):
                self._operate(item)
            else:
                self.stack.append(item)

    def _operate(self, name: str) -> None:
        stack = self.stack
        if name in _BINARY:
            second, first = stack.pop(), stack.pop()
            stack.append(_BINARY[name](first, second))
        elif name in _UNARY:
            stack.append(_UNARY[name](stack.pop()))
        elif name in ("if", "ifelse"):
            self._branch(name)
        else:
            self._arrange(name)

    def _branch(self, name: str) -> None:
        otherwise = self.stack.pop() if name == "ifelse" else []
        chosen = self.stack.pop()
        self.run(chosen if self.stack.pop() else otherwise)

    def _arrange(self, name: str) -> None:
        """Run an operator that moves values on the stack."""
        stack = self.stack
        match name:
            case "pop":
                stack.pop()
            case "exch":
                stack[-2:] = stack[-1], stack[-2]
            case "dup":
                stack.append(stack[-1])
            case "copy":
                count = int(stack.pop())
                stack += stack[len(stack) - count :]
            case "index":
                stack.append(stack[-1 - int(stack.pop())])
            case "roll":
                self._roll()
            case _:
                raise ValueError(f"unknown operator {name}")

    def _roll(self) -> None:
        turns, count = int(self.stack.pop()), int(self.stack.pop())
        if count > 0:
            top = self.stack[-count:]
            turns %= count
            self.stack[-count:] = top[count - turns :] + top[: count - turns]
