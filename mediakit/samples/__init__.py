"""Sample files for examples, documentation and tests, made for mediakit."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

LANDSCAPE = FOLDER / "landscape.jpg"
"""JPEG of 1600 x 1000 pixels: a lake at dusk with a small red tent at the lower right."""

LANDSCAPE_EDITED = FOLDER / "landscape-edited.jpg"
"""The same landscape without its tent and with a small moon: JPEG, compressed again."""

PAGE = FOLDER / "page" / "index.html"
"""HTML page with an article, a script, dark mode colors, and LANDSCAPE as `landscape.jpg` (relative URL)."""

REPORT = FOLDER / "report.pdf"
"""A report of three pages with bookmarks: A5, PDF."""

LOCKED = FOLDER / "locked.pdf"
"""The first page of the report, which opens with `correct horse` or `battery staple`; only printing is allowed."""

FORM = FOLDER / "form.pdf"
"""A registration form of one page, A5: 12 fields of all types that can be filled."""

SURVEY = FOLDER / "survey.pdf"
"""A survey of a lake on two pages: columns, a table, a list, code, a link and an image; A5, PDF."""

LOGO = FOLDER / "logo.png"
"""PNG of 512 x 512 pixels with transparent corners: a mountain and the sun in a circle."""

LABEL = FOLDER / "label.png"
"""PNG of 1200 x 800 pixels: a jar label with an EAN-13, a QR code, a GS1 Data Matrix and a Code 128."""

CARD_HTML = (FOLDER / "html" / "card.html").read_text("utf-8")
"""A link preview card for a viewport of 1200 x 630 pixels."""

TABLE_HTML = (FOLDER / "html" / "table.html").read_text("utf-8")
"""A table of visitors by city, for a viewport of 560 pixels width."""

BADGE_HTML = (FOLDER / "html" / "badge.html").read_text("utf-8")
"""A badge for `mail_merge` on A5 paper, with placeholders, a QR code and a barcode."""

INVOICE_HTML = (FOLDER / "html" / "invoice.html").read_text("utf-8")
"""An invoice of one page."""

REPORT_HTML = (FOLDER / "html" / "report.html").read_text("utf-8")
"""A report of three pages, with a heading on each."""

ARTICLE_HTML = (FOLDER / "html" / "article.html").read_text("utf-8")
"""An article with a title, an author, a navigation bar and a relative link."""

GUIDE_MARKDOWN = (FOLDER / "guide.md").read_text("utf-8")
"""A field guide in Markdown of about two pages: front matter, lists, tables, code, a formula, alerts, a footnote."""

NOTEBOOK = FOLDER / "lake.ipynb"
"""Jupyter notebook of 13 cells: text with formulas, a table, a chart, a warning, colored text and an error."""

SALES = FOLDER / "sales.csv"
"""CSV of 8 orders: semicolons, decimal commas, dates with the day first, order numbers with leading zeros."""

SUPPLIERS = FOLDER / "suppliers.csv"
"""CSV of 8 suppliers with email addresses, phone numbers, tax numbers, IBANs and EANs; some have typing errors."""

CUSTOMERS = FOLDER / "customers.csv"
"""CSV of 12 customers from an old system: wrong charset, a repeated row, typing errors, several spellings."""

PARTICIPANTS = FOLDER / "participants.csv"
"""CSV of 6 participants of courses, whose columns are keys of the template `certificate`."""

SALES_REVISED = FOLDER / "sales_revised.csv"
"""The orders of SALES a week later: one was canceled, one is new, three changed, and a column was added. Commas."""

CITIES = FOLDER / "cities.txt"
"""Spanish text in windows-1252 with CRLF line breaks."""

CONTRACT = FOLDER / "contract.pdf"
"""An agreement of two pages with names, addresses, phone numbers and bank accounts, all made up: A4, PDF with tags and
bookmarks."""

MINUTES = FOLDER / "minutes.docx"
"""Word document: minutes of a meeting with headings, lists, a table with merged cells, and a formula."""

SLIDES = FOLDER / "lake.pptx"
"""Presentation of 4 slides: bullets with notes, a chart, and an image with alternative text."""

STATIONS = FOLDER / "stations.xlsx"
"""Workbook with dates, percentages and currency on a first sheet, a second one, and a hidden one."""

ARCHIVE = FOLDER / "archive.zip"
"""ZIP of two tables in the folder `data`, a text whose name is not ASCII, and LOGO; with a comment."""

PROPOSAL = FOLDER / "proposal.docx"
"""A Word template of one page with placeholders: a proposal with a table, a list and a condition; A4."""

PROPOSAL_DATA: dict[str, Any] = json.loads((FOLDER / "proposal.json").read_text("utf-8"))
"""Values for all placeholders of PROPOSAL."""
