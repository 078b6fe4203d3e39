"""The cells of a table as rows of texts, where None is covered by the cell to the left or above."""

from collections.abc import Sequence

Rows = Sequence[Sequence[str | None]]


def column_names(rows: Rows, header_rows: int) -> list[str]:
    """Return the name of each column: the texts above one another in the header, each once."""
    header = [[" ".join(text.split()) if text is not None else None for text in row] for row in rows[:header_rows]]
    names: list[list[str]] = [[] for _ in (rows[0] if rows else ())]
    for index, row in enumerate(header):
        for column, name in enumerate(names):
            text = _covering(header, index, column) if row[column] is None else row[column]
            if text and text not in name[-1:]:
                name.append(text)
    return [" ".join(parts) for parts in names]


def _covering(rows: Rows, row: int, column: int) -> str | None:
    """Return the text of the cell that covers a place: of the one above if it has text, else of the one to the left."""
    above = rows[row - 1][column] if row else None
    if above is not None:
        return above
    return next((text for text in reversed(rows[row][:column]) if text is not None), None)
