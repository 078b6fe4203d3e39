"""Number formats of Excel (ISO/IEC 29500-1, 18.8.30 and 18.8.31), and the values of cells as texts.

Dates are in ISO 8601. Percent, currency, and codes such as those of the format `00000` are as Excel shows them: with
the zeros and the signs that the format writes. Other numbers are as stored, without the rounding of their format.
"""

import operator
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import cache
from typing import Literal

Kind = Literal["general", "plain", "percent", "currency", "code", "words", "date", "duration", "text", "other"]

MAX_CODE_CHARACTERS = 1000

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_.?|\*.?|\[(?P<bracket>[^\]]*)\]?|(?P<plain>(?i:general)|.)', re.DOTALL
)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_CONDITION = re.compile(r"(<=|>=|<>|=|<|>)\s*(-?[\d.]+)")
_OPERATORS = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt, "<>": operator.ne,
}  # fmt: skip
_DIGITS = "0#?"
_MISSING_DIGITS = {"0": "0", "?": " ", "#": ""}
_SHOWN = frozenset("$-+():!^&'~{}<>= %123456789")
"""Characters that formats show without quotes. Signs of currencies are shown, too."""

_GROUPED_BY_SPACES = re.compile(r"[#?]{1,3}(?:[ '\xa0\u202f]###)*[ '\xa0\u202f]##[#0]")
"""Thousands that are separated by literal spaces or apostrophes: no code."""

BUILT_IN = {
    5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00', 9: "0%", 10: "0.00%",
    42: '"$"#,##0', 44: '"$"#,##0.00',
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 45, 47, *range(32, 36), 55, 56), "hh:mm:ss"),
    22: "yyyy-mm-dd hh:mm", 46: "[h]:mm:ss",
}  # fmt: skip
"""Formats that a workbook does not declare, as far as they are dates, percent or currency."""

_ARITHMETIC = Context(prec=1000, rounding=ROUND_HALF_UP)

Piece = tuple[bool, str]
"""Whether a text is literal, and the text: a character of the format's language if it is not."""


@dataclass(frozen=True)
class Section:
    """One of the formats between semicolons, parsed."""

    kind: Kind
    prefix: str = ""
    """What it shows before the digits; of words, all that it shows; of texts, what is before the text."""
    whole: tuple[Piece, ...] = ()
    """Places of digits before the decimal point, and literal texts between them."""
    decimals: tuple[Piece, ...] = ()
    """Places of digits after the decimal point, and literal texts between them."""
    suffix: str = ""
    is_grouped: bool = False
    """Whether commas separate thousands."""
    shift: int = 0
    """Places that the decimal point moves to the right: 2 for percent, -3 for thousands."""
    condition: tuple[str, Decimal] | None = None

    def holds(self, number: Decimal) -> bool:
        """Return whether a number fulfills the condition. Without a condition, all do."""
        return self.condition is None or _OPERATORS[self.condition[0]](number, self.condition[1])

    @property
    def is_of_negatives(self) -> bool:
        """Whether its condition leaves only negative numbers, which it shows without their sign."""
        return self.condition is not None and self.condition[0].startswith("<") and self.condition[1] <= 0


@dataclass(frozen=True)
class NumberFormat:
    """A parsed format."""

    sections: tuple[Section, ...]
    """The sections of numbers: one or more."""
    text: Section | None = None
    """The section of texts."""

    @property
    def kind(self) -> Kind:
        """The kind of the first section."""
        return self.sections[0].kind

    def shown(self, number: Decimal) -> str | None:
        """Return a number as Excel shows it, if it is a percentage, an amount of money, or a code. Otherwise None."""
        section, number = self._section_of(number)
        if section.kind == "words":
            return section.prefix.strip()
        if section.kind not in ("percent", "currency", "code"):
            return None
        count = sum(not is_literal for is_literal, _ in section.decimals)
        size = _ARITHMETIC.scaleb(abs(number), section.shift)
        whole, _, fraction = f"{_ARITHMETIC.quantize(size, Decimal(1).scaleb(-count)):f}".partition(".")
        shown = _whole(section.whole, whole.lstrip("0"), is_grouped=section.is_grouped)
        digits = iter(fraction.rstrip("0"))  # zeros at the end are omitted if the format does not write them
        decimals = [
            text if is_literal else next(digits, _MISSING_DIGITS[text]) for is_literal, text in section.decimals
        ]
        if written := "".join(decimals).rstrip():
            shown += f".{written}"
        return f"{'-' if number < 0 else ''}{section.prefix}{shown}{section.suffix}".strip()

    def shown_text(self, text: str) -> str:
        """Return a text as Excel shows it."""
        return f"{self.text.prefix}{text}{self.text.suffix}" if self.text else text

    def _section_of(self, number: Decimal) -> tuple[Section, Decimal]:
        """Return the section for a number, and the number as it shows it: a section of its own has its own sign."""
        if any(section.condition for section in self.sections):
            ordered = sorted(self.sections[:3], key=lambda section: section.condition is None)
            section = next((each for each in ordered if each.holds(number)), self.sections[-1])
            return section, abs(number) if section.is_of_negatives else number
        count = len(self.sections)
        if number < 0 and count > 1:
            return self.sections[1], -number
        return self.sections[2 if number == 0 and count > 2 else 0], number


@cache
def parse_format(code: str) -> NumberFormat:
    """Return a parsed format."""
    sections: list[list[re.Match[str]]] = [[]]
    for token in _TOKEN.finditer(code[:MAX_CODE_CHARACTERS]):
        if token["plain"] == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    *numbers, last = map(_section, sections)
    if last.kind == "text":
        return NumberFormat(tuple(numbers) or (Section("general"),), last)
    return NumberFormat((*numbers, last)[:3])


def _section(tokens: Sequence[re.Match[str]]) -> Section:
    pieces: list[Piece] = []
    for token in tokens:
        literal = token["quoted"] or token["escaped"] or _currency(token["bracket"] or "")
        plain = token["plain"] or ""
        if literal or plain in _SHOWN or has_currency_sign(plain):
            pieces.append((True, literal or plain))
        elif plain:
            pieces.append((False, plain))
    pieces = [piece for piece in pieces if piece[1]]
    brackets = [token["bracket"] for token in tokens if token["bracket"]]
    letters = "".join(text for is_literal, text in pieces if not is_literal)
    if any(_ELAPSED.fullmatch(bracket) for bracket in brackets):
        section = Section("duration")
    elif any(letter in "dmyhsDMYHS" for letter in letters):
        section = Section("date")
    else:
        percents = sum(token["plain"] == "%" for token in tokens)
        symbols = [*map(_currency, brackets), *(text for _, text in pieces if has_currency_sign(text))]
        is_currency = any(symbol.strip() for symbol in symbols)
        section = _section_of_pieces(pieces, percents, is_currency=is_currency)
    conditions = [match for bracket in brackets if (match := _CONDITION.fullmatch(bracket))]
    return replace(section, condition=(conditions[0][1], _decimal(conditions[0][2]))) if conditions else section


def _section_of_pieces(pieces: list[Piece], percents: int, *, is_currency: bool) -> Section:
    """Return a section of numbers or texts: what it shows before the digits, in their places, and after them."""
    signs = "".join(text for is_literal, text in pieces if not is_literal)
    if signs == "@":
        at = pieces.index((False, "@"))
        return Section("text", _joined(pieces[:at]), suffix=_joined(pieces[at + 1 :]))
    if signs.lower() == "general":
        return Section("general")
    if not signs:
        shown = _joined(pieces)
        return Section("words" if shown.strip() else "general", shown)
    if signs.strip(f"{_DIGITS}.,") or signs.count(".") > 1 or not signs.strip(".,"):
        return Section("other")  # fractions, exponents and other rare formats
    places = [index for index, (is_literal, _) in enumerate(pieces) if not is_literal]
    digits = pieces[places[0] : places[-1] + 1]
    prefix, suffix = _joined(pieces[: places[0]]), _joined(pieces[places[-1] + 1 :])
    point = digits.index((False, ".")) if "." in signs else len(digits)
    thousands = len(signs) - len(signs.rstrip(","))
    kind: Kind = "percent" if percents else "currency" if is_currency else "plain"
    if kind == "plain" and _is_code(digits, prefix):
        kind = "code"
    return Section(
        kind,
        prefix.lstrip(),
        tuple(piece for piece in digits[:point] if piece != (False, ",")),
        tuple(piece for piece in digits[point + 1 :] if piece != (False, ",")),
        suffix.rstrip(),
        is_grouped="," in signs.rstrip(",").partition(".")[0],
        shift=2 * percents - 3 * thousands,
    )


def _is_code(digits: Sequence[Piece], prefix: str) -> bool:
    """Return whether a format writes zeros before the number, or signs in it, such as `00000` and `000-00-0000`."""
    pattern = "".join("_" if is_literal and text in _DIGITS else text for is_literal, text in digits)
    whole = pattern.partition(".")[0]
    if whole.count("0") > 1 or "+" in prefix:
        return True
    return any(is_literal for is_literal, _ in digits) and not _GROUPED_BY_SPACES.fullmatch(whole)


def _joined(pieces: Sequence[Piece]) -> str:
    return "".join(text for _, text in pieces)


def _currency(bracket: str) -> str:
    """Return the currency of a bracket such as `$€-407`."""
    return bracket[1:].partition("-")[0] if bracket.startswith("$") else ""


def has_currency_sign(text: str) -> bool:
    """Return whether a text has the sign of a currency."""
    return any(unicodedata.category(character) == "Sc" for character in text)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal(0)


def _whole(places: Sequence[Piece], digits: str, *, is_grouped: bool) -> str:
    """Return digits in their places, from the last one on. The first place has all digits that are left."""
    count = sum(not is_literal for is_literal, _ in places)
    written: list[str] = []
    position = 0
    for is_literal, text in reversed(places):
        if is_literal:
            written.append(text)
            continue
        is_first = position + 1 == count
        for _ in range(max(1, len(digits) - position) if is_first else 1):
            digit = digits[-1 - position] if position < len(digits) else _MISSING_DIGITS[text]
            if is_grouped and digit and position and position % 3 == 0:
                written.append(",")
            written.append(digit)
            position += 1
    return "".join(reversed(written)) if count else digits


_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  # workbooks have no time zone
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001
_LAST_DAY = 2_958_466
"""The day after 9999-12-31."""

_MISSING_DAY = 60
"""1900-02-29, which Excel has and the calendar has not. Days before it are one too low."""

_MILLISECONDS = 86_400_000
_INTEGER = re.compile(r"-?\d+")
_EXACT = Decimal(10) ** 15
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?")


def number_text(raw: str, number_format: NumberFormat, *, is_1904: bool) -> str:
    """Return a number as text. Empty for NaN and infinity, which Excel does not have; other text stays as it is."""
    try:
        number = Decimal(raw.strip())
    except InvalidOperation:
        return raw
    if not number.is_finite():
        return ""
    if abs(number.adjusted()) > 400:
        return raw
    if number_format.kind in ("date", "duration") and 0 <= number < _LAST_DAY:
        days = float(number)
        return duration_text(days) if number_format.kind == "duration" else moment_text(days, is_1904=is_1904)
    return number_format.shown(number) or plain_number(raw.strip())


def plain_number(raw: str) -> str:
    """Return a number as stored: whole numbers without a fraction, others with the digits that tell them apart."""
    if _INTEGER.fullmatch(raw):
        return raw
    number = Decimal(raw)
    if number == number.to_integral_value() and abs(number) < _EXACT:
        return f"{number.to_integral_value():f}"
    return repr(float(raw))


def moment_text(days: float, *, is_1904: bool) -> str:
    """Return a date, a time, or both, in ISO 8601 with a space between them."""
    milliseconds = round(days * _MILLISECONDS)
    whole, time = divmod(milliseconds, _MILLISECONDS)
    if not whole and not is_1904:
        return time_text(time)
    if not is_1904 and whole < _MISSING_DAY:
        whole += 1
    date = f"{(_EPOCH_1904 if is_1904 else _EPOCH) + timedelta(days=whole):%Y-%m-%d}".rjust(10, "0")
    return f"{date} {time_text(time)}" if time else date


def time_text(milliseconds: int) -> str:
    """Return a time of the day, or a duration."""
    seconds, rest = divmod(milliseconds, 1000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:03}".rstrip("0") if rest else text


def duration_text(days: float) -> str:
    """Return a duration in hours, minutes and seconds."""
    return time_text(round(days * _MILLISECONDS))


def iso_text(raw: str) -> str:
    """Return a date that is stored in ISO 8601 with a space before its time, and without a time of midnight."""
    match = _ISO.fullmatch(raw.strip())
    if not match:
        return raw
    date, time = match[1], match[2]
    if time and "." in time:
        time = time.rstrip("0").rstrip(".")
    if date and time and not time.strip("0:"):
        return date
    return " ".join(filter(None, (date, time)))
