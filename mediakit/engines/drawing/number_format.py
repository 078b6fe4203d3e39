"""Formats numbers: with the format string of a request, or with a format derived from the numbers."""

import math
import re
from collections.abc import Callable, Iterable
from typing import Annotated

from pydantic import AfterValidator, Field

from mediakit.core.fields import Language

NumberFormatter = Callable[[float], str]

SPECIFICATION = (
    r"(?P<below><)?(?P<plus>\+)?(?P<dollar>\$)?(?P<comma>,)?(?:\.(?P<places>1[0-5]|\d))?(?P<trim>~)?(?P<kind>[fdegs%]?)"
)
PATTERN = re.compile(rf"(?P<before>[^{{}}]*)\{{:?{SPECIFICATION}\}}(?P<after>[^{{}}]*)", re.ASCII)
BARE = re.compile(SPECIFICATION, re.ASCII)

MINUS = "−"
LARGE_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
SI_PREFIXES = (("Y", 24), ("Z", 21), ("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0),
      ("m", -3), ("µ", -6), ("n", -9), ("p", -12))  # fmt: skip
SCIENTIFIC_FROM, SCIENTIFIC_BELOW = 1e15, 1e-4
"""The automatic format uses scientific notation if the largest number is outside these limits."""
MAX_PLACES = 6
SIGNIFICANT_DIGITS, MAX_SIGNIFICANT_DIGITS = 3, 6
"""Digits of a value label, and of labels whose values differ little."""
_SPANISH_MARKS = str.maketrans(",.", ".,")
DEFAULT_PLACES = {"f": 2, "e": 2, "s": 3, "g": 6}


def _check_number_format(text: str) -> str:
    if not (BARE.fullmatch(text) or PATTERN.fullmatch(text)) or not text:
        raise ValueError('must be a number format such as ",.1f", "$,.2f", ".0%", ".3s" or "{,.1f} kg".')
    return text


NumberFormat = Annotated[str, Field(max_length=40), AfterValidator(_check_number_format)]
"""The field type of a number format."""


def parse_number_format(text: str, automatic: NumberFormatter, lang: Language = "en") -> NumberFormatter:
    """Return the formatter of a format string. Without a type, `automatic` formats the digits.

    `<` in front shows a number that would be rounded to zero as less than the smallest one: `<.3f` as `<0.001`.
    """
    if (match := PATTERN.fullmatch(text) or BARE.fullmatch(text)) is None:
        raise ValueError(f"number_format: {text!r} is not a number format.")
    parts = match.groupdict()
    format_digits = _type_formatter(parts, automatic)
    smallest = 10.0 ** -(int(parts["places"] or DEFAULT_PLACES["f"]) + (2 if parts["kind"] == "%" else 0))
    before, after = (parts.get("before") or "") + (parts["dollar"] or ""), parts.get("after") or ""
    plus = parts["plus"] or ""

    def formatted(number: float) -> str:
        sign = MINUS if number < 0 else plus if number > 0 else ""
        if parts["below"] and number and not format_digits(number).strip("-0.,%" + MINUS):
            sign, number = ("<" if number > 0 else ">" + MINUS), smallest
        return f"{sign}{before}{localize(format_digits(number).removeprefix(MINUS), lang)}{after}"

    return formatted


def table_format(
    numbers: Iterable[float], lang: Language = "en", *, groups: bool = True, least_places: int = 0
) -> NumberFormatter:
    """Return a formatter for numbers below each other, in which no number is off by more than half a percent.

    Integers have all their digits. Decimal places are equal where they suffice; smaller numbers have places of their
    own, and tiny ones a power of ten. Numbers with more than six decimal places have at least `least_places`.
    """
    sizes = [size for size in map(abs, numbers) if SCIENTIFIC_BELOW <= size < SCIENTIFIC_FROM] or [1.0]
    places = _decimal_places(sizes, MAX_PLACES + 1)
    if places > MAX_PLACES:  # three significant digits
        own = (_own_places(size, SIGNIFICANT_DIGITS) for size in sizes)
        places = min(max(2, least_places, *own), MAX_PLACES)

    def formatted(number: float) -> str:
        if isinstance(number, int):
            # Integers keep all digits, of which a float has fewer.
            digits = f"{abs(number):{',' if groups else ''}d}{'.' if places else ''}{'0' * places}"
            return localize(f"{MINUS if number < 0 else ''}{digits}", lang)
        size = abs(number)
        if size >= SCIENTIFIC_FROM * 1000 or 0 < size < 10.0**-MAX_PLACES:
            return localize(_scientific(number, 2, trim=True), lang)
        if abs(round(number, places) - number) <= size * 0.005:
            return localize(_fixed(number, places, comma=groups), lang)
        return localize(_fixed(number, _own_places(number, SIGNIFICANT_DIGITS), comma=groups, trim=True), lang)

    return formatted


def _decimal_places(sizes: list[float], limit: int) -> int:
    """Return the decimal places that numbers need, at most `limit`."""
    return next((places for places in range(limit) if all(round(size, places) == size for size in sizes)), limit)


def localize(text: str, lang: Language) -> str:
    """Return a formatted number with the marks of a language: a decimal comma and points between groups in Spanish."""
    return text.translate(_SPANISH_MARKS) if lang == "es" else text


def decimal_mark(lang: Language) -> str:
    """Return the decimal mark of a language."""
    return "," if lang == "es" else "."


def tick_format(ticks: Iterable[float], step: float) -> NumberFormatter:
    """Return a formatter with one unit and the decimal places of the step between ticks."""
    largest = max((abs(tick) for tick in ticks), default=0.0) or 1.0
    if _is_scientific(largest):
        return lambda number: _scientific(number, 2, trim=True)
    unit, letter = _unit(largest)
    step /= unit  # 1, 2, 2.5 or 5 times a power of ten
    places = next((places for places in range(MAX_PLACES) if math.isclose(step, round(step, places))), MAX_PLACES)
    return lambda number: _fixed(number / unit, places, comma=True) + (letter if number else "")


def value_format(numbers: Iterable[float]) -> NumberFormatter:
    """Return a formatter in which each number has a unit of its own and at least three significant digits.

    Numbers of one unit have equal decimal places where these suffice, and more digits if they differ little.
    """
    sizes: dict[float, set[float]] = {}
    for size in {abs(number) for number in numbers if number and not _is_scientific(abs(number))}:
        sizes.setdefault(_unit(size)[0], set()).add(size)
    places = {unit: _shared_places([size / unit for size in group]) for unit, group in sizes.items()}
    digits = {unit: _distinct_digits([size / unit for size in group]) for unit, group in sizes.items()}

    def formatted(number: float) -> str:
        if number and _is_scientific(abs(number)):
            return _scientific(number, 2, trim=True)
        unit, letter = _unit(abs(number))
        scaled = number / unit
        shared = places.get(unit, 0)
        own = _own_places(scaled, digits.get(unit, SIGNIFICANT_DIGITS))
        if own > shared and round(scaled, shared) != scaled:
            return _fixed(scaled, own, comma=True, trim=True) + letter
        return _fixed(scaled, shared, comma=True) + letter

    return formatted


def _is_scientific(size: float) -> bool:
    return size >= SCIENTIFIC_FROM or size < SCIENTIFIC_BELOW


def _unit(size: float) -> tuple[float, str]:
    """Return the unit of a number and its letter."""
    return next(((unit, letter) for unit, letter in LARGE_UNITS if size >= unit), (1.0, ""))


def _own_places(number: float, digits: int) -> int:
    """Return the decimal places that show a number with some significant digits."""
    return max(0, digits - 1 - math.floor(math.log10(abs(number)))) if number else 0


def _shared_places(sizes: list[float]) -> int:
    """Return the decimal places of numbers of one unit: three significant digits of the largest one."""
    largest = max(sizes)
    return _decimal_places(sizes, max(1 if largest < 10_000 else 0, _own_places(largest, SIGNIFICANT_DIGITS)))


def _distinct_digits(sizes: list[float]) -> int:
    """Return the significant digits that show how numbers of one unit differ: two of their range, at most six."""
    largest, smallest = max(sizes), min(sizes)
    if largest == smallest:
        return SIGNIFICANT_DIGITS
    digits = math.ceil(math.log10(largest / (largest - smallest))) + 2
    return min(max(digits, SIGNIFICANT_DIGITS), MAX_SIGNIFICANT_DIGITS)


def format_share(share: float) -> str:
    """Return a share of a whole in percent: `37%`, `0.4%`; `<0.1%` if it is small, `>99.9%` if it is not the whole."""
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{share:.1%}" if share < 0.01 or 0.99 < share < 1 else f"{share:.0%}"


def _type_formatter(parts: dict[str, str | None], automatic: NumberFormatter) -> NumberFormatter:
    requested_places = None if parts["places"] is None else int(parts["places"])
    kind = parts["kind"] or ("" if requested_places is None else "f")
    places = DEFAULT_PLACES.get(kind, 0) if requested_places is None else requested_places
    comma, trim = bool(parts["comma"]), bool(parts["trim"])
    formatters: dict[str, NumberFormatter] = {
        "%": lambda number: _fixed(number * 100, places, comma=comma, trim=trim) + "%",
        "e": lambda number: _scientific(number, places, trim=trim),
        "s": lambda number: _si(number, max(places, 1)),
        "g": lambda number: _general(number, max(places, 1), comma=comma),
        "d": lambda number: _fixed(number, 0, comma=comma),
        "f": lambda number: _fixed(number, places, comma=comma, trim=trim),
    }
    return formatters[kind] if kind else automatic


def _fixed(number: float, places: int, *, comma: bool, trim: bool = False) -> str:
    if abs(number) >= 1e18:  # in all formats
        return _scientific(number, 2, trim=True)
    text = f"{abs(number):{',' if comma else ''}.{places}f}"
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return MINUS + text if number < 0 and text.strip("0.,") else text


def _scientific(number: float, places: int, *, trim: bool) -> str:
    if not number:
        return "0"
    digits, _, exponent = f"{abs(number):.{places}e}".partition("e")
    if trim and "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return f"{MINUS if number < 0 else ''}{digits}e{int(exponent)}".replace("e-", f"e{MINUS}")


def _general(number: float, digits: int, *, comma: bool) -> str:
    """Return a number with significant digits; as `1.2e−7` if it is very small or has more digits before its point."""
    power = math.floor(math.log10(abs(float(f"{number:.{digits - 1}e}")))) if number else 0
    if power < math.log10(SCIENTIFIC_BELOW) or power >= digits:
        return _scientific(number, digits - 1, trim=True)
    return _fixed(number, digits - 1 - power, comma=comma, trim=True)


def _si(number: float, digits: int) -> str:
    power = math.floor(math.log10(abs(number))) if abs(number) >= 1e-12 else 0
    prefix, unit = next(((prefix, unit) for prefix, unit in SI_PREFIXES if power >= unit), SI_PREFIXES[-1])
    places = max(0, digits - 1 - (power - unit))
    return _fixed(number / 10.0**unit, min(places, MAX_PLACES), comma=False, trim=True) + prefix
