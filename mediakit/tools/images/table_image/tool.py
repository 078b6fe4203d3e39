"""The tool `table_image`."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.inputs import FileSource, is_table
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.drawing.svg import font_warning, outlined_document, svg_document
from mediakit.engines.guarded import TABLE, Guard, run_guarded
from mediakit.engines.tables.model import ReadOptions, Table, unique_names
from mediakit.engines.tables.python_tables import adapt_table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import NotConvertible, ServerBusy
from mediakit.results.files import FileResult, ImageResult, PdfResult
from mediakit.samples import SALES
from mediakit.tools.images.table_image.content import Content, alt_text, content_of, sentence
from mediakit.tools.images.table_image.layout import Layout, cut_warnings, lay_out
from mediakit.tools.images.table_image.output import (
    POINTS_PER_PIXEL,
    Canvas,
    RasterFormat,
    is_quick,
    largest_scale,
    pdf_file,
    raster_file,
)
from mediakit.tools.images.table_image.page import page
from mediakit.tools.images.table_image.painting import Painter
from mediakit.tools.images.table_image.request import ImageCall, PageCall, PdfCall, TableImageRequest
from mediakit.tools.images.table_image.theme import THEMES

EXAMPLES = (
    Example(
        "Bars, units and a footnote",
        {
            "rows": [
                {"country": "🇮🇳 India", "people": 1450.9, "growth": 0.0089, "age": 28.8},
                {"country": "🇨🇳 China", "people": 1419.3, "growth": -0.0023, "age": 39.6},
                {"country": "🇺🇸 United States", "people": 345.4, "growth": 0.0057, "age": 38.3},
                {"country": "🇮🇩 Indonesia", "people": 283.5, "growth": 0.0082, "age": 30.1},
                {"country": "🇵🇰 Pakistan", "people": 251.3, "growth": 0.0152, "age": 20.4},
            ],
            "columns": [
                {"name": "country", "label": "Country"},
                {"name": "people", "label": "Population", "unit": "millions", "bar": True},
                {"name": "growth", "label": "Growth", "number_format": "+.1%", "unit": "a year"},
                {"name": "age", "label": "Median age", "unit": "years"},
            ],
            "title": "The five largest countries",
            "subtitle": "Population in 2024",
            "footnotes": [{"text": "Projection for the whole year.", "column": "growth"}],
            "source": "United Nations, World Population Prospects",
        },
    ),
    Example(
        "Sparklines and a color scale, dark theme",
        {
            "rows": [
                {
                    "station": "Lisbon",
                    "mean": 17.6,
                    "months": [11.6, 12.7, 14.9, 15.9, 18, 21.2, 23.1, 23.5, 22.1, 18.8],
                },
                {"station": "Berlin", "mean": 10.3, "months": [2.1, 3, 6.2, 10.9, 15.2, 18.6, 20.7, 20.3, 16.1, 11]},
                {"station": "Oslo", "mean": 7.0, "months": [-2.3, -2, 1.4, 6.2, 11.5, 15.3, 17.6, 16.4, 12.1, 6.7]},
            ],
            "columns": [
                {"name": "station", "label": "Station", "bold": True},
                {"name": "months", "label": "January to October", "sparkline": True},
                {"name": "mean", "label": "Mean", "suffix": " °C", "color_scale": ["#dbeafe", "#dc2626"]},
            ],
            "title": "Temperature by month",
            "theme": "dark",
            "accent": "#f59e0b",
        },
    ),
    Example(
        "A CSV file in Spanish, with groups and a total",
        {
            "file": SALES,
            "columns": ["day", "customer", {"name": "amount", "number_format": ",.2f", "suffix": " €"}],
            "group_by": "paid",
            "total": "sum",
            "lang": "es",
            "theme": "striped",
            "format": "svg",
        },
    ),
    Example(
        "A page for the web",
        {
            "rows": [["Plan", "Price", "Storage"], ["Free", 0, "1 GB"], ["Pro", 9.5, "100 GB"], ["Team", 24, None]],
            "columns": ["Plan", {"name": "Price", "prefix": "$", "number_format": ",.2f"}, "Storage"],
            "theme": "grid",
            "format": "html",
        },
    ),
)


_FILES = (str, bytes, bytearray, os.PathLike, FileSource)
LEVEL_SEPARATOR = " / "


def read_input_table(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its table as rows.

    `rows` may also be a file, and `file` a table. An index of pandas is shown if it has a name or is not 0 to n-1.
    Levels of column names become headers above the columns.
    """
    arguments = dict(values)
    source = arguments.get("rows")
    if isinstance(source, _FILES) or (hasattr(source, "read") and not is_table(source)):
        if arguments.get("file") is None:
            arguments["file"] = arguments.pop("rows")
        return adapt_table(arguments)
    if source is None and _is_pandas(arguments.get("file")):
        arguments["rows"] = source = arguments.pop("file")
    if _is_pandas(source):
        _fill_from_pandas(arguments, source)
    return adapt_table(arguments)


def _is_pandas(source: Any) -> bool:
    return is_table(source) and hasattr(source, "reset_index") and hasattr(source, "index")


def _fill_from_pandas(arguments: dict[str, Any], source: Any) -> None:
    frame = source.to_frame() if not hasattr(source, "columns") else source
    levels = [_levels(name) for name in frame.columns]
    index = _index_columns(frame)
    names = unique_names([*(name for name, _ in index), *(LEVEL_SEPARATOR.join(filter(None, each)) for each in levels)])
    table = {name: list(values) for name, (_, values) in zip(names, index, strict=False)}
    for place, name in enumerate(names[len(index) :]):
        table[name] = frame.iloc[:, place].tolist()
    arguments["rows"] = table or source
    defaults = [
        *({"name": name, "label": given} for name, (given, _) in zip(names, index, strict=False)),
        *(_column(name, each) for name, each in zip(names[len(index) :], levels, strict=True)),
    ]
    chosen = arguments.get("columns")
    if chosen is not None:
        arguments["columns"] = _merged(chosen, defaults, levels, len(index))
    elif any(len(default) > 1 and default["label"] != default["name"] for default in defaults):
        group = arguments.get("group_by")
        arguments["columns"] = [default for default in defaults if default["name"] != group]


def _levels(name: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in name) if isinstance(name, tuple) else (str(name),)


def _column(name: str, levels: tuple[str, ...]) -> dict[str, Any]:
    """Return the options of a column whose name has levels."""
    present = [level for level in levels if level]
    if len(levels) == 1 or len(present) < 2:
        return {"name": name, "label": present[-1] if present else ""}
    return {"name": name, "label": present[-1], "spanner": LEVEL_SEPARATOR.join(present[:-1])}


def _index_columns(frame: Any) -> list[tuple[str, Any]]:
    """Return names and values of the levels of an index that is shown."""
    index = frame.index
    names = list(index.names)
    if all(name is None for name in names) and len(names) == 1 and list(index) == list(range(len(frame))):
        return []
    return [
        ("" if name is None else str(name), index.get_level_values(place).tolist()) for place, name in enumerate(names)
    ]


def _merged(
    chosen: Sequence[Any], defaults: Sequence[dict[str, Any]], levels: Sequence[tuple[str, ...]], indexed: int
) -> list[Any]:
    """Return the chosen columns, after those of the index, with the headers of their levels."""
    by_name = {default["name"]: default for default in defaults}
    by_levels = dict(zip(levels, defaults[indexed:], strict=True))
    found: list[Any] = []
    for each in chosen:
        options = dict(each) if isinstance(each, Mapping) else {"name": each}
        name = options.get("name")
        default = by_levels.get(_levels(name)) if isinstance(name, tuple) else by_name.get(str(name))
        found.append({**(default or {}), **options, "name": default["name"] if default else name})
    taken = {options["name"] for options in found}
    return [*(default for default in defaults[:indexed] if default["name"] not in taken), *found]


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

    Numbers align on the decimal mark, text is left-aligned, and missing values are a dash. Columns grow until their
    text fits three lines; where the width ends first, the rest is cut, which is a warning, and the whole text is the
    tooltip of an SVG. Columns can have bars, sparklines and color scales. The text
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
    content.warnings.extend(cut_warnings(layout))
    if request.format != "svg" and (font := font_warning(canvas.drawing.texts, 'or use format "svg" or "html"')):
        content.warnings.append(font)
    source = (
        svg_document(canvas.drawing, canvas.size, canvas.background, name="table", title=title, description=alt)
        if request.format == "svg"
        else outlined_document(
            canvas.drawing, canvas.size, canvas.background, POINTS_PER_PIXEL if request.format == "pdf" else 1
        )
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
