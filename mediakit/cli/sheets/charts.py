"""The demo's sheet of charts: every type with data of every shape, at every size."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from mediakit.cli.sheets.sheet import Figure, Section, Sheet
from mediakit.tools.images.chart import chart

TYPES = ("bar", "line", "pie", "doughnut", "radar")
WORDS = (
    "Renewable energy from offshore wind parks in the northern and western regions, measured at the grid and reported"
)

CITIES = ["Berlin", "Lisbon", "Tokyo"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DEPARTMENTS = [
    "Research and development", "Customer support", "Sales, Europe", "Sales, Asia and the Pacific", "Marketing",
    "Human resources", "Legal", "Finance and controlling", "Information technology", "Facilities", "Logistics", "Other",
]  # fmt: skip


def numbers(count: int, low: float, high: float, seed: int = 1) -> list[float]:
    """Give numbers that look like data, the same each time."""
    state, found = seed * 7919, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        found.append(round(low + (high - low) * state / 2**31, 1))
    return found


def series(names: list[str], count: int, low: float, high: float) -> list[dict[str, Any]]:
    """Give a series of such numbers for each name."""
    return [{"name": name, "data": numbers(count, low, high, seed)} for seed, name in enumerate(names, 1)]


SHAPES: dict[str, dict[str, Any]] = {
    "three series": {
        "title": "Visitors to our stores, in thousands",
        "labels": MONTHS[:6],
        "series": series(CITIES, 6, 10, 90),
    },
    "one series": {
        "title": "Head count by department",
        "labels": DEPARTMENTS,
        "series": [{"data": [184, 96, 71, 65, 42, 31, 27, 24, 22, 12, 9, 4]}],
        "values": True,
    },
    "one label": {"title": "Only one", "labels": ["2025"], "series": [{"name": "Revenue", "data": [42]}]},
    "all zeroes": {"labels": ["A", "B", "C"], "series": [{"name": "Nothing yet", "data": [0, 0, 0]}]},
    "below zero": {
        "title": "Change on the year, per cent",
        "labels": ["Food", "Rent", "Energy", "Travel", "Clothes"],
        "series": [
            {"name": "2024", "data": [4.2, 2.5, -11.4, 6.1, -0.8]},
            {"name": "2025", "data": [3.1, 3.9, -4, -7.5, 1]},
        ],
        "values": True,
    },
    "large": {
        "title": "Revenue",
        "labels": [str(year) for year in range(2015, 2026)],
        "series": [{"name": "Group", "data": [value * 1e6 for value in numbers(11, 0.8, 9.7)]}],
        "number_format": "$.3s",
        "values": True,
    },
    "days": {
        "title": "Latency, milliseconds",
        "labels": [f"2025-{month:02}-{day:02}" for month in (5, 6) for day in range(1, 26)],
        "series": series(["p50", "p95"], 50, 120, 180),
    },
    "scripts": {
        "title": "Languages 🌍 言語 לשונות",
        "labels": [
            "日本語", "한국어", "简体中文", "العربية", "עברית", "Ελληνικά", "Русский 🪆", "👩‍💻 code", "Türkçe",
            "हिन्दी",
        ],
        "series": [
            {"name": "話者 (百万)", "data": [123, 82, 1120, 380, 9, 13, 255, 30, 88, 610]},
            {"name": "مكتوبة", "data": numbers(10, 20, 600)},
        ],
    },
    "twice the same": {
        "labels": ["Same", "Same", "", "Same"],
        "series": [{"name": "Twin", "data": [1, 2, 3, 4]}, {"name": "Twin", "data": [4, 3, 2, 1]}],
    },
    "ten series": {
        "title": "Ten ways through a week",
        "labels": ["Mon", "Tue", "Wed", "Thu", "Fri"],
        "series": series([f"Route {letter}" for letter in "ABCDEFGHIJ"], 5, 5, 60),
    },
    "the most": {
        "title": (WORDS + " " + WORDS)[:200],
        "labels": [f"{place} {WORDS}"[:100] for place in range(1, 51)],
        "series": series([f"{letter} {WORDS}"[:100] for letter in "ABCDEFGHIJ"], 50, -40, 100),
        "values": True,
    },
}  # fmt: skip

VARIANTS: dict[str, dict[str, Any]] = {
    "stacked": {**SHAPES["three series"], "type": "bar", "stacked": True, "values": True},
    "stacked area": {**SHAPES["three series"], "type": "line", "stacked": True},
    "stacked, below zero": {**SHAPES["below zero"], "type": "bar", "stacked": True},
    "sideways": {**SHAPES["one series"], "type": "bar", "horizontal": True},
    "sideways groups": {**SHAPES["below zero"], "type": "bar", "horizontal": True},
    "sideways stacks": {**SHAPES["three series"], "type": "bar", "horizontal": True, "stacked": True, "values": True},
    "sideways, the most": {**SHAPES["the most"], "type": "bar", "horizontal": True},
    "stacks, the most": {**SHAPES["the most"], "type": "bar", "stacked": True},
    "areas, the most": {**SHAPES["the most"], "type": "line", "stacked": True},
    **{f"dark {kind}": {**SHAPES["three series"], "type": kind, "theme": "dark"} for kind in TYPES},
    **{
        f"{kind}, legend {side}": {**SHAPES["three series"], "type": kind, "legend": side}
        for kind in ("bar", "pie", "radar")
        for side in ("top", "right", "bottom", "none")
    },
}
SIZES = ((200, 200), (320, 240), (400, 300), (200, 600), (1000, 200), (600, 800), (1200, 630), (2000, 1400))


def _chapters() -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Give the calls of each section, by caption."""
    for kind in TYPES:
        yield kind, {name: {**shape, "type": kind} for name, shape in SHAPES.items()}
    yield "Options", VARIANTS
    for kind in TYPES:
        yield (
            f"{kind} at every size",
            {
                f"{name}, {width} × {height}": {**SHAPES[name], "type": kind, "width": width, "height": height}
                for width, height in SIZES
                for name in ("three series", "the most")
            },
        )


SHEET = Sheet(
    name="charts",
    title="Charts",
    about="every type with data of every shape, at every size",
    sections=tuple(
        Section(title, tuple(Figure(caption, partial(chart, **call)) for caption, call in calls.items()))
        for title, calls in _chapters()
    ),
)
