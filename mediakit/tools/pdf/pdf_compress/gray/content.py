"""Content streams in gray: operators that set colors are replaced, everything else keeps its bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Name

from mediakit.engines.pdf.objects import dictionary
from mediakit.tools.pdf.pdf_compress.content.scanner import (
    END,
    LOOK_BACK,
    START,
    STRING,
    end_of_inline_image,
    resource_name,
)
from mediakit.tools.pdf.pdf_compress.gray.inline_images import gray_inline_image
from mediakit.tools.pdf.pdf_compress.gray.spaces import CMYK, DEVICE, GRAY, RGB, GraySpace, clamped, read_space

_TOKEN = re.compile(
    rb"(?P<skipped>" + STRING + rb"|<[0-9A-Fa-f\s]*+>|%[^\r\n]*+)"
    rb"|" + START + rb"(?P<operator>q|Q|rg|RG|k|K|g|G|cs|CS|scn?|SCN?|BI)" + END,
    re.DOTALL,
)
_COLOR = re.compile(START + rb"(?:rg|RG|k|K|cs|CS|scn?|SCN?|BI)" + END)
"""An operator that may set a color; most forms have none."""

_OPERANDS = re.compile(rb"(?:(?:/[^\s/\[\](){}<>%]*+|[-+.\d]++)\s*+)+$")
_OPERAND = re.compile(rb"/[^\s/\[\](){}<>%]*+|[-+.\d]++")
_FIXED = {"rg": RGB, "RG": RGB, "k": CMYK, "K": CMYK, "g": GRAY, "G": GRAY}


@dataclass
class Colors:
    """The color spaces in use; None for those that stay."""

    fill: GraySpace | None = GRAY
    stroke: GraySpace | None = GRAY
    stack: list[tuple[GraySpace | None, GraySpace | None]] = field(default_factory=list)


def gray_content(data: bytes, resources: pikepdf.Object, colors: Colors | None = None) -> bytes:
    """Return a content stream in gray.

    Args:
        data: The content stream.
        resources: Its resources.
        colors: The color spaces at its begin; changed to those at its end.

    Raises:
        ValueError: A color cannot be converted.
    """
    return _Rewriter(data, resources, colors or Colors()).run() if _COLOR.search(data) else data


class _Rewriter:
    def __init__(self, data: bytes, resources: pikepdf.Object, colors: Colors) -> None:
        self._data = data
        self._spaces = dictionary(resources.get(Name.ColorSpace))
        self._colors = colors
        self._parts: list[bytes] = []
        self._copied = 0
        self._operands: list[bytes] = []

    def run(self) -> bytes:
        position = 0
        while token := _TOKEN.search(self._data, position):
            position = token.end()
            if token["operator"]:
                start = self._read_operands(token.start())
                position = self._operate(token["operator"].decode(), start, position)
        return b"".join((*self._parts, self._data[self._copied :]))

    def _read_operands(self, end: int) -> int:
        """Read the operands before an operator, and return where they begin."""
        before = self._data[max(0, end - LOOK_BACK) : end]
        found = _OPERANDS.search(before)
        self._operands = _OPERAND.findall(found[0]) if found else []
        return end - len(found[0]) if found else end

    def _operate(self, operator: str, start: int, end: int) -> int:  # noqa: C901  # one case for each operator
        """Replace an operator that sets a color, and return where to go on."""
        colors, is_fill = self._colors, operator.islower()
        if operator == "BI":
            return self._inline_image(end)
        if operator == "q":
            colors.stack.append((colors.fill, colors.stroke))
        elif operator == "Q":
            if colors.stack:
                colors.fill, colors.stroke = colors.stack.pop()
        elif operator in _FIXED:
            self._set(_FIXED[operator], is_fill=is_fill)
            if operator not in "gG":
                self._replace(start, end, f"{self._gray(_FIXED[operator])} {'g' if is_fill else 'G'}")
        elif operator in ("cs", "CS"):
            self._choose(operator, start, end)
        elif operator in ("sc", "scn", "SC", "SCN"):
            space = colors.fill if is_fill else colors.stroke
            if space is not None and not space.is_gray and self._numbers():
                self._replace(start, end, f"{self._gray(space)}{self._pattern()} {operator}")
        return end

    def _choose(self, operator: str, start: int, end: int) -> None:
        """Follow an operator that chooses a color space."""
        name = resource_name(self._operands[-1][1:]) if self._operands else ""
        value = self._spaces.get(name) or Name(name if len(name) > 1 else "/Unknown")
        if str(value) == "/Pattern" or (isinstance(value, Array) and len(value) and str(value[0]) == "/Pattern"):
            self._set(self._of_pattern(value), is_fill=operator == "cs")
            return
        space = read_space(value)
        self._set(space, is_fill=operator == "cs")
        if space.components != 1 or not space.is_gray:
            self._replace(start, end, f"/DeviceGray {operator}")

    def _of_pattern(self, value: pikepdf.Object) -> GraySpace | None:
        """Return the space of an uncolored pattern, whose resource becomes gray."""
        if not isinstance(value, Array) or len(value) < 2:
            return None
        space = read_space(value[1])
        value[1] = Name.DeviceGray
        return space

    def _set(self, space: GraySpace | None, *, is_fill: bool) -> None:
        if is_fill:
            self._colors.fill = space
        else:
            self._colors.stroke = space

    def _numbers(self) -> list[float]:
        return [float(operand) for operand in self._operands if not operand.startswith(b"/")]

    def _gray(self, space: GraySpace) -> str:
        numbers = self._numbers()
        if len(numbers) != space.components:
            space = DEVICE.get(len(numbers), space)
        if len(numbers) != space.components:
            raise ValueError("a color without its components")
        return number(space.gray(numbers))

    def _pattern(self) -> str:
        last = self._operands[-1]
        return f" {last.decode('latin-1')}" if last.startswith(b"/") else ""

    def _replace(self, start: int, end: int, text: str) -> None:
        self._parts += [self._data[self._copied : start], text.encode("latin-1")]
        self._copied = end

    def _inline_image(self, position: int) -> int:
        end = end_of_inline_image(self._data, position)
        start = position - len(b"BI")
        gray = gray_inline_image(self._data[start:end])
        if gray is not None:
            self._parts += [self._data[self._copied : start], gray]
            self._copied = end
        return end


def number(gray: float) -> str:
    """Return a brightness as content streams write it."""
    return f"{clamped(gray):.4f}".rstrip("0").rstrip(".")


def gray_array(values: Sequence[float]) -> list[float]:
    """Return a color of an annotation, which has 1, 3 or 4 components, in gray."""
    return [clamped(DEVICE[len(values)].gray(values))] if len(values) in DEVICE else list(values)
