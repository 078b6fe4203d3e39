"""The tool `table_image`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import tool
from mediakit.engines.guarded import TABLE, Guard, run_guarded
from mediakit.engines.tables.model import ReadOptions, Table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import NotConvertible, ServerBusy
from mediakit.results.files import FileResult, ImageResult, PdfResult
from mediakit.tools.images.table_image.alt_text import alt_text, sentence
from mediakit.tools.images.table_image.content import Content, content_of
from mediakit.tools.images.table_image.examples import EXAMPLES
from mediakit.tools.images.table_image.input_table import read_input_table
from mediakit.tools.images.table_image.layout import Layout, lay_out
from mediakit.tools.images.table_image.page import page
from mediakit.tools.images.table_image.painting import Painter
from mediakit.tools.images.table_image.rendering import (
    POINTS_PER_PIXEL,
    Canvas,
    RasterFormat,
    is_quick,
    largest_scale,
    outlined_svg,
    pdf_file,
    raster_file,
    svg_file,
)
from mediakit.tools.images.table_image.request import ImageCall, PageCall, PdfCall, TableImageRequest
from mediakit.tools.images.table_image.theme import THEMES

FORMATS = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "html": "text/html",
}
_NOT_RENDERED = ServerBusy, "A table cannot be rendered right now. Try again."

RENDERING = Guard(
    "table",
    seconds=10,
    took_too_long=(NotConvertible, "rows: rendering took longer than {seconds:g} seconds; show fewer rows."),
    out_of_memory=_NOT_RENDERED,
    crashed=_NOT_RENDERED,
)
"""Large images with East Asian text take longest: half a millisecond a character.

Rendering holds the interpreter lock and would block all other requests in this process.
"""

META: Mapping[str, meta_schemas.Schema] = {
    "width": meta_schemas.integer("Width in pixels; of svg, pdf and html in CSS pixels.", 640),
    "height": meta_schemas.integer("Height in pixels; of svg, pdf and html in CSS pixels.", 480),
    "format": meta_schemas.FORMAT,
    "rows": meta_schemas.integer("Number of rows of the table.", 8),
    "rows_shown": meta_schemas.integer("Number of rows in the image.", 8),
    "pages": meta_schemas.optional(meta_schemas.integer("Number of pages of a PDF.", 1)),
    "alt": meta_schemas.text(
        "The table as a sentence and in Markdown.", "Table: Orders. 2 rows, 2 columns: Day, Orders."
    ),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@overloads(ImageCall, ImageResult, PdfCall, PdfResult, PageCall, FileResult)
@tool(
    TableImageRequest,
    tag="Images",
    raw={"text/csv": "file"},
    produces=FORMATS,
    meta=META,
    errors=[NotConvertible],
    adapt=read_input_table,
    pixel_ratio=lambda request: request.device_scale_factor if request.format in ("png", "webp") else 1,
    licensed_packages={"PyMuPDF": "PDFs with color emoji"},
    examples=EXAMPLES,
)
async def table_image(request: TableImageRequest) -> ImageResult | PdfResult | FileResult:
    """Render a table as an image, a PDF or an HTML page, without a browser.

    Numbers align on the decimal mark, text is left-aligned, and missing values are a dash. Long text has at most three
    lines; in SVG and HTML the whole text is the tooltip. Columns can have bars, sparklines and color scales. The text
    of a PDF can be searched and copied.

    Raises:
        InvalidInput: The table cannot be read, a column does not exist, or the columns do not fit the width.
        NotConvertible: Reading or rendering took longer than 10 seconds.
    """
    table, warnings = await _read(request)
    content = await asyncio.to_thread(content_of, table, request, warnings)
    return await _written(request, await asyncio.to_thread(_compose, content, request), content)


@dataclass(frozen=True)
class _Composed:
    """A table that is laid out, as the formats need it."""

    layout: Layout
    alt: str
    canvas: Canvas | None = None
    """Absent for html, which a browser lays out."""
    source: str | bytes = b""
    """The file itself of svg and html, and the SVG that png, webp and pdf are rendered from."""


def _compose(content: Content, request: TableImageRequest) -> _Composed:
    theme, alt = THEMES[request.theme], alt_text(content)
    is_framed = theme.is_framed or content.has_colored_sides
    layout = lay_out(content, request.width, has_mark=theme.has_mark, is_framed=is_framed)
    title = content.title or sentence(content)
    if request.format == "html":
        return _Composed(layout, alt, source=page(content, theme, request.accent, title, request.width))
    painter = Painter.of(layout, theme, request.accent, is_framed=is_framed)
    canvas = Canvas(painter.paint(), layout.width, layout.height, theme.background)
    source = (
        svg_file(canvas, title, alt)
        if request.format == "svg"
        else outlined_svg(canvas, POINTS_PER_PIXEL if request.format == "pdf" else 1)
    )
    return _Composed(layout, alt, canvas, source)


async def _written(
    request: TableImageRequest, made: _Composed, content: Content
) -> ImageResult | PdfResult | FileResult:
    meta = {
        "width": made.layout.width,
        "height": made.layout.height,
        "format": request.format,
        "rows": content.rows,
        "rows_shown": content.rows_shown,
        "alt": made.alt,
        "warnings": content.warnings,
    }
    if isinstance(made.source, bytes):
        if request.format == "html":
            return FileResult(made.source, FORMATS["html"], "table.html", meta)
        return ImageResult(made.source, FORMATS["svg"], meta, alt=sentence(content))
    if request.format == "pdf" and made.canvas:
        pdf = await run_guarded(pdf_file, made.source, made.canvas.drawing.texts, guard=RENDERING)
        result = PdfResult(pdf, FORMATS["pdf"], {**meta, "pages": 1})
        result.filename = "table.pdf"
        return result
    return await _raster(request, made, meta, alt=sentence(content))


async def _raster(request: TableImageRequest, made: _Composed, meta: dict[str, Any], *, alt: str) -> ImageResult:
    canvas, svg, wanted = made.canvas, str(made.source), request.device_scale_factor
    assert canvas  # noqa: S101  # images have one
    kind: RasterFormat = "webp" if request.format == "webp" else "png"
    scale = largest_scale(canvas, wanted, kind)
    warnings = list(meta["warnings"])
    if scale < wanted:
        warnings.append(
            f"device_scale_factor: {scale} is used, because the image would have too many pixels with {wanted}."
        )
    width, height = canvas.width * scale, canvas.height * scale
    if is_quick(svg, width * height):
        content = await asyncio.to_thread(raster_file, svg, kind, scale)
    else:
        content = await run_guarded(raster_file, svg, kind, scale, guard=RENDERING)
    about = {**meta, "width": width, "height": height, "warnings": warnings}
    return ImageResult(content, FORMATS[kind], about, alt=alt)


async def _read(request: TableImageRequest) -> tuple[Table, list[str]]:
    """Return the table and warnings. Rows are plain values already; files are parsed in a worker."""
    source, options = request.table, request.reading
    if source.field == "rows":
        return await asyncio.to_thread(read_table, source, options)
    return await run_guarded(read_table, source, options, field=source.field, guard=TABLE)


def read_table(source: Source, options: ReadOptions) -> tuple[Table, list[str]]:
    """Return the table of a source, and warnings.

    Raises:
        InvalidInput: The source cannot be read.
    """
    document = as_tables(read_source(source, options), options)
    return document.table, document.facts.warnings
