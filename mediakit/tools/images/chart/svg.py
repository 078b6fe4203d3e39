"""The SVG file: texts stay texts, and what it shows is said in words.

What is used of the typeface comes along, a few kilobytes, so a browser shows what the PNG shows. Each line carries the
length that it was laid out with, too: where fonts in files are ignored and a wider one stands in, nothing overlaps.
"""

import zlib
from html import escape

import pybase64

from mediakit.tools.images.chart.drawing import number
from mediakit.tools.images.chart.scripts import runs
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text
from mediakit.tools.images.chart.webfont import webfont

FAMILIES = "Inter, Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
"""What follows the font in the file: Inter, or what is no wider; scripts that these lack are the viewer's choice."""


def document(sheet: Sheet, alt: str) -> bytes:
    """Write the file."""
    request = sheet.request
    family, faces = _fonts(sheet.drawing.texts)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}" '
        f'viewBox="0 0 {request.width} {request.height}" role="img" text-rendering="geometricPrecision" '
        f'font-family="{family}, {FAMILIES}">'
        f"<title>{_text(sheet.title or f'{request.type.capitalize()} chart')}</title><desc>{_text(alt)}</desc>{faces}"
    )
    return "".join((head, *opened(sheet), *_grouped(sheet.drawing.texts), "</svg>\n")).encode()


def _fonts(texts: list[Text]) -> tuple[str, str]:
    """Give the family and the style sheet of what is used of the typeface; each drawing has a family of its own."""
    weights = sorted({text.weight for text in texts})
    files = {weight: webfont((text.content for text in texts if text.weight == weight), weight) for weight in weights}
    family = f"chart-{zlib.crc32(b''.join(files.values())):08x}"
    faces = "".join(
        f"@font-face{{font-family:{family};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{pybase64.b64encode(file).decode()})}}"
        for weight, file in files.items()
    )
    return family, f"<style>{faces}</style>" if faces else ""


def opened(sheet: Sheet) -> list[str]:
    """Give the paper and the shapes on it."""
    request = sheet.request
    paper = f'<rect width="{request.width}" height="{request.height}" fill="{sheet.theme.background}"/>'
    return [paper, *sheet.drawing.shapes]


def halo(text: Text, em: float) -> str:
    """Give the attributes of the halo of a text, where it has one; `em` is the size of its letters."""
    if not text.halo:
        return ""
    return f' stroke="{text.halo}" stroke-width="{number(em / 4)}" stroke-linejoin="round" paint-order="stroke"'


def _grouped(texts: list[Text]) -> list[str]:
    """Write texts, those of one style that follow each other in one group."""
    written: list[str] = []
    style: tuple[object, ...] = ()
    for text in texts:
        if style != (style := _style(text)):
            written += ["</g>" if written else "", _group(text)]
        written.append(_element(text))
    return [*written, "</g>" if written else ""]


def _style(text: Text) -> tuple[object, ...]:
    return text.size, text.fill, text.weight, text.anchor, text.halo


def _group(text: Text) -> str:
    weight = f' font-weight="{text.weight}"' if text.weight != 400 else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    return f'<g font-size="{number(text.size)}" fill="{text.fill}"{weight}{anchor}{halo(text, text.size)}>'


def _element(text: Text) -> str:
    x, y = number(text.x), number(text.y)
    turn = f' transform="rotate({number(text.turn)} {x} {y})"' if text.turn else ""
    full = f"<title>{_text(text.full)}</title>" if text.full and text.full != text.content else ""
    return f'<text x="{x}" y="{y}"{turn}{_length(text)}>{full}{_text(text.content)}</text>'


def _length(text: Text) -> str:
    """Give the length of a line; none where other fonts draw it, whose widths are only estimated."""
    found = runs(text.content, text.weight)
    if len(text.content) < 2 or any(run.script for run in found):
        return ""
    return f' textLength="{number(found[0].width * text.size)}" lengthAdjust="spacingAndGlyphs"'


def _text(text: str) -> str:
    return escape(text, quote=False)
