"""`chart`: draw numbers as a bar, line, pie, doughnut or radar chart."""

import asyncio
from collections.abc import Callable

from mediakit.core.media import image_type
from mediakit.core.tool import tool
from mediakit.engines import workers
from mediakit.errors import RenderFailed
from mediakit.tools.images.chart import bars, lines, pie, png, radar, svg
from mediakit.tools.images.chart.accept import accepted
from mediakit.tools.images.chart.examples import EXAMPLES
from mediakit.tools.images.chart.request import ChartRequest, ChartType
from mediakit.tools.images.chart.result import ChartResult
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.words import described

DRAW: dict[ChartType, Callable[[Sheet], None]] = {
    "bar": bars.draw,
    "line": lines.draw,
    "pie": pie.draw,
    "doughnut": pie.draw,
    "radar": radar.draw,
}

SECONDS = 20.0
"""The longest that a PNG may take: of 2000 x 2000 pixels and scripts of all kinds it takes one and a half."""


@tool(
    ChartRequest,
    path="/chart",
    tag="Images",
    raw={},
    makes=("image/png", "image/svg+xml"),
    alt=lambda request: described(Sheet.of(request)),
    accept=accepted,
    examples=EXAMPLES,
)
async def chart(request: ChartRequest) -> ChartResult:
    """Draw a bar, line, pie, doughnut or radar chart.

    Labels keep their order and their number; what is too long ends in an ellipsis, with the whole text in the SVG.
    A slice of a pie has no size below zero: such numbers stand in the legend alone.

    Raises:
        RenderFailed: The picture took too long.
    """
    content, alt = await asyncio.to_thread(_drawn, request)
    if isinstance(content, png.Plate):
        content = await _picture(content)
    meta = {"format": request.format, "width": request.width, "height": request.height, "alt": alt}
    return ChartResult(content, image_type(request.format), meta, alt=alt)


def _drawn(request: ChartRequest) -> tuple[bytes | png.Plate, str]:
    """Lay the chart out; give the SVG or the quick PNG, or what a process of its own shall draw, and the alt text."""
    sheet = Sheet.of(request)
    DRAW[request.type](sheet)
    alt = described(sheet)
    if request.format == "svg":
        return svg.document(sheet, alt), alt
    plate = png.plate(sheet)
    return (png.picture(plate.source, plate.levels) if plate.quick else plate), alt


async def _picture(plate: png.Plate) -> bytes:
    """Draw in a process of its own: where it takes longer, everything else here would stand still meanwhile."""
    try:
        return await workers.run(png.picture, plate.source, plate.levels, seconds=SECONDS)
    except workers.WorkerFailed as failure:
        raise RenderFailed("The chart was not drawn in time. Try again, or ask for a smaller picture.") from failure
