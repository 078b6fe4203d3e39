"""`chart`: bar, line, pie, doughnut, radar and area charts, timelines, scatter charts, and bars with lines."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mediakit.core import meta_schemas
from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.engines.drawing.svg import font_warning
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import InvalidInput, RenderFailed
from mediakit.results.files import ImageResult
from mediakit.results.item import ResultWarning
from mediakit.samples import FOLDER
from mediakit.tools.images.chart import output
from mediakit.tools.images.chart.input_data import read_input_data
from mediakit.tools.images.chart.layout.canvas import Canvas
from mediakit.tools.images.chart.output import alt_text
from mediakit.tools.images.chart.request import AXIS_TYPES, PIE_TYPES, ChartRequest, ChartType
from mediakit.tools.images.chart.types import bars, lines, pie, radar, scatter

if TYPE_CHECKING:
    import altair as alt

EXAMPLES = [Example(**each) for each in json.loads((FOLDER / "charts.json").read_text("utf-8"))]


class ChartResult(ImageResult):
    """A rendered chart. A notebook displays it; `.to_altair()` returns an interactive version."""

    def to_altair(self) -> "alt.Chart | alt.LayerChart":
        """Return the same data as an Altair chart, for further changes or interactive display.

        Charts with reference lines, and bars with lines, are layered charts.

        Colors, size, title, stacking and horizontal bars are kept; the layout is that of Vega-Lite.

        Raises:
            InvalidInput: The chart is a radar chart, which Vega-Lite does not support; or the result was not returned
                by a call of `chart`, so its data is unknown.
        """
        if self._call is None:
            raise InvalidInput(
                "to_altair: the data of this chart is unknown. Use a result that was returned by mediakit.chart."
            )
        from mediakit.tools.images.chart.altair import altair_chart

        return altair_chart(self._call.request)


RENDERERS: dict[ChartType, Callable[[Canvas], None]] = {
    "bar": bars.draw,
    "line": lines.draw,
    "pie": pie.draw,
    "doughnut": pie.draw,
    "radar": radar.draw,
    "timeline": lines.draw,
    "scatter": scatter.draw,
    "area": lines.draw,
    "combo": bars.draw,
}

_NOT_RENDERED = RenderFailed, "The chart could not be rendered in time. Try again, or request a smaller image."

RENDERING = Guard("chart", seconds=20, took_too_long=_NOT_RENDERED, out_of_memory=_NOT_RENDERED, crashed=_NOT_RENDERED)
"""The slowest charts (2000 x 2000 pixels, many scripts, 50,000 dots) take 2 seconds."""

META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.FORMAT,
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "alt": meta_schemas.text("The chart in words.", "Bar chart: Orders. 2 labels: Q1 184, Q2 305."),
    "type": meta_schemas.optional(meta_schemas.text("Type of a chart on an axis of dates or numbers.", "timeline")),
    "warnings": meta_schemas.optional(meta_schemas.WARNINGS),
}


@tool(
    ChartRequest,
    tag="Images",
    raw={},
    produces=("image/png", "image/svg+xml"),
    meta=META,
    alt=lambda request: alt_text(Canvas.from_request(request)),
    adapt=read_input_data,
    examples=EXAMPLES,
)
async def chart(request: ChartRequest) -> ChartResult:
    """Render a bar, line, area, pie, doughnut, radar or scatter chart, a timeline, or bars with lines.

    Labels keep their order. Labels that are too long end with an ellipsis; in an SVG the whole text is the tooltip.
    Negative values of a pie or doughnut have no slice; they are listed in the legend. The labels of a timeline, and the
    x values of a scatter chart, are dates, times or numbers on an axis that is true to scale.

    Raises:
        RenderFailed: Rendering timed out.
    """
    content, alt, warnings = await asyncio.to_thread(_render, request)
    if isinstance(content, output.PngSource):
        # Rendering holds the interpreter lock and would block all other requests.
        content = await run_guarded(output.render_png, *content, guard=RENDERING)
    meta: dict[str, Any] = {"format": request.format, "width": request.width, "height": request.height, "alt": alt}
    if request.type in AXIS_TYPES:
        meta["type"] = request.type
    if warnings:
        meta["warnings"] = warnings
    return ChartResult(content, image_type(request.format), meta, alt=alt)


def _render(request: ChartRequest) -> tuple[bytes | output.PngSource, str, list[ResultWarning]]:
    """Return the image, or the source of a PNG that a worker process must render, the alt text, and the warnings."""
    canvas = Canvas.from_request(request)
    RENDERERS[request.type](canvas)
    alt, warnings = alt_text(canvas), []
    count = sum(value is None for series in request.series for value in series["data"])
    if count:
        values = "1 missing value is" if count == 1 else f"{count} missing values are"
        gap = "drawn as a gap" if count == 1 else "drawn as gaps"
        treatment = gap if request.missing == "gap" else "counted as zero"
        warnings.append(ResultWarning(code="missing_values", message=f"series: {values} {treatment}."))
    if request.type in PIE_TYPES and len(canvas.series) > 1:
        shown, *others = (f'"{series.name}"' for series in canvas.series)
        message = f"series: a {request.type} chart shows one series, {shown}; it does not show {', '.join(others)}."
        warnings.append(ResultWarning(code="first_series_only", message=message))
    if request.format == "png" and (font := font_warning(canvas.drawing.texts, 'or use format "svg"')):
        warnings.append(ResultWarning(code="missing_font", message=font))
    return output.render(canvas, alt), alt, warnings
