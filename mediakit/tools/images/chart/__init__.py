"""The `chart` tool."""

from mediakit.tools.images.chart.tool import chart

__all__ = ["chart"]
