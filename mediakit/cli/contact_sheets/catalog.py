"""The list of contact sheets."""

from mediakit.cli.contact_sheets import barcodes, charts, templates
from mediakit.cli.contact_sheets.contact_sheet import ContactSheet

CONTACT_SHEETS: tuple[ContactSheet, ...] = (templates.CONTACT_SHEET, barcodes.CONTACT_SHEET, charts.CONTACT_SHEET)
"""All contact sheets, in the order of the index page."""
