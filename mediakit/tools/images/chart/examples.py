"""Example calls of `chart`, for the documentation, the forms and the demo."""

from mediakit.core.tool import Example

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

EXAMPLES = (
    Example(
        "Grouped bars with values",
        {
            "type": "bar",
            "labels": ["Q1", "Q2", "Q3", "Q4"],
            "series": [
                {"name": "2024", "data": [184, 211, 236, 305]},
                {"name": "2025", "data": [228, 264, 251, 372]},
            ],
            "title": "Orders by quarter",
            "values": True,
        },
    ),
    Example(
        "Lines, dark theme",
        {
            "type": "line",
            "labels": MONTHS,
            "series": [
                {"name": "Berlin", "data": [2.1, 3.0, 6.2, 10.9, 15.2, 18.6, 20.7, 20.3, 16.1, 11.0, 6.3, 3.1]},
                {"name": "Lisbon", "data": [11.6, 12.7, 14.9, 15.9, 18.0, 21.2, 23.1, 23.5, 22.1, 18.8, 15.0, 12.4]},
                {"name": "Oslo", "data": [-2.3, -2.0, 1.4, 6.2, 11.5, 15.3, 17.6, 16.4, 12.1, 6.7, 1.9, -1.7]},
            ],
            "title": "Mean temperature",
            "number_format": "{} °C",
            "theme": "dark",
        },
    ),
    Example(
        "Doughnut with values",
        {
            "type": "doughnut",
            "labels": ["Wind", "Solar", "Gas", "Coal", "Hydro", "Other"],
            "series": [{"name": "TWh", "data": [136, 74, 80, 105, 21, 58]}],
            "title": "Power generation by source",
            "values": True,
        },
    ),
    Example(
        "Radar chart, as SVG",
        {
            "type": "radar",
            "labels": ["Speed", "Comfort", "Range", "Price", "Safety", "Service"],
            "series": [
                {"name": "Model A", "data": [82, 64, 91, 55, 88, 70]},
                {"name": "Model B", "data": [68, 86, 73, 81, 84, 60]},
            ],
            "title": "Two models compared",
            "format": "svg",
        },
    ),
    Example(
        "Horizontal bars with long labels",
        {
            "type": "bar",
            "labels": ["Research and development", "Customer support", "Sales, Asia and the Pacific", "Legal", "Other"],
            "series": [{"data": [184, 96, 71, 31, 12]}],
            "title": "Head count by department",
            "horizontal": True,
            "values": True,
            "palette": ["#0d6b60"],
        },
    ),
    Example(
        "Timeline with a reference line",
        {
            "type": "timeline",
            "labels": [
                "2025-01-06",
                "2025-01-13",
                "2025-01-20",
                "2025-02-03",
                "2025-02-10",
                "2025-02-17",
                "2025-02-24",
                "2025-03-10",
                "2025-03-17",
                "2025-03-24",
                "2025-03-31",
                "2025-04-07",
                "2025-04-14",
                "2025-04-28",
            ],
            "series": [
                {
                    "name": "Response time",
                    "data": [212, 208, 231, 226, 240, 252, 247, 268, 259, 281, 277, 264, 249, 243],
                }
            ],
            "title": "Response time, 95th percentile",
            "number_format": "{} ms",
            "values": True,
            "palette": "ocean",
            "reference_lines": [{"value": 250, "label": "Limit", "color": "#c62828"}],
        },
    ),
    Example(
        "Scatter chart of two groups",
        {
            "type": "scatter",
            "series": [
                {
                    "name": "Apartments",
                    "x": [38, 45, 52, 58, 61, 67, 74, 83, 90, 96],
                    "data": [640, 720, 790, 905, 880, 1010, 1090, 1240, 1280, 1395],
                },
                {
                    "name": "Houses",
                    "x": [84, 97, 104, 118, 126, 139, 148, 160],
                    "data": [1080, 1150, 1290, 1320, 1475, 1530, 1690, 1740],
                },
            ],
            "title": "Rent by floor area in square meters",
            "number_format": "${,.0f}",
            "palette": "forest",
        },
    ),
    Example(
        "Bars and a line",
        {
            "type": "combo",
            "labels": MONTHS,
            "series": [
                {"name": "2025", "data": [42, 48, 61, 58, 72, 81, 90, 87, 69, 58, 47, 64]},
                {
                    "name": "Mean of 2020 to 2024",
                    "data": [40, 44, 52, 57, 66, 74, 82, 80, 68, 59, 48, 55],
                    "type": "line",
                },
            ],
            "title": "Visitors, in thousands",
            "reference_lines": [{"value": 75, "label": "Capacity"}],
        },
    ),
    Example(
        "Areas over years, with a missing value",
        {
            "type": "area",
            "labels": ["2018", "2019", "2020", "2021", "2022", "2023", "2024"],
            "series": [
                {"name": "Wind", "data": [110, 126, 132, 114, 125, 142, 139]},
                {"name": "Solar", "data": [46, 47, 51, None, 60, 64, 74]},
            ],
            "title": "Power generation, TWh",
            "palette": "earth",
            "missing": "gap",
            "background": "#fdf8f0",
        },
    ),
)
