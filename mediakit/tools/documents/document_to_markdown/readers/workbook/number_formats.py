"""Number formats of Excel (ISO/IEC 29500-1, 18.8.30): which cells are dates, and how percent and currency are shown."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache

_TOKEN = re.compile(r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_.?|\*.?|\[(?P<bracket>[^\]]*)\]?|(?P<plain>.)', re.DOTALL)
_ELAPSED = re.compile(r"(?:h+|m+|s+)", re.IGNORECASE)
_CONDITION = re.compile(r"(<=|>=|<>|=|<|>)(-?[\d.]+)")
_DIGITS = "0#?"

_BUILT_IN = {
    5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00', 9: "0%", 10: "0.00%",
    42: '"$"#,##0', 44: '"$"#,##0.00',
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 45, 47, *range(32, 36), 55, 56), "hh:mm:ss"),
    22: "yyyy-mm-dd hh:mm", 46: "[h]:mm:ss",
}  # fmt: skip
"""Formats that a workbook does not declare, as far as they are dates, percent or currency."""


@dataclass(frozen=True)
class Section:
    """One of the formats between semicolons: for positive numbers, negative ones, zero and texts."""

    letters: str
    """Characters that stand for parts of numbers and dates."""
    pieces: tuple[tuple[bool, str], ...]
    """Characters in order, and whether each of them is literal."""
    has_symbol: bool
    """Whether it has the symbol of a currency."""
    is_elapsed: bool
    """Whether it shows a duration, as `[h]:mm` does."""
    condition: tuple[str, Decimal] | None = None


@dataclass(frozen=True)
class NumberFormat:
    """A parsed format."""

    sections: tuple[Section, ...]

    @property
    def is_elapsed(self) -> bool:
        """Whether numbers are durations in days."""
        return self.sections[0].is_elapsed

    @property
    def is_date(self) -> bool:
        """Whether numbers are dates or times."""
        return self.is_elapsed or any(letter in "dmyhsDMYHS" for letter in self.sections[0].letters)

    def shown(self, number: Decimal) -> str | None:
        """Return a number as Excel shows it, if its format has a percent sign or a currency. Otherwise None."""
        section, number = self._section_of(number)
        if not (section.has_symbol or "%" in section.letters):
            return None
        return _written(section, number)

    def _section_of(self, number: Decimal) -> tuple[Section, Decimal]:
        """Return the section for a number, and the number as it shows it: a section of its own has its own sign."""
        for section in self.sections:
            if section.condition and _holds(section.condition, number):
                return section, number
        count = len(self.sections)
        if number < 0 and count > 1:
            return self.sections[1], -number
        if number == 0 and count > 2:
            return self.sections[2], number
        return self.sections[0], number


def built_in(number: int) -> str:
    """Return the code of a format that a workbook does not declare."""
    return _BUILT_IN.get(number, "General")


@cache
def parse_format(code: str) -> NumberFormat:
    """Return a parsed format."""
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(code[:1000]):
        if token["plain"] == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    return NumberFormat(tuple(map(_section, sections)))


def _section(tokens: list[re.Match[str]]) -> Section:
    pieces = [piece for token in tokens if (piece := _piece(token))]
    brackets = [token["bracket"] for token in tokens if token["bracket"]]
    conditions = [match for bracket in brackets if (match := _CONDITION.fullmatch(bracket))]
    letters = "".join(text for is_literal, text in pieces if not is_literal)
    symbols = "".join(_currency(bracket) for bracket in brackets)
    return Section(
        letters="" if letters.strip().lower() == "general" else letters,
        pieces=tuple(pieces),
        has_symbol=bool(symbols.strip()) or any(_is_currency(text) for _, text in pieces),
        is_elapsed=any(_ELAPSED.fullmatch(bracket) for bracket in brackets),
        condition=(conditions[0][1], _decimal(conditions[0][2])) if conditions else None,
    )


def _piece(token: re.Match[str]) -> tuple[bool, str] | None:
    """Return whether a token is literal, and its text. None for colors, conditions and spaces for alignment."""
    literal = token["quoted"] or token["escaped"] or _currency(token["bracket"] or "")
    if literal:
        return True, literal
    return (False, token["plain"]) if token["plain"] else None


def _currency(bracket: str) -> str:
    """Return the currency of a bracket such as `$€-407`."""
    return bracket[1:].partition("-")[0] if bracket.startswith("$") else ""


def _is_currency(text: str) -> bool:
    return any(unicodedata.category(character) == "Sc" for character in text)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal(0)


def _holds(condition: tuple[str, Decimal], number: Decimal) -> bool:
    operator, limit = condition
    if operator == "<>":
        return number != limit
    return (number < limit and "<" in operator) or (number > limit and ">" in operator) or (
        number == limit and "=" in operator
    )  # fmt: skip


def _written(section: Section, number: Decimal) -> str | None:
    """Return a number as a section shows it. None for fractions, exponents and other rare formats."""
    shown = [(literal, text) for literal, text in section.pieces if literal or text in f"{_DIGITS}.,% -+()/$" or
             unicodedata.category(text) == "Sc"]  # fmt: skip
    if len(shown) < len(section.pieces):
        return None
    places = [index for index, (literal, text) in enumerate(shown) if not literal and text in f"{_DIGITS}.,"]
    if not places:
        return "".join(text for _, text in shown).strip() or None
    first, last = places[0], places[-1]
    pattern = "".join(text for literal, text in shown[first : last + 1] if not literal)
    if len(pattern) != last - first + 1 or "/" in pattern or " " in pattern.strip():
        return None
    before = "".join(text for _, text in shown[:first])
    after = "".join(text for _, text in shown[last + 1 :])
    percents = sum(text == "%" for literal, text in shown if not literal)
    sign = "-" if number < 0 else ""
    return f"{sign}{before.lstrip()}{_digits(pattern, abs(number).scaleb(2 * percents))}{after.rstrip()}"


def _digits(pattern: str, number: Decimal) -> str:
    """Return the digits of a number in a pattern such as `#,##0.00`."""
    whole, _, fraction = pattern.partition(".")
    thousands = len(pattern) - len(pattern.rstrip(","))
    number = number.scaleb(-3 * thousands)
    fraction = fraction.strip(",")
    grouped = "," in whole.rstrip(",")
    written = f"{number.quantize(Decimal(1).scaleb(-len(fraction)), ROUND_HALF_UP):f}"
    integer, _, decimals = written.partition(".")
    integer = integer.lstrip("0").rjust(whole.count("0"), "0")
    if grouped:
        integer = f"{int(integer or 0):,}".rjust(whole.count("0"), "0") if integer else ""
    needed = len(fraction.rstrip("#"))
    while len(decimals) > needed and decimals.endswith("0"):
        decimals = decimals[:-1]
    return f"{integer}.{decimals}" if decimals else integer
