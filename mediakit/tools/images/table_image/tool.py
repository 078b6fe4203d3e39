"""The tool `table_image`."""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.inputs import FileSource, is_table
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.drawing.svg import font_warning, outlined_document, svg_document
from mediakit.engines.drawing.text import Text
from mediakit.engines.guarded import TABLE, Guard, run_guarded
from mediakit.engines.tables.model import ReadOptions, Table, unique_names
from mediakit.engines.tables.python_tables import adapt_table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.errors import NotConvertible, ServerBusy
from mediakit.results.files import FileResult, ImageResult, PdfResult
from mediakit.samples import FOLDER, SALES
from mediakit.tools.images.table_image.content import Content, alt_text, content_of, sentence
from mediakit.tools.images.table_image.output import (
    POINTS_PER_PIXEL,
    RasterFormat,
    is_quick,
    largest_scale,
    pdf_file,
    raster_file,
)
from mediakit.tools.images.table_image.page import page
from mediakit.tools.images.table_image.painting import TableDrawing
from mediakit.tools.images.table_image.request import ImageCall, PageCall, PdfCall, TableImageRequest
from mediakit.tools.images.table_image.theme import THEMES

CSV_EXAMPLE = Example(
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
)
EXAMPLES = [Example(**each) for each in json.loads((FOLDER / "tables.json").read_text("utf-8"))]
EXAMPLES.insert(2, CSV_EXAMPLE)


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
    frame = source if hasattr(source, "columns") else source.to_frame()
    index_names, indexed = ["" if name is None else str(name) for name in frame.index.names], 0
    if any(index_names) or len(index_names) > 1 or list(frame.index) != list(range(len(frame))):
        frame, indexed = frame.reset_index(names=index_names, allow_duplicates=True), len(index_names)
    levels = [_levels(name) for name in frame.columns]
    names = unique_names([LEVEL_SEPARATOR.join(filter(None, each)) for each in levels])
    arguments["rows"] = {name: frame.iloc[:, place].tolist() for place, name in enumerate(names)} or source
    defaults = []
    for name, each in zip(names, levels, strict=True):
        *above, label = [level for level in each if level] or [""]
        spanner = {"spanner": LEVEL_SEPARATOR.join(above)} if above else {}
        defaults.append({"name": name, "label": label, **spanner})
    chosen = arguments.get("columns")
    if chosen is not None:
        arguments["columns"] = _merged(chosen, defaults, levels, indexed)
    elif any(default["label"] != default["name"] for default in defaults):
        group = arguments.get("group_by")
        arguments["columns"] = [default for default in defaults if default["name"] != group]


def _levels(name: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in name) if isinstance(name, tuple) else (str(name),)


def _merged(
    chosen: Sequence[Any], defaults: Sequence[dict[str, Any]], levels: Sequence[tuple[str, ...]], indexed: int
) -> list[Any]:
    """Return the chosen columns, after those of the index, with the headers of their levels."""
    by_name = {default["name"]: default for default in defaults}
    by_levels = dict(zip(levels, defaults, strict=True))
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
    given, options = request.table, request.reading
    if given.field == "rows":  # plain values already; files are parsed in a worker
        table, warnings = await asyncio.to_thread(read_table, given, options)
    else:
        table, warnings = await run_guarded(read_table, given, options, field=given.field, guard=TABLE)
    content = await asyncio.to_thread(content_of, table, request, warnings)
    source, texts, meta = await asyncio.to_thread(_draw, content, request)
    match request.format:
        case "html":
            return FileResult(source.encode(), FORMATS["html"], "table.html", meta)
        case "svg":
            return ImageResult(source.encode(), FORMATS["svg"], meta, alt=sentence(content))
        case "pdf":
            result = PdfResult(await run_guarded(pdf_file, source, texts, guard=RENDERING), FORMATS["pdf"], meta)
            result.filename = "table.pdf"
            return result
        case kind:
            image = await _raster(source, kind, request.device_scale_factor, meta)
            return ImageResult(image, FORMATS[kind], meta, alt=sentence(content))


def _draw(content: Content, request: TableImageRequest) -> tuple[str, list[Text], dict[str, Any]]:
    """Return the file of svg and html, or the SVG that other formats are rendered from; its texts, and the meta."""
    theme, kind = THEMES[request.theme], request.format
    title, alt = content.title or sentence(content), alt_text(content)
    table = TableDrawing(content, theme, request.accent, request.width)
    drawing, size = table.drawing, (table.width, table.height)
    warnings = [*content.warnings, *(table.cut_warnings() if kind != "html" else ())]
    if kind not in ("svg", "html") and (font := font_warning(drawing.texts, 'or use format "svg" or "html"')):
        warnings.append(font)
    if kind == "html":
        source = page(content, theme, request.accent, title, request.width)
    elif kind == "svg":
        source = svg_document(drawing, size, theme.background, name="table", title=title, description=alt).decode()
    else:
        source = outlined_document(drawing, size, theme.background, POINTS_PER_PIXEL if kind == "pdf" else 1)
    meta: dict[str, Any] = {"width": table.width, "height": table.height, "format": kind, "rows": content.rows}
    meta |= {"rows_shown": content.rows_shown, "alt": alt, "warnings": warnings}
    return source, drawing.texts, {**meta, "pages": 1} if kind == "pdf" else meta


async def _raster(svg: str, kind: RasterFormat, wanted: int, meta: dict[str, Any]) -> bytes:
    """Return the file of png and webp, and set its size and scale in the meta."""
    scale = largest_scale((meta["width"], meta["height"]), wanted, kind)
    if scale < wanted:
        meta["warnings"].append(
            f"device_scale_factor: {scale} is used, because the image would have too many pixels with {wanted}."
        )
    meta |= {"width": meta["width"] * scale, "height": meta["height"] * scale}
    if is_quick(svg, meta["width"] * meta["height"]):
        return await asyncio.to_thread(raster_file, svg, kind, scale)
    return await run_guarded(raster_file, svg, kind, scale, guard=RENDERING)


def read_table(source: Source, options: ReadOptions) -> tuple[Table, list[str]]:
    """Return the table of a source, and warnings.

    Raises:
        InvalidInput: The source cannot be read.
    """
    document = as_tables(read_source(source, options), options)
    return document.table, document.facts.warnings
