"""The result of `chart`: an image that can be exported to Altair."""

from typing import TYPE_CHECKING

from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult

if TYPE_CHECKING:
    import altair as alt


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
        from mediakit.tools.images.chart.altair_chart import altair_chart

        return altair_chart(self._call.request)
