"""What `chart` gives back: the picture, and the way on to Altair."""

from typing import TYPE_CHECKING, Any

from mediakit.errors import InvalidInput
from mediakit.results.image import ImageResult

if TYPE_CHECKING:
    import altair as alt

    from mediakit.tools.images.chart.request import ChartRequest


class ChartResult(ImageResult):
    """A chart: the last line of a cell shows it, `.to_altair()` makes it interactive."""

    _asked: "ChartRequest | None" = None

    def made_for(self, request: Any) -> None:
        """Keep the request, for what can be made of it later."""
        self._asked = request

    def to_altair(self) -> "alt.Chart":
        """Give the same data as an Altair chart, to change it further or to see it move.

        Colours, size and title come along, and so do stacks and sideways bars; the layout is Vega-Lite's.

        Raises:
            InvalidInput: This is a radar chart, for which Vega-Lite has no mark; or nobody knows its data, because it
                was not made by a call.
        """
        if self._asked is None:
            raise InvalidInput(
                "to_altair: the data of this chart are not known; call mediakit.chart for one that has them."
            )
        from mediakit.tools.images.chart.altair_chart import altair_chart

        return altair_chart(self._asked)
