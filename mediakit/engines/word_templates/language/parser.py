"""Parses expressions such as `client.name | upper` and `paid and not due == "today"`."""

import re

from mediakit.engines.word_templates.language.expressions import (
    All,
    Any,
    Comparison,
    Expression,
    Filter,
    Filtered,
    Literal,
    Not,
    Path,
)
from mediakit.engines.word_templates.language.filters import FILTERS
from mediakit.engines.word_templates.language.problems import LanguageError

MAX_NESTING = 20
"""Parentheses and `not` inside each other."""

_NAME = r"[^\W\d]\w*(?:-\w+)*"
_MEMBER = r"""\s*\.\s*\w+(?:-\w+)*|\s*\[\s*(?:\d+|"[^"]*"|'[^']*')\s*\]"""
_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>-?\d+(?:\.\d+)?)
    |(?P<path>{_NAME}(?:{_MEMBER})*)
    |(?P<operator>==|!=|<=|>=|[<>|(),])
    )""",
    re.VERBOSE,
)
_MEMBERS = re.compile(rf"""{_NAME}|\.\s*(?P<name>\w+(?:-\w+)*)|\[\s*(?:(?P<index>\d+)|"(?P<a>[^"]*)"|'(?P<b>[^']*)')""")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

_CONSTANTS = {"true": True, "false": False, "none": None, "null": None}
_KEYWORDS = frozenset(("and", "or", "not", "in", "is", "if", "else"))
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))

Token = tuple[str, str]


def parse_expression(text: str) -> Expression:
    """Return the expression that a text spells.

    Raises:
        LanguageError: It is none; the message says why.
    """
    parser = _Parser(_tokens(text))
    expression = parser.any_of()
    parser.expect_end()
    return expression


def _tokens(text: str) -> list[Token]:
    found, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if not match:
            raise LanguageError(f'"{text[position:].strip()[:20]}" is not understood')
        found.append((match.lastgroup or "", match[match.lastgroup or 0]))
        position = match.end()
    return found


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._nesting = 0

    def any_of(self) -> Expression:
        operands = [self._all_of()]
        while self._accept("or"):
            operands.append(self._all_of())
        return operands[0] if len(operands) == 1 else Any(tuple(operands))

    def expect_end(self) -> None:
        if self._next < len(self._tokens):
            raise LanguageError(self._unexpected(self._tokens[self._next][1]))

    def _all_of(self) -> Expression:
        operands = [self._negated()]
        while self._accept("and"):
            operands.append(self._negated())
        return operands[0] if len(operands) == 1 else All(tuple(operands))

    def _negated(self) -> Expression:
        if not self._accept("not"):
            return self._comparison()
        self._nest()
        operand = Not(self._negated())
        self._nesting -= 1
        return operand

    def _comparison(self) -> Expression:
        left = self._filtered()
        operator = self._peek()
        if operator[0] != "operator" or operator[1] not in _COMPARISONS:
            return left
        self._next += 1
        return Comparison(operator[1], left, self._filtered())

    def _filtered(self) -> Expression:
        operand, filters = self._operand(), []
        while self._accept("|"):
            filters.append(self._filter())
        return Filtered(operand, tuple(filters)) if filters else operand

    def _filter(self) -> Filter:
        kind, name = self._take()
        if kind != "path" or name not in FILTERS:
            raise LanguageError(f'unknown filter "{name}"', is_filter=True)
        arguments: list[str | float | bool | None] = []
        if self._accept("("):
            while not self._accept(")"):
                arguments.append(self._argument())
                if self._peek()[1] != ")" and not self._accept(","):
                    raise LanguageError('a ")" is missing')
        least, most = FILTERS[name].arguments
        if not least <= len(arguments) <= most:
            raise LanguageError(f"the filter {name} takes {_count(least, most)}, got {len(arguments)}")
        return Filter(name, tuple(arguments))

    def _argument(self) -> str | float | bool | None:
        operand = self._operand()
        if not isinstance(operand, Literal):
            raise LanguageError("filters take texts in quotes and numbers only")
        return operand.value

    def _operand(self) -> Expression:
        kind, text = self._take()
        if kind == "text":
            return Literal(_ESCAPE.sub(r"\1", text[1:-1]))
        if kind == "number":
            return Literal(float(text) if "." in text else int(text))
        if text == "(":
            return self._group()
        if kind != "path" or text in _KEYWORDS:
            raise LanguageError(self._unexpected(text))
        if text.lower() in _CONSTANTS:
            return Literal(_CONSTANTS[text.lower()])
        if self._peek()[1] == "(":
            raise LanguageError(f"{text}() is a call, and templates have none")
        return Path(path_names(text))

    def _group(self) -> Expression:
        self._nest()
        inner = self.any_of()
        self._nesting -= 1
        if not self._accept(")"):
            raise LanguageError('a ")" is missing')
        return inner

    def _nest(self) -> None:
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise LanguageError(f"it is nested deeper than {MAX_NESTING} levels")

    def _peek(self) -> Token:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("", "")

    def _take(self) -> Token:
        token = self._peek()
        if token == ("", ""):
            raise LanguageError("it is not complete")
        self._next += 1
        return token

    def _accept(self, text: str) -> bool:
        kind, found = self._peek()
        if kind == "text" or found != text:
            return False
        self._next += 1
        return True

    def _unexpected(self, text: str) -> str:
        if text in ("in", "is", "if", "else"):
            return f'"{text}" is not part of the language'
        return f'"{text}" is unexpected'


def path_names(text: str) -> tuple[str, ...]:
    """Return the keys and indexes of a path: `rows[0].price` has rows, 0 and price."""
    names = []
    for match in _MEMBERS.finditer(text):
        given = [part for part in match.groups() if part is not None]
        names.append(given[0] if given else match[0])
    return tuple(names)


def _count(least: int, most: int) -> str:
    bounds = str(least) if least == most else f"{least} to {most}"
    return f"{bounds} {'value' if bounds == '1' else 'values'}"
