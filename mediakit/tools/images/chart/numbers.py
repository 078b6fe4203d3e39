"""Numbers as people read them, by a format that is given or by the numbers themselves."""

import math
import re
from collections.abc import Callable, Iterable

Format = Callable[[float], str]

SPECIFICATION = r"(?P<plus>\+)?(?P<dollar>\$)?(?P<comma>,)?(?:\.(?P<places>\d))?(?P<trim>~)?(?P<kind>[fdes%]?)"
PATTERN = re.compile(rf"(?P<before>[^{{}}]*)\{{:?{SPECIFICATION}\}}(?P<after>[^{{}}]*)", re.ASCII)
BARE = re.compile(SPECIFICATION, re.ASCII)

MINUS = "−"
LARGE = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
SI = (("Y", 24), ("Z", 21), ("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0),
      ("m", -3), ("µ", -6), ("n", -9), ("p", -12))  # fmt: skip
WRITTEN_OUT = 1e18
"""From here on no number has all its digits, whatever the format."""
SCIENTIFIC_FROM, SCIENTIFIC_BELOW = 1e15, 1e-4
MOST_PLACES = 6
DEFAULT_PLACES = {"f": 2, "e": 2, "s": 3}


def is_format(text: str) -> bool:
    """Tell whether a text is a number format."""
    return bool(text) and bool(BARE.fullmatch(text) or PATTERN.fullmatch(text))


def given_format(text: str, numbers: Iterable[float]) -> Format:
    """Make a format from its text; where it leaves something open, the numbers decide."""
    match = PATTERN.fullmatch(text) or BARE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no number format.")
    parts = match.groupdict()
    write = _write(parts, numbers)
    before, after = (parts.get("before") or "") + (parts["dollar"] or ""), parts.get("after") or ""
    plus = parts["plus"] or ""
    return lambda number: f"{_sign(number, plus)}{before}{_unsigned(write(number))}{after}"


def automatic(numbers: Iterable[float], step: float | None = None) -> Format:
    """Choose unit and decimal places that tell these numbers apart.

    Args:
        numbers: What will be written.
        step: The distance between them where they are ticks.
    """
    sizes = [abs(number) for number in numbers if number] or [1.0]
    most = max(sizes)
    if most >= SCIENTIFIC_FROM or most < SCIENTIFIC_BELOW:
        return lambda number: _scientific(number, 2, trim=True)
    unit, letter = next(((unit, letter) for unit, letter in LARGE if most >= unit), (1.0, ""))
    places = _places(step / unit) if step else _needed([size / unit for size in sizes], most / unit)
    return lambda number: _fixed(number / unit, places, comma=True) + (letter if number else "")


def share(part: float) -> str:
    """Write a part of a whole as per cent: 37%, 0.4%; what is small but there is not nothing."""
    if 0 < part < 0.001:
        return "<0.1%"
    return f"{part:.1%}" if part < 0.01 else f"{part:.0%}"


def _write(parts: dict[str, str | None], numbers: Iterable[float]) -> Format:
    given = None if parts["places"] is None else int(parts["places"])
    kind = parts["kind"] or ("" if given is None else "f")
    places = DEFAULT_PLACES.get(kind, 0) if given is None else given
    comma, trim = bool(parts["comma"]), bool(parts["trim"])
    writers: dict[str, Format] = {
        "%": lambda number: _fixed(number * 100, places, comma=comma, trim=trim) + "%",
        "e": lambda number: _scientific(number, places, trim=trim),
        "s": lambda number: _si(number, max(places, 1)),
        "d": lambda number: _fixed(number, 0, comma=comma),
        "f": lambda number: _fixed(number, places, comma=comma, trim=trim),
    }
    return writers[kind] if kind else automatic(numbers)


def _sign(number: float, plus: str) -> str:
    return MINUS if number < 0 else plus if number > 0 else ""


def _unsigned(text: str) -> str:
    return text.removeprefix(MINUS)


def _fixed(number: float, places: int, *, comma: bool, trim: bool = False) -> str:
    if abs(number) >= WRITTEN_OUT:
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
    prefix, unit = next(((prefix, unit) for prefix, unit in SI if power >= unit), SI[-1])
    places = max(0, digits - 1 - (power - unit))
    return _fixed(number / 10.0**unit, min(places, MOST_PLACES), comma=False, trim=True) + prefix


def _places(step: float) -> int:
    """Count the decimal places of a tick step, which is 1, 2, 2.5 or 5 times a power of ten."""
    return next((places for places in range(MOST_PLACES) if math.isclose(step, round(step, places))), MOST_PLACES)


def _needed(sizes: list[float], most: float) -> int:
    """Count the places that numbers need, at most so many that the largest shows three digits, or four and a half."""
    enough = max(1 if most < 10_000 else 0, 2 - math.floor(math.log10(most)))
    return next((places for places in range(enough) if all(round(size, places) == size for size in sizes)), enough)
