"""The keyboard of the chart's table: Enter, Tab and arrows move between cells, as in a spreadsheet."""

import anywidget

from mediakit.widgets.assets import asset


class SheetKeys(anywidget.AnyWidget):
    """An invisible element beside the table, whose script handles the keys of the table."""

    _esm = asset("sheet_keys.js")


def position_class(row: int, column: int) -> str:
    """Return the class by which the script finds a cell."""
    return f"mediakit-at-{row}-{column}"
