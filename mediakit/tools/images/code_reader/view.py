"""What a notebook shows: the file with a numbered frame around each code, and a table of the codes."""

import io
from collections.abc import Sequence
from html import escape
from typing import Any

import pybase64
from PIL import Image, ImageDraw, ImageFont

from mediakit.core.inputs import FileBytes
from mediakit.core.runtime import runtime
from mediakit.engines import workers
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.errors import MediakitError
from mediakit.results.result import Bundle
from mediakit.tools.images.code_reader import inputs
from mediakit.tools.images.code_reader.tool import Code, CodesResult, Mark

MAX_SIDE_PIXELS = 900
"""Longer side of the rendered image."""

MAX_SHOWN_PAGES = 3
"""Number of PDF pages with codes to show."""

FRAME_COLOR, OUTLINE_COLOR = "#e11d48", "white"


def render(content: bytes, marks: Sequence[Mark], scale: float) -> list[bytes]:
    """Return an image, or the pages of a TIFF or PDF with codes, with frames, at a size for notebooks."""
    pages = sorted({page for _, page, _ in marks if page})[:MAX_SHOWN_PAGES]
    marks_of = {page: [mark for mark in marks if mark[1] == page] for page in pages}
    if not inputs.is_pdf(content):
        if pages:
            return [_with_frames(inputs.decode_tiff_page(content, page), marks_of[page]) for page in pages]
        return [_with_frames(inputs.decode(inputs.read_header(content)), marks)]
    with inputs.open_pdf(content) as document:
        fitting = [page for page in pages if inputs.pixels(document[page - 1], scale) <= MAX_PIXELS]
        return [_with_frames(inputs.render(document[page - 1], scale), marks_of[page]) for page in fitting]


def _with_frames(image: Image.Image, marks: Sequence[Mark]) -> bytes:
    scale_factor = min(1.0, MAX_SIDE_PIXELS / max(image.size))
    size = (max(1, round(image.width * scale_factor)), max(1, round(image.height * scale_factor)))
    shown = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGB")
    draw = ImageDraw.Draw(shown)
    for number, _, corners in marks:
        _frame(draw, number, [(x * scale_factor, y * scale_factor) for x, y in corners], shown.size)
    return _encode(shown)


def _frame(draw: ImageDraw.ImageDraw, number: int, corners: list[tuple[float, float]], size: tuple[int, int]) -> None:
    draw.line([*corners, corners[0], corners[1]], OUTLINE_COLOR, 5, joint="curve")
    draw.line([*corners, corners[0], corners[1]], FRAME_COLOR, 3, joint="curve")
    font = ImageFont.load_default(16)
    left, top, right, bottom = draw.textbbox((0, 0), str(number), font)
    width, height = max(right - left + 12, 24), bottom - top + 12
    x = min(max(min(x for x, _ in corners) - 4, 0), size[0] - width)
    y = min(max(min(y for _, y in corners) - height - 2, 0), size[1] - height)
    draw.rounded_rectangle((x, y, x + width, y + height), 6, FRAME_COLOR, OUTLINE_COLOR, 1)
    draw.text((x + width / 2, y + height / 2), str(number), OUTLINE_COLOR, font, anchor="mm")


def _encode(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", optimize=True)
    if target.tell() > 250_000:
        target = io.BytesIO()
        image.save(target, "JPEG", quality=80)
    return target.getvalue()


MAX_SHOWN_CHARACTERS = 300
"""Characters of a text that the table shows."""

OVERLAY_TIMEOUT_SECONDS = 10.0

_BOX = "max-width:60em;font:13px/1.5 system-ui,sans-serif;color:inherit"
_IMAGE = "display:block;max-width:min(100%,30em);height:auto;margin:0 0 10px;border-radius:6px"
_TABLE = "border-collapse:collapse;margin:0;font-size:13px"
_CELL = "padding:6px 14px 6px 0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top"
_TEXT = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;white-space:pre-wrap"
_SOFT = "opacity:.7;font-size:12px"


def bundle(result: CodesResult) -> Bundle:
    """Return the file with numbered frames, if it is known, and a table of its codes.

    The two classes keep notebooks from typesetting dollar signs as TeX.
    """
    codes = result.codes
    alt = result.alt or f"The file with numbered frames around {result._facts()}"
    file, scale = (None, 1.0) if result._call is None else (result._call.request.file, result._call.request.scale)
    overlays = _overlays(codes, file if isinstance(file, FileBytes) else None, scale)
    images = "".join(f'<img style="{_IMAGE}" src="{_data_uri(each)}" alt="{escape(alt)}">' for each in overlays)
    table = _table(codes, truncated=result.truncated)
    return {"text/html": f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{images}{table}</div>'}, {}


def _overlays(codes: Sequence[Code], file: bytes | None, scale: float) -> list[bytes]:
    if file is None or runtime.inside:
        return []
    marks = [(number, code.page, _corners(code)) for number, code in enumerate(codes, 1)]
    work = "mediakit.tools.images.code_reader.view:render"
    try:
        return runtime.run(workers.run(work, file, marks, scale, returns=list[bytes], seconds=OVERLAY_TIMEOUT_SECONDS))
    except (MediakitError, workers.WorkerFailed):  # The table is sufficient without the image.
        return []


def _corners(code: Code) -> list[tuple[int, int]]:
    position = code.position
    return [position.top_left, position.top_right, position.bottom_right, position.bottom_left]


def _data_uri(content: bytes) -> str:
    kind = "png" if content.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{pybase64.b64encode(content).decode()}"


def _table(codes: Sequence[Code], *, truncated: bool) -> str:
    if not codes:
        return "<div>No code was found.</div>"
    paged = any(code.page for code in codes)
    names = ["No.", "Code", "Text", *(["Page"] if paged else [])]
    head = "".join(f'<th scope="col" style="{_CELL};border-top:0;{_SOFT}">{name}</th>' for name in names)
    rows = "".join(_row(number, code, paged=paged) for number, code in enumerate(codes, 1))
    more = f'<div style="{_SOFT};margin-top:6px">There are more codes. Use a larger max_codes to read them.</div>'
    table = f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return table + (more if truncated else "")


def _row(number: int, code: Code, *, paged: bool) -> str:
    doubt = f'<div style="{_SOFT}">uncertain</div>' if code.confidence == "medium" else ""
    cells = [
        f"<b>{number}</b>",
        f"{escape(code.format)}{doubt}",
        f'<div style="{_TEXT}" dir="auto">{escape(_shorten(_visible(code.text)))}</div>{_details(code)}',
        *([str(code.page or "")] if paged else []),
    ]
    return "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells) + "</tr>"


def _details(code: Code) -> str:
    facts = [f"{each.title or each.ai}: {each.value}" for each in code.gs1 or []]
    if code.parsed:
        shown = {name: value for name, value in code.parsed.items() if name not in ("type", "url")}
        details = [f"{name}: {_value_text(value)}" for name, value in shown.items()]
        facts = [str(code.parsed["type"]), *details] if details else []
    if code.add_on:
        facts.append(f"add-on: {code.add_on}")
    return f'<div style="{_SOFT}" dir="auto">{escape(_shorten(" · ".join(facts)))}</div>' if facts else ""


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _visible(text: str) -> str:
    """Replace control characters with their symbols (U+2400 and following)."""
    return "".join(chr(0x2400 + ord(mark)) if ord(mark) < 32 and mark not in "\r\n\t" else mark for mark in text)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}…"
