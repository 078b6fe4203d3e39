"""Sheets: pages of the demo that show everything of one kind beside each other."""

from mediakit.cli.sheets import templates
from mediakit.cli.sheets.sheet import Sheet

__all__ = ["SHEETS"]

SHEETS: tuple[Sheet, ...] = (templates.SHEET,)
"""Every sheet, in the order in which the index page names them."""
