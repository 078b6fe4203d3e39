"""Numbers in the cells of a table."""

from collections.abc import Sequence

from mediakit.engines.tables.columns.cells import Cells
from mediakit.engines.tables.columns.numbers import Mark, parse, readings
from mediakit.engines.tables.writers.workbook import Value


def typed_cells(rows: Sequence[Sequence[str | None]]) -> list[list[Value]]:
    """Return cells with the numbers among them as numbers.

    Whether a comma or a point is the decimal mark of a table is decided by the cells that leave no doubt; a point is if
    there are none.
    """
    found = {text: readings(Cells.of([text])) for row in rows for text in row if text}
    clear = [marks[0] for marks in found.values() if len(marks) == 1]
    decimal: Mark = "," if clear.count(",") > clear.count(".") else "."
    return [[_value(text, decimal, found) for text in row] for row in rows]


def _value(text: str | None, decimal: Mark, found: dict[str, list[Mark]]) -> Value:
    if not text or decimal not in found[text]:
        return text
    value: Value = parse(Cells.of([text]), decimal)[text]
    return text if value is None else value
