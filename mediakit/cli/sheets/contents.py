"""The list of sheets."""

from mediakit.cli.sheets import templates
from mediakit.cli.sheets.sheet import Sheet

SHEETS: tuple[Sheet, ...] = (templates.SHEET,)
"""Every sheet, in the order in which the index page names them."""
