"""What a notebook shows: the file with a numbered frame around each code, and a list of the codes."""

from collections.abc import Sequence
from operator import attrgetter

from PIL import Image, ImageDraw, ImageFont

from mediakit.core.inputs import FileBytes
from mediakit.core.runtime import runtime
from mediakit.display import facts_html
from mediakit.display.images import img, preview
from mediakit.engines.raster.source import MAX_PIXELS
from mediakit.engines.workers import WorkerFailed, pool
from mediakit.errors import MediakitError
from mediakit.results.result import Bundle
from mediakit.tools.images.code_reader import inputs
from mediakit.tools.images.code_reader.tool import Code, CodesResult, Mark

MAX_SIDE_PIXELS = 900
"""Longer side of the rendered image."""

MAX_SHOWN_PAGES = 3
"""Number of PDF pages with codes to show."""

MAX_SHOWN = 300
"""Characters of a text that are shown."""

FRAME_COLOR, OUTLINE_COLOR = "#e11d48", "white"


def render(content: bytes, marks: Sequence[Mark], scale: float) -> list[tuple[str, bytes]]:
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


def _with_frames(image: Image.Image, marks: Sequence[Mark]) -> tuple[str, bytes]:
    scale_factor = min(1.0, MAX_SIDE_PIXELS / max(image.size))
    size = (max(1, round(image.width * scale_factor)), max(1, round(image.height * scale_factor)))
    shown = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGB")
    draw, font = ImageDraw.Draw(shown), ImageFont.load_default(16)
    for number, _, corners in marks:
        places = [(x * scale_factor, y * scale_factor) for x, y in corners]
        draw.line([*places, places[0], places[1]], OUTLINE_COLOR, 5, joint="curve")
        draw.line([*places, places[0], places[1]], FRAME_COLOR, 3, joint="curve")
        left, top, right, bottom = draw.textbbox((0, 0), str(number), font)
        width, height = max(right - left + 12, 24), bottom - top + 12
        x = min(max(min(x for x, _ in places) - 4, 0), shown.width - width)
        y = min(max(min(y for _, y in places) - height - 2, 0), shown.height - height)
        draw.rounded_rectangle((x, y, x + width, y + height), 6, FRAME_COLOR, OUTLINE_COLOR, 1)
        draw.text((x + width / 2, y + height / 2), str(number), OUTLINE_COLOR, font, anchor="mm")
    return preview(shown)


OVERLAY_TIMEOUT_SECONDS = 10.0

_IMAGE = "max-width:30em;margin:0 0 10px"


def bundle(result: CodesResult) -> Bundle:
    """Return the file with numbered frames, if it is known, and its codes."""
    codes, call = result.codes, result._call
    alt = result.alt or f"The file with numbered frames around {result._facts()}"
    file, scale = (None, 1.0) if call is None else (call.request.file, call.request.scale)
    overlays = _overlays(codes, file if isinstance(file, FileBytes) else None, scale)
    images = "".join(f'<div style="{_IMAGE}">{img(*each, {"alt": alt})}</div>' for each in overlays)
    title = result._facts() if codes else "No code was found."
    more = ["There are more codes. Use a larger max_codes to read them."] if result.truncated else []
    facts = [(f"{number} · {code.format}", _description(code)) for number, code in enumerate(codes, 1)]
    return {"text/html": f"<div>{images}{facts_html(title, '', facts, more)}</div>"}, {}


def _overlays(codes: Sequence[Code], file: bytes | None, scale: float) -> list[tuple[str, bytes]]:
    if file is None or runtime.inside:
        return []
    corners = attrgetter("top_left", "top_right", "bottom_right", "bottom_left")
    marks: list[Mark] = [(number, code.page, [*corners(code.position)]) for number, code in enumerate(codes, 1)]
    work, seconds = "mediakit.tools.images.code_reader.view:render", OVERLAY_TIMEOUT_SECONDS
    try:
        drawn: list[tuple[str, bytes]] = runtime.run(
            pool.run(work, file, marks, scale, returns=list[tuple[str, bytes]], seconds=seconds)
        )
    except (MediakitError, WorkerFailed):  # The list is sufficient without the image.
        return []
    return drawn


def _description(code: Code) -> str:
    """Return the text of a code and what is known of it; control characters are shown as symbols (U+2400 ...)."""
    facts = [f"{each.title or each.ai}: {each.value}" for each in code.gs1 or []]
    if code.parsed:
        lists = {name: each if isinstance(each, list) else [each] for name, each in code.parsed.items()}
        details = [f"{name}: {', '.join(map(str, lists[name]))}" for name in lists if name not in ("type", "url")]
        facts = [str(code.parsed["type"]), *details] if details else []
    facts += [f"add-on: {code.add_on}"] if code.add_on else []
    facts += [f"page {code.page}"] if code.page else []
    facts += ["uncertain"] if code.confidence == "medium" else []
    text = "".join(chr(0x2400 + ord(mark)) if ord(mark) < 32 else mark for mark in code.text)
    shown = (each if len(each) <= MAX_SHOWN else f"{each[:MAX_SHOWN]}…" for each in (text, " · ".join(facts)))
    return " — ".join(filter(None, shown)) or "no text"
