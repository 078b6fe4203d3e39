"""Data sets of charts: typical data, and data that is difficult to lay out."""

from datetime import date, timedelta
from itertools import accumulate
from typing import Any

TYPES = ("bar", "line", "pie", "doughnut", "radar")
LONG_TEXT = (
    "Renewable energy from offshore wind parks in the northern and western regions, measured at the grid and reported"
)

CITIES = ["Berlin", "Lisbon", "Tokyo"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DEPARTMENTS = [
    "Research and development", "Customer support", "Sales, Europe", "Sales, Asia and the Pacific", "Marketing",
    "Human resources", "Legal", "Finance and controlling", "Information technology", "Facilities", "Logistics", "Other",
]  # fmt: skip


def _numbers(count: int, low: float, high: float, seed: int = 1) -> list[float]:
    """Return pseudorandom numbers between `low` and `high`. Equal arguments return equal numbers."""
    state, numbers = seed * 7919, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        numbers.append(round(low + (high - low) * state / 2**31, 1))
    return numbers


def _series(names: list[str], count: int, low: float, high: float) -> list[dict[str, Any]]:
    """Return a series of pseudorandom numbers for each name."""
    return [{"name": name, "data": _numbers(count, low, high, seed)} for seed, name in enumerate(names, 1)]


DATA_SETS: dict[str, dict[str, Any]] = {
    "three series": {
        "title": "Visitors to our stores, in thousands",
        "labels": MONTHS[:6],
        "series": _series(CITIES, 6, 10, 90),
    },
    "one series": {
        "title": "Head count by department",
        "labels": DEPARTMENTS,
        "series": [{"data": [184, 96, 71, 65, 42, 31, 27, 24, 22, 12, 9, 4]}],
        "values": True,
    },
    "one label": {"title": "One label", "labels": ["2025"], "series": [{"name": "Revenue", "data": [42]}]},
    "all zeros": {"labels": ["A", "B", "C"], "series": [{"name": "Nothing yet", "data": [0, 0, 0]}]},
    "negative values": {
        "title": "Change from previous year, percent",
        "labels": ["Food", "Rent", "Energy", "Travel", "Clothes"],
        "series": [
            {"name": "2024", "data": [4.2, 2.5, -11.4, 6.1, -0.8]},
            {"name": "2025", "data": [3.1, 3.9, -4, -7.5, 1]},
        ],
        "values": True,
    },
    "large numbers": {
        "title": "Revenue",
        "labels": [str(year) for year in range(2015, 2026)],
        "series": [{"name": "Group", "data": [value * 1e6 for value in _numbers(11, 0.8, 9.7)]}],
        "number_format": "$.3s",
        "values": True,
    },
    "days": {
        "title": "Latency, milliseconds",
        "labels": [f"2025-{month:02}-{day:02}" for month in (5, 6) for day in range(1, 26)],
        "series": _series(["p50", "p95"], 50, 120, 180),
    },
    "many scripts": {
        "title": "Languages 🌍 言語 לשונות",
        "labels": [
            "日本語", "한국어", "简体中文", "العربية", "עברית", "Ελληνικά", "Русский 🪆", "👩‍💻 code", "Türkçe",
            "हिन्दी",
        ],
        "series": [
            {"name": "話者 (百万)", "data": [123, 82, 1120, 380, 9, 13, 255, 30, 88, 610]},
            {"name": "مكتوبة", "data": _numbers(10, 20, 600)},
        ],
    },
    "duplicates": {
        "labels": ["Same", "Same", "", "Same"],
        "series": [{"name": "Twin", "data": [1, 2, 3, 4]}, {"name": "Twin", "data": [4, 3, 2, 1]}],
    },
    "ten series": {
        "title": "Ten routes by weekday",
        "labels": ["Mon", "Tue", "Wed", "Thu", "Fri"],
        "series": _series([f"Route {letter}" for letter in "ABCDEFGHIJ"], 5, 5, 60),
    },
    "largest": {
        "title": (LONG_TEXT + " " + LONG_TEXT)[:200],
        "labels": [f"{place} {LONG_TEXT}"[:100] for place in range(1, 51)],
        "series": _series([f"{letter} {LONG_TEXT}"[:100] for letter in "ABCDEFGHIJ"], 50, -40, 100),
        "values": True,
    },
}  # fmt: skip


def _walk(count: int, start: float, seed: int) -> list[float]:
    """Return numbers that change a little from one to the next."""
    return [round(start + change, 1) for change in accumulate(_numbers(count, -2, 2.05, seed))]


COMBO = {
    "title": "Sales and plan",
    "labels": MONTHS,
    "series": _series(["2024", "2025", "Plan"], 12, 20, 90),
    "reference_lines": [{"value": 75, "label": "Capacity"}],
}

LARGEST_DATA_SET = "largest"
"""The data set with the longest texts and the most labels and series that a chart may have."""

VARIANTS: dict[str, dict[str, Any]] = {
    "stacked": {**DATA_SETS["three series"], "type": "bar", "stacked": True, "values": True},
    "stacked area": {**DATA_SETS["three series"], "type": "line", "stacked": True},
    "stacked, negative values": {**DATA_SETS["negative values"], "type": "bar", "stacked": True},
    "horizontal": {**DATA_SETS["one series"], "type": "bar", "horizontal": True},
    "horizontal groups": {**DATA_SETS["negative values"], "type": "bar", "horizontal": True},
    "horizontal stacks": {
        **DATA_SETS["three series"],
        "type": "bar",
        "horizontal": True,
        "stacked": True,
        "values": True,
    },
    "horizontal, largest": {**DATA_SETS["largest"], "type": "bar", "horizontal": True},
    "stacked, largest": {**DATA_SETS["largest"], "type": "bar", "stacked": True},
    "stacked area, largest": {**DATA_SETS["largest"], "type": "line", "stacked": True},
    **{f"dark {kind}": {**DATA_SETS["three series"], "type": kind, "theme": "dark"} for kind in TYPES},
    **{f"combo, {theme}": {**COMBO, "type": "combo", "theme": theme} for theme in ("light", "dark")},
    "combo with values": {**COMBO, "type": "combo", "values": True},
    "stacked area of days": {
        "title": "180 days",
        "labels": [(date(2024, 1, 1) + timedelta(days=day)).isoformat() for day in range(180)],
        "series": [{"name": name, "data": _walk(180, 100, seed)} for seed, name in enumerate(CITIES, 11)],
        "type": "area",
        "stacked": True,
    },
    "area of months": {**DATA_SETS["three series"], "type": "area", "values": True, "theme": "dark"},
    **{
        f"palette {name}, {theme}": {**COMBO, "type": "combo", "theme": theme, "palette": name}
        for name in ("ocean", "forest", "sunset", "berry", "earth", "graphite")
        for theme in ("light", "dark")
    },
    **{
        f"background {color}": {**DATA_SETS["three series"], "type": "line", "background": color}
        for color in ("transparent", "#fdf6e3", "navy")
    },
    **{
        f"{kind}, legend {side}": {**DATA_SETS["three series"], "type": kind, "legend": side}
        for kind in ("bar", "pie", "radar")
        for side in ("top", "right", "bottom", "none")
    },
}
