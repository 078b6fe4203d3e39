"""Color spaces as functions from components to gray."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pikepdf import Array, Name, Stream, String

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.tools.pdf.pdf_compress.gray.functions import UnknownFunctionError, read_function
from mediakit.tools.pdf.pdf_compress.images.color_space import dictionary_of

RED, GREEN, BLUE = 0.299, 0.587, 0.114
"""Shares of brightness (ITU-R BT.601), as Pillow has them."""

MAX_DEPTH = 4
"""Color spaces that are based on others."""


@dataclass(frozen=True)
class GraySpace:
    """A color space and the brightness of its colors."""

    components: int
    gray: Callable[[Sequence[float]], float]
    """Returns 0 (black) to 1 (white) of components as content streams have them."""
    is_gray: bool = False


def _rgb(values: Sequence[float]) -> float:
    return RED * values[0] + GREEN * values[1] + BLUE * values[2]


def _cmyk(values: Sequence[float]) -> float:
    return 1 - min(1.0, RED * values[0] + GREEN * values[1] + BLUE * values[2] + values[3])


GRAY = GraySpace(1, lambda values: values[0], is_gray=True)
RGB = GraySpace(3, _rgb)
CMYK = GraySpace(4, _cmyk)
LAB = GraySpace(3, lambda values: values[0] / 100)
DEVICE = {1: GRAY, 3: RGB, 4: CMYK}

_NAMED = {
    "/DeviceGray": GRAY,
    "/CalGray": GRAY,
    "/G": GRAY,
    "/DeviceRGB": RGB,
    "/CalRGB": RGB,
    "/RGB": RGB,
    "/DeviceCMYK": CMYK,
    "/CalCMYK": CMYK,
    "/CMYK": CMYK,
    "/Lab": LAB,
}


def read_space(value: object, depth: int = 0) -> GraySpace:
    """Return a color space.

    Raises:
        ValueError: It is a pattern, or unknown, or its function cannot be evaluated.
    """
    kind = str(value) if isinstance(value, Name) else str(value[0]) if isinstance(value, Array) and len(value) else ""
    if depth > MAX_DEPTH:
        raise ValueError("color spaces inside color spaces")
    if kind in _NAMED:
        return _NAMED[kind]
    match kind:
        case "/ICCBased" if isinstance(value, Array):
            return _of_profile(dictionary_of(value[1]).get(Name.N))
        case "/Indexed" | "/I" if isinstance(value, Array):
            return _indexed(value, depth)
        case "/Separation" | "/DeviceN" if isinstance(value, Array):
            return _inks(value, depth)
    raise ValueError(f"the color space {kind}")


def _of_profile(count: object) -> GraySpace:
    if not isinstance(count, int) or count not in DEVICE:
        raise ValueError("a profile without components")
    return DEVICE[count]


def _indexed(value: Array, depth: int) -> GraySpace:
    base = read_space(value[1], depth + 1)
    table = value[3]
    palette = table.read_bytes() if isinstance(table, Stream) else bytes(table) if isinstance(table, String) else b""
    count = base.components
    limits = (
        [0.0, 100.0, *read_numbers(dictionary_of(value[1][1]).get(Name.Range))] if base is LAB else [0.0, 1.0] * count
    )

    def gray(values: Sequence[float]) -> float:
        start = min(max(0, int(values[0])), max(0, len(palette) // count - 1)) * count
        entry = palette[start : start + count].ljust(count, b"\0")
        return base.gray(
            [low + (high - low) * byte / 255 for byte, low, high in zip(entry, limits[::2], limits[1::2], strict=False)]
        )

    return GraySpace(1, gray, is_gray=base.is_gray)


def _inks(value: Array, depth: int) -> GraySpace:
    names = value[1]
    count = len(names) if isinstance(names, Array) else 1
    base, tint = read_space(value[2], depth + 1), read_function(value[3])

    def gray(values: Sequence[float]) -> float:
        try:
            return base.gray(tint(values))
        except (ArithmeticError, IndexError, TypeError) as error:
            raise UnknownFunctionError(str(error)) from error

    return GraySpace(count, gray)


def clamped(gray: float) -> float:
    """Return a brightness between 0 and 1, with the precision that eight bits need."""
    return round(min(max(gray, 0.0), 1.0), 4)
