"""Example calls of `table_image`, for the documentation, the forms and the demo."""

from mediakit.core.tool import Example
from mediakit.samples import SALES

EXAMPLES = (
    Example(
        "Bars, units and a footnote",
        {
            "rows": [
                {"country": "🇮🇳 India", "people": 1450.9, "growth": 0.0089, "age": 28.8},
                {"country": "🇨🇳 China", "people": 1419.3, "growth": -0.0023, "age": 39.6},
                {"country": "🇺🇸 United States", "people": 345.4, "growth": 0.0057, "age": 38.3},
                {"country": "🇮🇩 Indonesia", "people": 283.5, "growth": 0.0082, "age": 30.1},
                {"country": "🇵🇰 Pakistan", "people": 251.3, "growth": 0.0152, "age": 20.4},
            ],
            "columns": [
                {"name": "country", "label": "Country"},
                {"name": "people", "label": "Population", "unit": "millions", "bar": True},
                {"name": "growth", "label": "Growth", "number_format": "+.1%", "unit": "a year"},
                {"name": "age", "label": "Median age", "unit": "years"},
            ],
            "title": "The five largest countries",
            "subtitle": "Population in 2024",
            "footnotes": [{"text": "Projection for the whole year.", "column": "growth"}],
            "source": "United Nations, World Population Prospects",
        },
    ),
    Example(
        "Sparklines and a color scale, dark theme",
        {
            "rows": [
                {
                    "station": "Lisbon",
                    "mean": 17.6,
                    "months": [11.6, 12.7, 14.9, 15.9, 18, 21.2, 23.1, 23.5, 22.1, 18.8],
                },
                {"station": "Berlin", "mean": 10.3, "months": [2.1, 3, 6.2, 10.9, 15.2, 18.6, 20.7, 20.3, 16.1, 11]},
                {"station": "Oslo", "mean": 7.0, "months": [-2.3, -2, 1.4, 6.2, 11.5, 15.3, 17.6, 16.4, 12.1, 6.7]},
            ],
            "columns": [
                {"name": "station", "label": "Station", "bold": True},
                {"name": "months", "label": "January to October", "sparkline": True},
                {"name": "mean", "label": "Mean", "suffix": " °C", "color_scale": ["#dbeafe", "#dc2626"]},
            ],
            "title": "Temperature by month",
            "theme": "dark",
            "accent": "#f59e0b",
        },
    ),
    Example(
        "A CSV file in Spanish, with groups and a total",
        {
            "file": SALES,
            "columns": ["day", "customer", {"name": "amount", "number_format": ",.2f", "suffix": " €"}],
            "group_by": "paid",
            "total": "sum",
            "lang": "es",
            "theme": "striped",
            "format": "svg",
        },
    ),
    Example(
        "A page for the web",
        {
            "rows": [["Plan", "Price", "Storage"], ["Free", 0, "1 GB"], ["Pro", 9.5, "100 GB"], ["Team", 24, None]],
            "columns": ["Plan", {"name": "Price", "prefix": "$", "number_format": ",.2f"}, "Storage"],
            "theme": "grid",
            "format": "html",
        },
    ),
)
