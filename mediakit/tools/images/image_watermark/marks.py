"""Marks as RGBA images of their final size, rotation and opacity: text in any script, or a logo."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.core.fields import Position
from mediakit.core.inputs import file_of
from mediakit.core.media import detect
from mediakit.engines.colors import luminance
from mediakit.engines.drawing.rasterizer import svg_to_rgba
from mediakit.engines.drawing.svg import outlined_text, run_width
from mediakit.engines.drawing.text import Text, text_runs
from mediakit.engines.drawing.typeface import ASCENT, DESCENT, Weight
from mediakit.engines.raster.color import linearize
from mediakit.engines.raster.frames import read_srgb
from mediakit.engines.raster.source import naming, read_header
from mediakit.engines.xml import clean_svg, damaged_svg, is_svg
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_watermark.tool import ImageWatermarkRequest

WEIGHT: Weight = 600
EM = 100.0
"""Font size of the layout."""
LINE_HEIGHT = 1.25
OUTLINE = 0.09
"""Width of the outline in em; half of it is outside the letters."""
DRAFT_SIDE = 1600
"""Longest side of the image in which the ink of the text is measured."""
MAX_DRAFT_HEIGHT = 1200

Area = tuple[float, float, float, float]
"""Left, top, width and height, in the units of the layout."""

_NOT_IN_XML = re.compile(r"[\ufffe\uffff]")


@dataclass(frozen=True)
class Colors:
    """Colors of a text, as `#rrggbb`."""

    fill: str
    outline: str


BLACK = Colors("#000000", "#000000")


class Mark(NamedTuple):
    """A mark that can be drawn at any size."""

    aspect: float
    """Height divided by width."""
    draw: Callable[[int, int, Colors], Image.Image]
    """Returns the mark as RGBA in a width and a height; only texts take the colors."""


def text_mark(text: str, align: str) -> Mark:
    """Lay out a text of up to five lines, aligned `left`, `center` or `right`.

    Raises:
        InvalidInput: No font has the characters.
    """
    visible = _NOT_IN_XML.sub("", unicodedata.normalize("NFC", text)).split("\n")
    lines = [line.rstrip() for line in visible]
    widths = [EM * sum(run_width(run, WEIGHT) for run in text_runs(line, WEIGHT)) for line in lines]
    full, shift = max(widths), {"left": 0.0, "center": 0.5, "right": 1.0}[align]

    def draw(box: Area, width: int, height: int, colors: Colors) -> Image.Image:
        elements = []
        for number, (line, own) in enumerate(zip(lines, widths, strict=True)):
            # The side at which right-to-left text starts depends on renderers, its middle does not.
            x, y, halo = (full - own) * shift + own / 2, number * LINE_HEIGHT * EM, colors.outline
            text = Text(x, y, line, EM, colors.fill, WEIGHT, "middle", halo=halo, halo_width=OUTLINE)
            elements.append(outlined_text(text))
        view = " ".join(f"{value:.3f}" for value in box)
        return svg_to_rgba(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{view}" '
            f'preserveAspectRatio="none">{"".join(elements)}</svg>'
        )

    margin, height = EM / 2, ((len(lines) - 1) * LINE_HEIGHT + ASCENT + DESCENT) * EM
    page = (-margin, -ASCENT * EM - margin, full + 2 * margin, height + 2 * margin)
    scale = min(DRAFT_SIDE / page[2], MAX_DRAFT_HEIGHT / page[3], 2.0)
    draft = max(1, round(page[2] * scale)), max(1, round(page[3] * scale))
    ink = draw(page, *draft, BLACK).getbbox()
    if ink is None:
        raise InvalidInput(f'text: no font here has "{text.strip()[:20]}".')
    x, y = page[2] / draft[0], page[3] / draft[1]
    box = page[0] + ink[0] * x, page[1] + ink[1] * y, (ink[2] - ink[0]) * x, (ink[3] - ink[1]) * y
    return Mark(box[3] / box[2], partial(draw, box))


Size = tuple[int, int]


def offset(position: Position, image: Size, mark: Size, margin: int) -> Size:
    """Return left and top of a mark. A mark that fits never leaves the image, whatever the margin."""

    def on_axis(free: int, start: str, end: str) -> int:
        if start not in position and end not in position:
            return free // 2
        return max(0, min(free, margin if start in position else free - margin))

    return on_axis(image[0] - mark[0], "left", "right"), on_axis(image[1] - mark[1], "top", "bottom")


MARK_FORMATS = ("png", "webp", "jpeg")


def load_mark(request: ImageWatermarkRequest, warnings: list[str]) -> Mark:
    """Return the mark of a request.

    Raises:
        InvalidInput: The mark is not an image, is damaged, or no font has the text.
    """
    if request.text is not None:
        sides = [side for side in ("left", "right") if side in request.position and not request.tile]
        return text_mark(request.text, (sides or ["center"])[0])
    content = file_of(request.mark or b"")
    if is_svg(content):
        source = clean_svg(content, warnings, "mark")
        natural = _drawn_svg(source, 1.0)
        draw = partial(_drawn_svg, source)
        return _image_mark(natural.size, lambda width: draw(width / natural.width))
    if not (detect(content) or "").startswith("image/"):
        raise InvalidInput("mark: is not a picture.")
    with naming("mark"):
        header = read_header(content)
        if header.format not in MARK_FORMATS:
            raise InvalidInput(f"mark: must be a PNG, WebP, JPEG or SVG image, got {header.format.upper()}.")
        image = read_srgb(header)
    if header.animated:
        warnings.append("mark: is animated; only its first frame is shown.")
    return _image_mark(image.size, lambda _: image)


def _image_mark(size: Size, draw: Callable[[int], Image.Image]) -> Mark:
    """Return a mark with its own colors. `draw` returns it about as large as a width; it is resized if necessary."""

    def resized(width: int, height: int, _: Colors) -> Image.Image:
        image = draw(width)
        if image.size == (width, height):
            return image
        # For RGBA, Pillow ignores the gap.
        small = image.convert("RGBa").resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
        return small.convert("RGBA")

    return Mark(size[1] / size[0], resized)


def _drawn_svg(source: str, scale: float) -> Image.Image:
    try:
        return svg_to_rgba(source, scale)
    except (ValueError, RuntimeError, OSError) as error:
        raise damaged_svg("mark") from error


def draw_mark(
    mark: Mark, image: Size, request: ImageWatermarkRequest, colors: Colors, warnings: list[str]
) -> Image.Image:
    """Return a mark in its size, rotated and with its opacity. It is made smaller if it would not fit."""
    width = max(1.0, min(image) * request.size_pct / 100)
    height = width * mark.aspect
    scale = min(1.0, image[0] / width, image[1] / height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    drawn = _rotated(mark.draw(*size, colors), request.rotation)
    if not request.tile and (drawn.width > image[0] or drawn.height > image[1]):
        scale = min(image[0] / drawn.width, image[1] / drawn.height)
        smaller = max(1, int(size[0] * scale)), max(1, int(size[1] * scale))
        drawn = _rotated(mark.draw(*smaller, colors), request.rotation)
        drawn = drawn.crop((0, 0, min(drawn.width, image[0]), min(drawn.height, image[1])))
    if scale < 1:
        warnings.append("size_pct: the mark would stand outside the image; it was made smaller.")
    faded = drawn.copy()
    faded.putalpha(drawn.getchannel("A").point([round(alpha * request.opacity) for alpha in range(256)]))
    return faded


BLACK_ABOVE = 0.179
"""Relative luminance above which black has more contrast than white (WCAG 2, contrast ratio)."""


def colors_on(background: NDArray[np.float64], color: str | None) -> Colors:
    """Return the colors of a text on pixels of red, green and blue from 0 to 1."""
    if color is None:
        light = float(np.mean(linearize(background) @ np.array([0.2126, 0.7152, 0.0722])))
        color = "#000000" if light > BLACK_ABOVE else "#ffffff"
    return Colors(color, "#000000" if luminance(color) > BLACK_ABOVE else "#ffffff")


def _rotated(image: Image.Image, degrees: float) -> Image.Image:
    """Rotate clockwise, and remove the empty border."""
    if degrees % 360:
        image = image.rotate(-degrees, Image.Resampling.BICUBIC, expand=True)
    box = image.getchannel("A").getbbox() if degrees % 90 else None
    return image.crop(box) if box else image
