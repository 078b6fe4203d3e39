"""`chart`: bar, line, pie, doughnut and radar charts."""

import asyncio
from collections.abc import Callable

from mediakit.core.media import image_type
from mediakit.core.tool import tool
from mediakit.engines import workers
from mediakit.errors import RenderFailed
from mediakit.tools.images.chart import bars, lines, pie, png, radar, svg
from mediakit.tools.images.chart.alt_text import alt_text
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.examples import EXAMPLES
from mediakit.tools.images.chart.input_data import read_input_data
from mediakit.tools.images.chart.request import ChartRequest, ChartType
from mediakit.tools.images.chart.result import ChartResult

RENDERERS: dict[ChartType, Callable[[Canvas], None]] = {
    "bar": bars.draw,
    "line": lines.draw,
    "pie": pie.draw,
    "doughnut": pie.draw,
    "radar": radar.draw,
}

RENDER_TIMEOUT_SECONDS = 20.0
"""Timeout of a PNG. The slowest charts (2000 x 2000 pixels, many scripts) take 1.5 seconds."""


@tool(
    ChartRequest,
    tag="Images",
    raw={},
    produces=("image/png", "image/svg+xml"),
    alt=lambda request: alt_text(Canvas.from_request(request)),
    adapt=read_input_data,
    examples=EXAMPLES,
)
async def chart(request: ChartRequest) -> ChartResult:
    """Render a bar, line, pie, doughnut or radar chart.

    Labels keep their order. Labels that are too long end with an ellipsis; in an SVG the whole text is the tooltip.
    Negative values of a pie or doughnut have no slice; they are listed in the legend.

    Raises:
        RenderFailed: Rendering timed out.
    """
    content, alt = await asyncio.to_thread(_render, request)
    if isinstance(content, png.PngSource):
        content = await _render_in_worker(content)
    meta = {"format": request.format, "width": request.width, "height": request.height, "alt": alt}
    return ChartResult(content, image_type(request.format), meta, alt=alt)


def _render(request: ChartRequest) -> tuple[bytes | png.PngSource, str]:
    """Return the image, or the source of a PNG that a worker process must render, and the alt text."""
    canvas = Canvas.from_request(request)
    RENDERERS[request.type](canvas)
    alt = alt_text(canvas)
    if request.format == "svg":
        return svg.render_svg(canvas, alt), alt
    source = png.png_source(canvas)
    return (png.render_png(source.svg, source.levels) if source.quick else source), alt


async def _render_in_worker(source: png.PngSource) -> bytes:
    """Render a PNG in a worker process: rendering holds the interpreter lock and would block all other requests."""
    try:
        return await workers.run(png.render_png, source.svg, source.levels, seconds=RENDER_TIMEOUT_SECONDS)
    except workers.WorkerFailed as failure:
        raise RenderFailed(
            "The chart could not be rendered in time. Try again, or request a smaller image."
        ) from failure
