"""The SVG output: texts stay texts, and the alt text is the description of the document.

The used characters of the typeface are embedded as a web font of a few kilobytes, so a browser shows the same as the
PNG. Each line also has the length of its layout: viewers that ignore embedded fonts then cannot make texts overlap.
"""

import zlib
from html import escape

import pybase64

from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.drawing import svg_number
from mediakit.tools.images.chart.text import Text
from mediakit.tools.images.chart.text_runs import BUNDLED, text_runs
from mediakit.tools.images.chart.web_font import web_font

FALLBACK_FAMILIES = "Inter, Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
"""Families that follow the embedded font: none is wider than Inter. The viewer chooses fonts for other scripts."""


def render_svg(canvas: Canvas, alt: str) -> bytes:
    """Return the chart as an SVG document."""
    request = canvas.request
    title = canvas.title or f"{request.type.capitalize()} chart"
    family, style = _font_style(canvas.drawing.texts)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}" '
        f'viewBox="0 0 {request.width} {request.height}" role="img" text-rendering="geometricPrecision" '
        f'font-family="{family}, {FALLBACK_FAMILIES}">'
        f"<title>{_escape(title)}</title><desc>{_escape(alt)}</desc>{style}"
    )
    return "".join((head, *background_and_shapes(canvas), *_text_elements(canvas.drawing.texts), "</svg>\n")).encode()


def _font_style(texts: list[Text]) -> tuple[str, str]:
    """Return the family and the style element of the embedded fonts.

    The family is derived from the content of the fonts: charts on one page must not use each other's.
    """
    weights = sorted({text.weight for text in texts})
    files = {weight: web_font((text.content for text in texts if text.weight == weight), weight) for weight in weights}
    family = f"chart-{zlib.crc32(b''.join(files.values())):08x}"
    faces = "".join(
        f"@font-face{{font-family:{family};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{pybase64.b64encode(file).decode()})}}"
        for weight, file in files.items()
    )
    return family, f"<style>{faces}</style>" if faces else ""


def background_and_shapes(canvas: Canvas) -> list[str]:
    """Return the elements of the background and of the shapes."""
    request = canvas.request
    if canvas.is_transparent:
        return canvas.drawing.shapes
    background = f'<rect width="{request.width}" height="{request.height}" fill="{canvas.theme.background}"/>'
    return [background, *canvas.drawing.shapes]


def halo_attributes(text: Text, em: float) -> str:
    """Return the attributes of the halo of a text, empty if it has none; `em` is the font size."""
    if not text.halo:
        return ""
    return f' stroke="{text.halo}" stroke-width="{svg_number(em / 4)}" stroke-linejoin="round" paint-order="stroke"'


def _text_elements(texts: list[Text]) -> list[str]:
    """Return the elements of texts; consecutive texts of one style are in one group."""
    elements: list[str] = []
    style: tuple[object, ...] = ()
    for text in texts:
        if style != (style := _style(text)):
            elements += ["</g>" if elements else "", _group_start(text)]
        elements.append(_text_element(text))
    return [*elements, "</g>" if elements else ""]


def _style(text: Text) -> tuple[object, ...]:
    return text.size, text.fill, text.weight, text.anchor, text.halo


def _group_start(text: Text) -> str:
    weight = f' font-weight="{text.weight}"' if text.weight != 400 else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    return (
        f'<g font-size="{svg_number(text.size)}" fill="{text.fill}"{weight}{anchor}{halo_attributes(text, text.size)}>'
    )


def _text_element(text: Text) -> str:
    x, y = svg_number(text.x), svg_number(text.y)
    transform = f' transform="rotate({svg_number(text.rotation)} {x} {y})"' if text.rotation else ""
    full = f"<title>{_escape(text.full)}</title>" if text.full and text.full != text.content else ""
    return f'<text x="{x}" y="{y}"{transform}{_length_attributes(text)}>{full}{_escape(text.content)}</text>'


def _length_attributes(text: Text) -> str:
    """Return the length of a line; none if system fonts render it, because their widths are only estimated."""
    runs = text_runs(text.content, text.weight)
    if len(text.content) < 2 or any(run.script != BUNDLED for run in runs):
        return ""
    return f' textLength="{svg_number(runs[0].width * text.size)}" lengthAdjust="spacingAndGlyphs"'


def _escape(text: str) -> str:
    return escape(text, quote=False)
