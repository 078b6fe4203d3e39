"""Formats numbers: with the format string of a request, or with a format derived from the numbers."""

import math
import re
from collections.abc import Callable, Iterable

from mediakit.core.fields import Language

NumberFormatter = Callable[[float], str]

SPECIFICATION = r"(?P<plus>\+)?(?P<dollar>\$)?(?P<comma>,)?(?:\.(?P<places>\d))?(?P<trim>~)?(?P<kind>[fdes%]?)"
PATTERN = re.compile(rf"(?P<before>[^{{}}]*)\{{:?{SPECIFICATION}\}}(?P<after>[^{{}}]*)", re.ASCII)
BARE = re.compile(SPECIFICATION, re.ASCII)

MINUS = "−"
LARGE_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
SI_PREFIXES = (("Y", 24), ("Z", 21), ("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0),
      ("m", -3), ("µ", -6), ("n", -9), ("p", -12))  # fmt: skip
ALWAYS_SCIENTIFIC_FROM = 1e18
"""From this number on, all formats use scientific notation."""
SCIENTIFIC_FROM, SCIENTIFIC_BELOW = 1e15, 1e-4
"""The automatic format uses scientific notation if the largest number is outside these limits."""
MAX_PLACES = 6
_SPANISH_MARKS = str.maketrans(",.", ".,")
DEFAULT_PLACES = {"f": 2, "e": 2, "s": 3}


def is_number_format(text: str) -> bool:
    """Return whether a text is a valid number format."""
    return bool(text) and bool(BARE.fullmatch(text) or PATTERN.fullmatch(text))


def parse_number_format(text: str, numbers: Iterable[float], lang: Language = "en") -> NumberFormatter:
    """Return the formatter of a format string. Without a type, the format is derived from the numbers."""
    match = PATTERN.fullmatch(text) or BARE.fullmatch(text)
    if match is None:
        raise ValueError(f"number_format: {text!r} is not a number format.")
    parts = match.groupdict()
    format_digits = _type_formatter(parts, numbers)
    before, after = (parts.get("before") or "") + (parts["dollar"] or ""), parts.get("after") or ""
    plus = parts["plus"] or ""

    def formatted(number: float) -> str:
        sign = MINUS if number < 0 else plus if number > 0 else ""
        return f"{sign}{before}{localize(format_digits(number).removeprefix(MINUS), lang)}{after}"

    return formatted


def table_format(numbers: Iterable[float], lang: Language = "en", *, groups: bool = True) -> NumberFormatter:
    """Return a formatter for numbers below each other: all digits of integers, and equal decimal places.

    Args:
        numbers: The numbers to format.
        lang: The language, which decides the decimal mark and the mark between groups.
        groups: Whether groups of three digits are separated.
    """
    sizes = [abs(number) for number in numbers if number] or [1.0]
    largest = max(sizes)
    if largest >= SCIENTIFIC_FROM * 1000 or largest < SCIENTIFIC_BELOW:
        return lambda number: localize(_scientific(number, 2, trim=True), lang)
    limit = min(MAX_PLACES, max(2, 2 - math.floor(math.log10(largest))))
    places = _decimal_places(sizes, limit)

    def formatted(number: float) -> str:
        if not isinstance(number, int):
            return localize(_fixed(number, places, comma=groups), lang)
        # Integers keep all digits, of which a float has fewer.
        digits = f"{abs(number):{',' if groups else ''}d}{'.' if places else ''}{'0' * places}"
        return localize(f"{MINUS if number < 0 else ''}{digits}", lang)

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


def automatic_format(numbers: Iterable[float], step: float | None = None) -> NumberFormatter:
    """Return a formatter with a unit and decimal places that distinguish the numbers.

    Args:
        numbers: The numbers to format.
        step: The distance between the numbers if they are the ticks of an axis.
    """
    sizes = [abs(number) for number in numbers if number] or [1.0]
    largest = max(sizes)
    if largest >= SCIENTIFIC_FROM or largest < SCIENTIFIC_BELOW:
        return lambda number: _scientific(number, 2, trim=True)
    unit, letter = next(((unit, letter) for unit, letter in LARGE_UNITS if largest >= unit), (1.0, ""))
    if step:  # 1, 2, 2.5 or 5 times a power of ten
        step /= unit
        places = next((places for places in range(MAX_PLACES) if math.isclose(step, round(step, places))), MAX_PLACES)
    else:  # the largest number has about three significant digits
        limit = max(1 if largest / unit < 10_000 else 0, 2 - math.floor(math.log10(largest / unit)))
        places = _decimal_places([size / unit for size in sizes], limit)
    return lambda number: _fixed(number / unit, places, comma=True) + (letter if number else "")


def format_share(share: float) -> str:
    """Return a share of a whole in percent: `37%`, `0.4%`; `<0.1%` if it is small but not zero."""
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if share < 0.01 else f"{share:.0%}"


def _type_formatter(parts: dict[str, str | None], numbers: Iterable[float]) -> NumberFormatter:
    requested_places = None if parts["places"] is None else int(parts["places"])
    kind = parts["kind"] or ("" if requested_places is None else "f")
    places = DEFAULT_PLACES.get(kind, 0) if requested_places is None else requested_places
    comma, trim = bool(parts["comma"]), bool(parts["trim"])
    formatters: dict[str, NumberFormatter] = {
        "%": lambda number: _fixed(number * 100, places, comma=comma, trim=trim) + "%",
        "e": lambda number: _scientific(number, places, trim=trim),
        "s": lambda number: _si(number, max(places, 1)),
        "d": lambda number: _fixed(number, 0, comma=comma),
        "f": lambda number: _fixed(number, places, comma=comma, trim=trim),
    }
    return formatters[kind] if kind else automatic_format(numbers)


def _fixed(number: float, places: int, *, comma: bool, trim: bool = False) -> str:
    if abs(number) >= ALWAYS_SCIENTIFIC_FROM:
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


def _si(number: float, digits: int) -> str:
    power = math.floor(math.log10(abs(number))) if abs(number) >= 1e-12 else 0
    prefix, unit = next(((prefix, unit) for prefix, unit in SI_PREFIXES if power >= unit), SI_PREFIXES[-1])
    places = max(0, digits - 1 - (power - unit))
    return _fixed(number / 10.0**unit, min(places, MAX_PLACES), comma=False, trim=True) + prefix
