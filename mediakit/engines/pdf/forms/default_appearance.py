"""The default appearance of a field: font, size and color (ISO 32000-2, 12.7.4.3)."""

import re
from dataclasses import dataclass

import pikepdf
from pikepdf import Name, String

_TOKEN = re.compile(rb"\[[^\]]*\]|\((?:\\.|[^\\)])*\)|/?[^\s\[\]()/]+")
_COLOR_OPERANDS = {b"g": 1, b"rg": 3, b"k": 4}
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)")

LARGEST_SIZE = 1000.0


@dataclass(frozen=True)
class DefaultAppearance:
    """Font, size and color of a field's text."""

    font: str
    """Name of the font in the form's resources, with its slash; empty if there is none."""
    size: float
    """Points; 0 for a size that fits the field."""
    color: str
    """The operator that sets the color, such as `0 g`."""


def read_default_appearance(*candidates: object) -> DefaultAppearance:
    """Return the first default appearance that is there: of a widget, its field or the form."""
    for value in candidates:
        if isinstance(value, String):
            return parse_default_appearance(bytes(value))
    return DefaultAppearance("", 0, "0 g")


def parse_default_appearance(content: bytes) -> DefaultAppearance:
    """Return what the operators of a default appearance set."""
    font, size, color = "", 0.0, "0 g"
    operands: list[bytes] = []
    for token in _TOKEN.findall(content):
        if token == b"Tf" and len(operands) > 1:
            font, size = _font_name(operands[-2]), _number(operands[-1])
        elif token in _COLOR_OPERANDS:
            values = operands[-_COLOR_OPERANDS[token] :]
            if len(values) == _COLOR_OPERANDS[token] and all(map(_NUMBER.fullmatch, values)):
                color = b" ".join([*values, token]).decode()
        elif token.startswith(b"/") or _NUMBER.fullmatch(token):
            operands.append(token)
            continue
        operands = []
    return DefaultAppearance(font, min(max(size, 0.0), LARGEST_SIZE), color)


def color_operator(value: object, *, stroke: bool) -> str:
    """Return the operator that sets a color of an annotation; empty for a transparent one."""
    from mediakit.engines.pdf.geometry import read_numbers

    numbers = read_numbers(value)
    operator = {1: "g", 3: "rg", 4: "k"}.get(len(numbers), "")
    if not operator:
        return ""
    levels = " ".join(f"{min(max(number, 0.0), 1.0):g}" for number in numbers)
    return f"{levels} {operator.upper() if stroke else operator}"


def _font_name(token: bytes) -> str:
    try:
        found = pikepdf.Object.parse(token)
        return str(found) if isinstance(found, Name) else ""
    except (pikepdf.PdfError, UnicodeDecodeError):
        return ""


def _number(token: bytes) -> float:
    return float(token) if _NUMBER.fullmatch(token) else 0.0
