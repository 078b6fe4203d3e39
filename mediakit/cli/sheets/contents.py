"""The list of sheets."""

from mediakit.cli.sheets import barcodes, charts, templates
from mediakit.cli.sheets.sheet import Sheet

SHEETS: tuple[Sheet, ...] = (templates.SHEET, barcodes.SHEET, charts.SHEET)
"""Every sheet, in the order in which the index page names them."""
