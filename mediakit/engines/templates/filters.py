"""How the template language prints and compares values: filters, dates, numbers, codes, and the order of values.

The packages for codes are imported when a template has a code.
"""

import operator
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from html import escape
from typing import Any

import pybase64

from mediakit.core.messages import quote

MAX_DECIMALS = 20
MAX_DIGITS = 100
"""Digits of a number that is written out."""

DEFAULT_DATE = "%d %B %Y"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_DIRECTIVE = re.compile(r"%([-#]?)(.)", re.DOTALL)
_DIRECTIVES = frozenset("dmyYHIMSjVBbAape%")
_NUMBER = re.compile(r"[+-]?\d{1,60}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class Filter:
    """A filter."""

    apply: Callable[..., Any]
    """Takes the value and the arguments."""
    arguments: tuple[int, int] = (0, 0)
    """The least and the most arguments."""
    is_default: bool = False
    """Whether its argument replaces a missing value; others do not change one."""
    is_image: bool = False
    """Whether it shows its value as an image."""


class ValueProblem(ValueError):  # noqa: N818  # of the data, not of the program
    """A value does not fit where it is used; the message follows its path."""


def as_text(value: Any) -> str:
    """Return a value as it is printed; empty for null.

    Raises:
        ValueProblem: It is an object, or a list of lists or objects.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format(Decimal(repr(value)), "f")
    if isinstance(value, list):
        if any(isinstance(item, list | dict) for item in value):
            raise ValueProblem('must be a list of texts or numbers here; repeat its items with "for"')
        return ", ".join(map(as_text, value))
    if isinstance(value, dict):
        raise ValueProblem("must be text, a number, true, false or null, got an object")
    return str(value)


def format_date(value: Any, pattern: Any = DEFAULT_DATE) -> str:
    """Return an ISO 8601 date or time by a pattern of `strftime`, with English names in every locale.

    Raises:
        ValueProblem: It is not a date, or the pattern has an unknown directive.
    """
    if value in (None, ""):
        return ""
    moment = _moment(value)
    return _DIRECTIVE.sub(lambda match: _directive(moment, *match.groups()), as_text(pattern))


def _moment(value: Any) -> datetime:
    if isinstance(value, str):
        text = value.strip()
        with suppress(ValueError):
            return datetime.fromisoformat(text)
        with suppress(ValueError):
            return datetime.combine(date(1900, 1, 1), time.fromisoformat(text))
    raise ValueProblem(f'must be a date such as "2026-11-22" for the filter date, got {quote(value)}')


def _directive(moment: datetime, prefix: str, name: str) -> str:
    """Return a directive; with a prefix and for `%e`, which not every system has, it has no leading zeros."""
    if name not in _DIRECTIVES:
        raise ValueProblem(f'cannot be written with "%{name}"; use %d %m %Y %y %B %b %A %a %H %I %M %S %p %j %V')
    day, month = DAYS[moment.weekday()], MONTHS[moment.month - 1]
    words = {"Y": f"{moment.year:04}", "A": day, "a": day[:3], "B": month, "b": month[:3]}
    words["p"] = "AM" if moment.hour < 12 else "PM"
    text = words.get(name) or moment.strftime("%d" if name == "e" else f"%{name}")
    return text.lstrip("0") or "0" if prefix or name == "e" else text


def format_number(value: Any, decimals: Any = None, point: Any = ".", group: Any = ",") -> str:
    """Return a number with a fixed count of decimals and groups of three digits, rounded half up.

    Raises:
        ValueProblem: It is not a number, or the decimals are not between 0 and 20.
    """
    if value in (None, ""):
        return ""
    if (number := to_decimal(value)) is None:
        raise ValueProblem(f"must be a number for the filter number, got {quote(value)}")
    if decimals is not None:
        if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MAX_DECIMALS:
            raise ValueProblem(f"cannot have {quote(decimals)} decimals; use 0 to {MAX_DECIMALS}")
        number = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    if number == 0:
        number = abs(number)  # -0.004 is written as 0.00
    whole, dot, rest = f"{number:,f}".partition(".")
    return whole.replace(",", as_text(group)) + (as_text(point) if dot else "") + rest


def to_decimal(value: Any) -> Decimal | None:
    """Return a number, or a text that spells one, as a decimal; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = repr(value) if isinstance(value, float) else str(value).strip()[: MAX_DIGITS + 1]
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _length(value: Any) -> int:
    if not isinstance(value, list | dict | str):
        raise ValueProblem(f"must be a list to be counted, got {quote(value)}")
    return len(value)


FILTERS: Mapping[str, Filter] = {
    "upper": Filter(lambda value: as_text(value).upper()),
    "lower": Filter(lambda value: as_text(value).lower()),
    "date": Filter(format_date, (0, 1)),
    "number": Filter(format_number, (0, 3)),
    "default": Filter(lambda value, other: other if value in (None, "") else value, (1, 1), is_default=True),
    "length": Filter(_length),
    "count": Filter(_length),
    "e": Filter(lambda value: value),
}
"""The filters by name. `count` is `length`, and `e` does nothing: both are in templates of docxtpl."""

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def are_equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal; a text that spells a number is equal to it, `true` is not 1."""
    left, right = _comparable(left, right)
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def is_ordered(sign: str, left: Any, right: Any) -> bool:
    """Return whether `<`, `>`, `<=` or `>=` holds; never with null.

    Raises:
        ValueProblem: A text and a number, or lists or objects, cannot be compared.
    """
    left, right = _comparable(left, right)
    if left is None or right is None:
        return False
    try:
        return bool(_ORDERS[sign](left, right))
    except TypeError:
        raise ValueProblem(f'a text and a number cannot be compared with "{sign}"') from None


def is_in(item: Any, owner: Any) -> bool:
    """Return whether a list has an item, a text a part, or an object a key; null has none.

    Raises:
        ValueProblem: It is a number, true or false.
    """
    if owner is None:
        return False
    if isinstance(owner, str | dict):
        return as_text(item) in owner
    if isinstance(owner, list):
        return any(are_equal(item, each) for each in owner)
    raise ValueProblem(f'what is behind "in" must be a list, a text or an object, got {quote(owner)}')


def _comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two values, as numbers if both spell one and not both are texts."""
    numbers = to_decimal(left), to_decimal(right)
    is_numeric = None not in numbers and not (isinstance(left, str) and isinstance(right, str))
    return numbers if is_numeric else (left, right)


MAX_QR, MAX_BARCODE = 1500, 80
"""Characters of a code."""

QR_QUIET_ZONE, BARCODE_QUIET_ZONE = 4, 10
"""Modules of white around a code, as ISO/IEC 18004 and 15417 require."""

QR_SIZE, BARCODE_HEIGHT, BARCODE_MODULE = 132, 56, 1.5
"""Default size in CSS pixels; the classes `qr` and `barcode` are for other sizes."""


@dataclass(frozen=True)
class Code:
    """A code or an image in a page; empty for an empty value."""

    uri: str
    """A data: URI, for attributes and styles."""
    svg: str = ""
    """The element in a text; that of an image has the name of its value as its class."""

    def element(self, name: str) -> str:
        """Return the element in a text."""
        return self.svg or (f'<img class="{escape(name)}" src="{escape(self.uri)}" alt="">' if self.uri else "")


def qr(value: Any, quiet_zone: Any = QR_QUIET_ZONE) -> Code:
    """Return a QR code with error correction level M, and with a number of white modules around it.

    Raises:
        ValueProblem: The code cannot hold the text.
    """
    from mediakit.engines.symbol import encode, svg_path

    if not (text := as_text(value).strip()):
        return Code("")
    if len(text) > MAX_QR:
        raise ValueProblem(f"must have at most {MAX_QR} characters for a QR code, got {len(text)}")
    try:
        symbol = encode(text, "M")
    except ValueError as error:
        raise ValueProblem(f"does not fit into a QR code: {error}".rstrip(".")) from None
    margin = _number(quiet_zone, "qr", 20)
    side = symbol.width + 2 * margin
    path = f'<path stroke="#000" d="{svg_path(symbol, margin)}"/>'
    return _code("qr", QR_SIZE, QR_SIZE, f"0 0 {side} {side}", f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/>{path}')


def barcode(value: Any, max_width: Any = 0, quiet_zone: Any = BARCODE_QUIET_ZONE) -> Code:
    """Return a Code 128 barcode (ISO/IEC 15417).

    Args:
        value: Printable ASCII characters.
        max_width: The modules have the most whole pixels for which the bars fit; 0 for modules of 1.5 pixels.
        quiet_zone: White modules on each side.

    Raises:
        ValueProblem: The code cannot hold the text.
    """
    import zxingcpp

    if not (text := as_text(value).strip()):
        return Code("")
    if len(text) > MAX_BARCODE or not (text.isascii() and text.isprintable()):
        raise ValueProblem(f"must have at most {MAX_BARCODE} printable ASCII characters for a barcode")
    symbol = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.Code128)
    image = symbol.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    bars = bytes(memoryview(image))[: image.shape[1]]  # type: ignore[arg-type]  # its stub lacks the buffer protocol
    limit, margin = _number(max_width, "barcode", 4000), _number(quiet_zone, "barcode", 40)
    width = len(bars) + 2 * margin
    module = max(1, limit // width) if limit else BARCODE_MODULE
    path = "".join(f"M{x}.5 0v1" for x, shade in enumerate(bars, margin) if not shade)
    content = f'<path fill="#fff" d="M0 0h{width}v1H0z"/><path stroke="#000" d="{path}"/>'
    return _code("barcode", width * module, BARCODE_HEIGHT, f"0 0 {width} 1", content, stretch=True)


def image(value: Any) -> Code:
    """Return an image.

    Raises:
        ValueProblem: The value is not a data: URI of an image.
    """
    uri = as_text(value).strip()
    if uri and not uri.lower().startswith("data:image/"):
        raise ValueProblem(f"must be an image as a data: URI for the filter image, got {quote(uri)}")
    return Code(uri)


HTML_FILTERS: Mapping[str, Filter] = {
    "qr": Filter(qr, (0, 1)),
    "barcode": Filter(barcode, (0, 2)),
    "image": Filter(image, is_image=True),
}
"""Filters of HTML by name."""


def _number(value: Any, name: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise ValueProblem(f"cannot be drawn: {name} takes whole numbers from 0 to {most}")
    return value


def _code(name: str, width: float, height: float, box: str, content: str, *, stretch: bool = False) -> Code:
    aspect = ' preserveAspectRatio="none"' if stretch else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" width="{width:g}" height="{height:g}" viewBox="{box}"'
        f'{aspect} shape-rendering="crispEdges">{content}</svg>'
    )
    return Code(f"data:image/svg+xml;base64,{pybase64.b64encode(svg.encode()).decode()}", svg)
