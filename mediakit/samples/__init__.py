"""Sample files for examples, documentation and tests, made for mediakit."""

from pathlib import Path

LANDSCAPE = Path(__file__).parent / "landscape.jpg"
"""JPEG of 1600 x 1000 pixels: a lake at dusk with a small red tent at the lower right."""

PAGE = Path(__file__).parent / "page" / "index.html"
"""HTML page with an article, a script, dark mode colors, and LANDSCAPE as `landscape.jpg` (relative URL)."""

REPORT = Path(__file__).parent / "report.pdf"
"""A report of three pages with bookmarks: A5, PDF."""

LOGO = Path(__file__).parent / "logo.png"
"""PNG of 512 x 512 pixels with transparent corners: a mountain and the sun in a circle."""

LABEL = Path(__file__).parent / "label.png"
"""PNG of 1200 x 800 pixels: a jar label with an EAN-13, a QR code, a GS1 Data Matrix and a Code 128."""

CARD_HTML = (Path(__file__).parent / "html" / "card.html").read_text("utf-8")
"""A link preview card for a viewport of 1200 x 630 pixels."""

TABLE_HTML = (Path(__file__).parent / "html" / "table.html").read_text("utf-8")
"""A table of visitors by city, for a viewport of 560 pixels width."""

INVOICE_HTML = (Path(__file__).parent / "html" / "invoice.html").read_text("utf-8")
"""An invoice of one page."""

REPORT_HTML = (Path(__file__).parent / "html" / "report.html").read_text("utf-8")
"""A report of three pages, with a heading on each."""

ARTICLE_HTML = (Path(__file__).parent / "html" / "article.html").read_text("utf-8")
"""An article with a title, an author, a navigation bar and a relative link."""

SALES = Path(__file__).parent / "sales.csv"
"""CSV of 8 orders: semicolons, decimal commas, dates with the day first, order numbers with leading zeros."""
