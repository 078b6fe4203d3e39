"""How the text of a field is laid out: default appearance, size, lines and alignment."""

import re
from bisect import bisect
from contextlib import suppress
from dataclasses import dataclass

import pikepdf
from pikepdf import Name, String

from mediakit.engines.pdf.forms.fonts import Face
from mediakit.engines.pdf.geometry import read_numbers

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
            font = ""
            with suppress(pikepdf.PdfError, UnicodeDecodeError):
                found = pikepdf.Object.parse(operands[-2])
                font = str(found) if isinstance(found, Name) else ""
            size = float(operands[-1]) if _NUMBER.fullmatch(operands[-1]) else 0.0
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
    numbers = read_numbers(value)
    operator = {1: "g", 3: "rg", 4: "k"}.get(len(numbers), "")
    if not operator:
        return ""
    levels = " ".join(f"{min(max(number, 0.0), 1.0):g}" for number in numbers)
    return f"{levels} {operator.upper() if stroke else operator}"


SMALLEST_SIZE = 4.0
LARGEST_MULTILINE_SIZE = 12.0
"""Points; the sizes between which text is fitted into a field without a size of its own."""

SIZE_STEP = 0.5
LINE_DISTANCE = 1.16
"""Distance of two baselines, in sizes of the font."""

FILL = 0.74
"""Part of a field's height that the size of its one line fills."""


@dataclass(frozen=True)
class Area:
    """Where text may be, in points from the lower left of the widget."""

    width: float
    height: float
    padding: float
    """Space between the widget's edge and the text."""
    cells: int = 0
    """Cells of a comb; 0 for others."""

    @property
    def inner_width(self) -> float:
        """Width between the paddings."""
        return max(self.width - 2 * self.padding, 1.0)

    @property
    def inner_height(self) -> float:
        """Height between the paddings."""
        return max(self.height - 2 * self.padding, 1.0)


Layout = tuple[float, list[tuple[str, float, float]]]
"""Size of the font, and the lines with the start of their baselines."""


def lay_out_line(text: str, face: Face, size: float, area: Area, alignment: int) -> Layout:
    """Return one line, centered in height; a size of 0 fits it into the area."""
    fitted = size or _line_size(text, face, area)
    x = area.padding + _offset(face.width(text) * fitted, area.inner_width, alignment)
    return fitted, [(text, x, baseline(face, fitted, area.height))]


def lay_out_paragraphs(text: str, face: Face, size: float, area: Area, alignment: int) -> Layout:
    """Return lines from the top, broken at spaces; a size of 0 fits them into the area."""
    fitted = size or _paragraph_size(text, face, area)
    lines, placed = wrapped(text, face, area.inner_width / fitted), []
    y = area.height - area.padding - face.ascent * fitted
    for line in lines:
        x = area.padding + _offset(face.width(line) * fitted, area.inner_width, alignment)
        placed.append((line, x, y))
        y -= LINE_DISTANCE * fitted
    return fitted, placed


def lay_out_comb(text: str, face: Face, size: float, area: Area, alignment: int) -> Layout:
    """Return each character in the middle of its cell."""
    cells = max(area.cells, len(text))
    cell = area.width / cells
    widest = max((face.width(character) for character in text), default=0.0)
    fitted = size or max(min(_line_size("", face, area), cell / widest if widest else area.height), SMALLEST_SIZE)
    first = (0, (cells - len(text)) // 2, cells - len(text))[alignment]
    y = baseline(face, fitted, area.height)
    places = [
        (character, cell * (first + at) + (cell - face.width(character) * fitted) / 2, y)
        for at, character in enumerate(text)
    ]
    return fitted, places


def baseline(face: Face, size: float, height: float) -> float:
    """Return the height of the baseline that centers a line between ascent and descent."""
    return (height - (face.ascent - face.descent) * size) / 2 - face.descent * size


def wrapped(text: str, face: Face, width: float) -> list[str]:
    """Return the lines of a text for a width in sizes of the font; words that are too long are broken."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            candidate = f"{line} {word}" if line else word
            if face.width(candidate) <= width:
                line = candidate
                continue
            if line:
                lines.append(line)
            *full, line = _broken(word, face, width)
            lines += full
        lines.append(line)
    return lines


def _broken(word: str, face: Face, width: float) -> list[str]:
    """Return the parts of a word that fit the width, each with at least one character."""
    parts, part = [], ""
    for character in word:
        if part and face.width(part + character) > width:
            parts.append(part)
            part = ""
        part += character
    return [*parts, part]


def _line_size(text: str, face: Face, area: Area) -> float:
    by_height = (
        area.height * FILL if area.height < 2 * area.padding + 1 else area.inner_height / (face.ascent - face.descent)
    )
    by_width = area.inner_width / face.width(text) if text and face.width(text) else by_height
    return max(min(by_height, area.height * FILL, by_width), SMALLEST_SIZE)


def _paragraph_size(text: str, face: Face, area: Area) -> float:
    def fits(size: float) -> bool:
        lines = wrapped(text, face, area.inner_width / size)
        height = (len(lines) - 1) * LINE_DISTANCE * size + (face.ascent - face.descent) * size
        return height <= area.inner_height

    steps = int((LARGEST_MULTILINE_SIZE - SMALLEST_SIZE) / SIZE_STEP)
    sizes = [LARGEST_MULTILINE_SIZE - SIZE_STEP * step for step in range(steps)]
    first = bisect(sizes, False, key=fits)  # noqa: FBT003  # a value to find
    return sizes[first] if first < len(sizes) else SMALLEST_SIZE


def _offset(width: float, available: float, alignment: int) -> float:
    """Return where a line begins: at the left, in the middle (1) or at the right (2)."""
    return (0.0, max((available - width) / 2, 0.0), max(available - width, 0.0))[alignment]
