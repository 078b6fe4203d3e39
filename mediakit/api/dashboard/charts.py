"""The charts of the dashboard: SVG images made by the `chart` tool, in the colors of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mediakit.usage import DayCalls, ToolCalls

Theme = Literal["light", "dark"]
Size = Literal["wide", "narrow"]

THEMES: tuple[Theme, ...] = ("light", "dark")
PALETTES: Mapping[Theme, tuple[str, str]] = {"light": ("#0d6b60", "#d9a441"), "dark": ("#72d3c2", "#c58f2f")}
"""Colors of charged calls and of calls that were not charged."""
WIDTHS: Mapping[Size, tuple[int, int]] = {"wide": (640, 360), "narrow": (320, 320)}
"""Widths of the charts per day and per tool, in pixels, on a wide and on a narrow screen."""

DAY_HEIGHT = 230
TOOL_MARGIN, TOOL_ROW = 40, 30
"""Height of the chart per tool, and of each of its bars."""
MAX_TOOLS = 8
CACHED_CHARTS = 256

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"
"""Content-Security-Policy of a chart: its fonts and styles are in the file."""


@dataclass(frozen=True, slots=True)
class Look:
    """The theme and the size of a chart."""

    theme: Theme
    size: Size


def calls_per_day(days: Sequence[DayCalls], look: Look) -> bytes:
    """Return an SVG image of the calls per day."""
    return _calls_per_day(tuple((f"{day.day:%b} {day.day.day}", day.charged, day.calls) for day in days), look)


def calls_per_tool(tools: Sequence[ToolCalls], look: Look) -> bytes:
    """Return an SVG image of the calls per tool, most calls first. Rare tools are one bar."""
    rows = [(tool.tool or "unknown", tool.calls) for tool in tools]
    if len(rows) > MAX_TOOLS:
        rest = rows[MAX_TOOLS - 1 :]
        rows = [*rows[: MAX_TOOLS - 1], (f"{len(rest)} others", sum(calls for _, calls in rest))]
    return _calls_per_tool(tuple(rows), look)


@lru_cache(CACHED_CHARTS)
def _calls_per_day(days: tuple[tuple[str, int, int], ...], look: Look) -> bytes:
    from mediakit.tools.images.chart import chart

    series = [
        {"name": "Charged", "data": [charged for _, charged, _ in days]},
        {"name": "Not charged", "data": [calls - charged for _, charged, calls in days]},
    ]
    result = chart(
        "bar",
        [label for label, _, _ in days],
        series,
        stacked=True,
        width=WIDTHS[look.size][0],
        height=DAY_HEIGHT,
        format="svg",
        theme=look.theme,
        palette=list(PALETTES[look.theme]),
        background="transparent",
    )
    return result.content


@lru_cache(CACHED_CHARTS)
def _calls_per_tool(tools: tuple[tuple[str, int], ...], look: Look) -> bytes:
    from mediakit.tools.images.chart import chart

    result = chart(
        "bar",
        [name for name, _ in tools],
        [{"name": "Calls", "data": [calls for _, calls in tools]}],
        horizontal=True,
        legend="none",
        values=True,
        width=WIDTHS[look.size][1],
        height=max(200, TOOL_MARGIN + TOOL_ROW * len(tools)),
        format="svg",
        theme=look.theme,
        palette=[PALETTES[look.theme][0]],
        background="transparent",
    )
    return result.content
