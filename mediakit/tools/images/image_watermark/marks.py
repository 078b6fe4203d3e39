"""Marks as RGBA images of their final size, rotation and opacity: text in any script, or a logo."""

import io
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.core.fields import Position
from mediakit.core.inputs import file_of
from mediakit.core.media import detect
from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text import BUNDLED, SCRIPTS, TextRun, text_runs
from mediakit.engines.drawing.typeface import ASCENT, DESCENT, UNITS, Weight, typeface
from mediakit.engines.raster.color import to_eight_bit, to_srgb
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    open_image,
    read_header,
)
from mediakit.engines.xml import clean_svg, damaged_svg, is_svg
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_watermark.tool import ImageWatermarkRequest

WEIGHT: Weight = 600
EM = 100.0
"""Font size of the layout."""
LINE_HEIGHT = 1.25
OUTLINE = 0.09
"""Width of the outline in em; half of it is outside the letters."""
SPACE = 0.28
"""Width of a space at the ends of a run in a system font, in em."""
DRAFT_SIDE = 1600
"""Longest side of the image in which the ink of the text is measured."""
MAX_DRAFT_HEIGHT = 1200

_NOT_IN_XML = re.compile(r"[\ufffe\uffff]")


@dataclass(frozen=True)
class Colors:
    """Colors of a text, as `#rrggbb`."""

    fill: str
    outline: str


@dataclass(frozen=True)
class TextMark:
    """A text that can be drawn at any size."""

    elements: str
    """SVG elements in the units of the layout, with `FILL` and `OUTLINE` for the colors."""
    box: tuple[float, float, float, float]
    """Left, top, width and height of the ink."""

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self.box[3] / self.box[2]

    def draw(self, width: int, height: int, colors: Colors) -> Image.Image:
        """Return the text as an RGBA image of a size."""
        body = self.elements.replace("{fill}", colors.fill).replace("{outline}", colors.outline)
        return _draw(body, self.box, width, height)


def text_mark(text: str, align: str) -> TextMark:
    """Lay out a text.

    Args:
        text: Up to five lines.
        align: `left`, `center` or `right`, for texts of several lines.

    Raises:
        InvalidInput: No font has the characters.
    """
    lines = [text_runs(_visible(line), WEIGHT) for line in text.split("\n")]
    widths = [[_advance(run) for run in line] for line in lines]
    full = max(sum(each) for each in widths)
    shift = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    parts = []
    for number, (runs, advances) in enumerate(zip(lines, widths, strict=True)):
        pen, y = (full - sum(advances)) * shift, number * LINE_HEIGHT * EM
        for run, advance in zip(runs, advances, strict=True):
            parts.append(_run(run, pen, y))
            pen += advance
    elements = "".join(parts)
    margin = EM / 2
    height = (len(lines) - 1) * LINE_HEIGHT * EM + (ASCENT + DESCENT) * EM
    page = (-margin, -ASCENT * EM - margin, full + 2 * margin, height + 2 * margin)
    return TextMark(elements, _ink_box(elements, page, text))


def _visible(line: str) -> str:
    """Return a line without trailing spaces, as one that XML can hold."""
    return _NOT_IN_XML.sub("", unicodedata.normalize("NFC", line)).rstrip()


def _advance(run: TextRun) -> float:
    """Return the width of a run in the units of the layout. System fonts are measured by drawing them."""
    if run.script == BUNDLED:
        return run.width * EM
    return _measured(run.text, run.script)


@lru_cache(maxsize=256)
def _measured(text: str, script: str) -> float:
    core = text.strip()
    spaces = (len(text) - len(core)) * SPACE * EM
    if not core:
        return spaces
    side = min((len(core) * 1.6 + 2) * EM, 8000.0)
    page = (-side / 2, -1.5 * EM, side, 2.5 * EM)
    width = round(side)
    ink = _draw(_system_text(core, script, 0.0, 0.0), page, width, round(page[3])).getbbox()
    return spaces + ((ink[2] - ink[0]) * page[2] / width + 0.08 * EM if ink else 0.0)


def _run(run: TextRun, x: float, y: float) -> str:
    if run.script == BUNDLED:
        outline = typeface(WEIGHT).outline(run.text)
        style = _style(UNITS)
        return f'<path transform="translate({x:.2f} {y:.2f}) scale({EM / UNITS:.4f})" {style} d="{outline}"/>'
    core = run.text.strip()
    before, after = run.text.index(core) if core else 0, len(run.text.rstrip())
    spaces = (len(run.text) - after if begins_right_to_left(core) else before) * SPACE * EM
    return _system_text(core, run.script, x + spaces + _measured(core, run.script) / 2, y)


def _system_text(text: str, script: str, x: float, y: float) -> str:
    """Return a text element whose middle is at x: the side at which right-to-left text starts depends on renderers."""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="middle" font-size="{EM:g}" font-weight="700" '
        f'font-family="{SCRIPTS[script].fonts}, sans-serif" {_style(EM)}>{escape(text)}</text>'
    )


def _style(em: float) -> str:
    return (
        f'fill="{{fill}}" stroke="{{outline}}" stroke-width="{em * OUTLINE:.2f}" '
        'stroke-linejoin="round" paint-order="stroke"'
    )


def _ink_box(elements: str, page: tuple[float, float, float, float], text: str) -> tuple[float, float, float, float]:
    """Return the box of what is drawn on a page."""
    scale = min(DRAFT_SIDE / page[2], MAX_DRAFT_HEIGHT / page[3], 2.0)
    width, height = max(1, round(page[2] * scale)), max(1, round(page[3] * scale))
    body = elements.replace("{fill}", "#000000").replace("{outline}", "#000000")
    ink = _draw(body, page, width, height).getbbox()
    if ink is None:
        raise InvalidInput(f'text: no font here has "{text.strip()[:20]}".')
    x, y = page[2] / width, page[3] / height
    return page[0] + ink[0] * x, page[1] + ink[1] * y, (ink[2] - ink[0]) * x, (ink[3] - ink[1]) * y


def _draw(body: str, box: tuple[float, float, float, float], width: int, height: int) -> Image.Image:
    import vl_convert

    body = body.replace("{fill}", "#000000").replace("{outline}", "#000000")
    view = " ".join(f"{value:.3f}" for value in box)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{view}" '
        f'preserveAspectRatio="none">{body}</svg>'
    )
    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1.0, ppi=72))) as image:
        return image.convert("RGBA")


Size = tuple[int, int]


def mark_size(image: Size, aspect: float, size_pct: float) -> tuple[Size, bool]:
    """Return width and height of a mark before it is rotated, and whether it was made smaller to fit.

    Args:
        image: Width and height of the image.
        aspect: Height of the mark divided by its width.
        size_pct: Width in percent of the image's shorter side.
    """
    width = max(1.0, min(image) * size_pct / 100)
    height = width * aspect
    scale = min(1.0, image[0] / width, image[1] / height)
    fitted = max(1, round(width * scale)), max(1, round(height * scale))
    return fitted, scale < 1


def offset(position: Position, image: Size, mark: Size, margin: int) -> Size:
    """Return left and top of a mark. A mark that fits never leaves the image, whatever the margin."""
    words = position.split()
    return (
        _on_axis(image[0] - mark[0], margin, at_start="left" in words, at_end="right" in words),
        _on_axis(image[1] - mark[1], margin, at_start="top" in words, at_end="bottom" in words),
    )


def _on_axis(free: int, margin: int, *, at_start: bool, at_end: bool) -> int:
    if not at_start and not at_end:
        return free // 2
    return max(0, min(free, margin if at_start else free - margin))


MARK_FORMATS = ("png", "webp", "jpeg")


class Mark(Protocol):
    """A mark that can be drawn at any size."""

    @property
    def aspect(self) -> float:
        """Height divided by width."""

    def draw(self, width: int, height: int, colors: Colors) -> Image.Image:
        """Return the mark as RGBA."""


class ImageMark:
    """A raster image."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self._image.height / self._image.width

    def draw(self, width: int, height: int, colors: Colors) -> Image.Image:  # noqa: ARG002 - has its own colors
        """Return the image in a size."""
        if self._image.size == (width, height):
            return self._image
        resized = self._image.convert("RGBa").resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
        return resized.convert("RGBA")


class SvgMark:
    """An SVG image, drawn at the size that is needed."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._natural = self._render(1.0)

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self._natural.height / self._natural.width

    def draw(self, width: int, height: int, colors: Colors) -> Image.Image:
        """Return the image in a size."""
        return ImageMark(self._render(width / self._natural.width)).draw(width, height, colors)

    def _render(self, scale: float) -> Image.Image:
        import vl_convert

        try:
            with Image.open(io.BytesIO(vl_convert.svg_to_png(self._source, scale=scale, ppi=72))) as image:
                return image.convert("RGBA")
        except (ValueError, RuntimeError, OSError) as error:
            raise damaged_svg("mark") from error


def load_mark(request: ImageWatermarkRequest, warnings: list[str]) -> Mark:
    """Return the mark of a request.

    Raises:
        InvalidInput: The mark is not an image, is damaged, or no font has the text.
    """
    if request.text is not None:
        return _text(request)
    content = file_of(request.mark or b"")
    if is_svg(content):
        return SvgMark(clean_svg(content, warnings, "mark"))
    return ImageMark(_raster(content, warnings))


def draw_mark(
    mark: Mark, image: Size, request: ImageWatermarkRequest, colors: Colors, warnings: list[str]
) -> Image.Image:
    """Return a mark in its size, rotated and with its opacity."""
    size, shrunk = mark_size(image, mark.aspect, request.size_pct)
    drawn = _rotated(mark.draw(*size, colors), request.rotation)
    if not request.tile and (drawn.width > image[0] or drawn.height > image[1]):
        scale = min(image[0] / drawn.width, image[1] / drawn.height)
        smaller = max(1, int(size[0] * scale)), max(1, int(size[1] * scale))
        drawn = _rotated(mark.draw(*smaller, colors), request.rotation)
        drawn = drawn.crop((0, 0, min(drawn.width, image[0]), min(drawn.height, image[1])))
        shrunk = True
    if shrunk:
        warnings.append("size_pct: the mark would stand outside the image; it was made smaller.")
    faded = drawn.copy()
    faded.putalpha(drawn.getchannel("A").point([round(alpha * request.opacity) for alpha in range(256)]))
    return faded


def outline_of(color: str) -> str:
    """Return black or white, whichever contrasts with a color."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return "#000000" if _luminance(np.array(channels)) > BLACK_ABOVE else "#ffffff"


BLACK_ABOVE = 0.179
"""Relative luminance above which black has more contrast than white (WCAG 2, contrast ratio)."""


def colors_on(background: NDArray[np.float64], color: str | None) -> Colors:
    """Return the colors of a text on pixels of red, green and blue from 0 to 1."""
    if color is None:
        color = "#000000" if float(np.mean(_luminance(background))) > BLACK_ABOVE else "#ffffff"
    return Colors(color, outline_of(color))


def _luminance(colors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the relative luminance of sRGB colors (WCAG 2)."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    luminance: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return luminance


def _text(request: ImageWatermarkRequest) -> TextMark:
    words = request.position.split()
    align = "center" if request.tile else "left" if "left" in words else "right" if "right" in words else "center"
    return text_mark(request.text or "", align)


def _raster(content: bytes, warnings: list[str]) -> Image.Image:
    try:
        source = _header(content)
        image, orientation = open_image(content, source.format)
        with damage_as_invalid_input(source.format):
            image.load()
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", "mark:", 1)) from error
    if source.animated:
        warnings.append("mark: is animated; only its first frame is shown.")
    colors = to_srgb(to_eight_bit(image), image.info.get("icc_profile"))
    upright = apply_orientation(colors, orientation).convert("RGBA")
    upright.info.clear()
    return upright


def _header(content: bytes) -> SourceImage:
    if not (detect(content) or "").startswith("image/"):
        raise InvalidInput("mark: is not a picture.")
    source = read_header(content)
    if source.format not in MARK_FORMATS:
        raise InvalidInput(f"mark: must be a PNG, WebP, JPEG or SVG image, got {source.format.upper()}.")
    return source


def _rotated(image: Image.Image, degrees: float) -> Image.Image:
    """Rotate clockwise, and remove the empty border."""
    if degrees % 360:
        turned = image.convert("RGBa").rotate(-degrees, Image.Resampling.BICUBIC, expand=True)
        image = turned.convert("RGBA")
    box = image.getchannel("A").getbbox() if degrees % 90 else None
    return image.crop(box) if box else image
