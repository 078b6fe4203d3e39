"""The list of sheets."""

from mediakit.cli.sheets import barcodes, templates
from mediakit.cli.sheets.sheet import Sheet

SHEETS: tuple[Sheet, ...] = (templates.SHEET, barcodes.SHEET)
"""Every sheet, in the order in which the index page names them."""
