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
)
