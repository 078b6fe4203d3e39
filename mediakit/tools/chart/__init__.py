"""`chart`: draw numbers as a bar, line, pie, doughnut or radar chart."""

from collections.abc import Callable

from mediakit.core.media import image_type
from mediakit.core.tool import tool
from mediakit.tools.chart import bars, lines, pie, png, radar, svg
from mediakit.tools.chart.accept import accepted
from mediakit.tools.chart.examples import EXAMPLES
from mediakit.tools.chart.request import ChartRequest, ChartType
from mediakit.tools.chart.result import ChartResult
from mediakit.tools.chart.sheet import Sheet
from mediakit.tools.chart.words import described

DRAW: dict[ChartType, Callable[[Sheet], None]] = {
    "bar": bars.draw,
    "line": lines.draw,
    "pie": pie.draw,
    "doughnut": pie.draw,
    "radar": radar.draw,
}


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
def chart(request: ChartRequest) -> ChartResult:
    """Draw a bar, line, pie, doughnut or radar chart.

    Labels keep their order and their number; what is too long ends in an ellipsis, with the whole text in the SVG.
    A slice of a pie has no size below zero: such numbers stand in the legend alone.
    """
    sheet = Sheet.of(request)
    DRAW[request.type](sheet)
    alt = described(sheet)
    content = svg.document(sheet, alt) if request.format == "svg" else png.picture(sheet)
    meta = {"format": request.format, "width": request.width, "height": request.height, "alt": alt}
    return ChartResult(content, image_type(request.format), meta, alt=alt)
