"""HTML of tables for notebooks, in light and dark: rows of a table, and facts about a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mediakit.display import view

MAX_SHOWN_ROWS = 20
MAX_SHOWN_COLUMNS = 30


@dataclass(frozen=True)
class ShownColumn:
    """A column as a notebook shows it."""

    name: str
    type: str
    is_right_aligned: bool = False


def table_html(columns: Sequence[ShownColumn], rows: Sequence[Sequence[str | None]], caption: str, total: int) -> str:
    """Return the first rows of a table as HTML.

    Args:
        columns: The columns.
        rows: Cells of each row as text; None is null.
        caption: A line above the table.
        total: The number of rows of the whole table.
    """
    shown = columns[:MAX_SHOWN_COLUMNS]
    omitted = (total - min(len(rows), MAX_SHOWN_ROWS), "row"), (len(columns) - len(shown), "column")
    more = " and ".join(f"{count:,} more {unit}{'s' if count > 1 else ''}" for count, unit in omitted if count > 0)
    return view("table", columns=shown, rows=rows[:MAX_SHOWN_ROWS], caption=caption, more=more)


def facts_html(title: str, subtitle: str, facts: Iterable[tuple[str, str]], warnings: Iterable[str] = ()) -> str:
    """Return facts as HTML; facts without a value are omitted. Everything is shown as text.

    Args:
        title: What the facts are about.
        subtitle: Shown beside the title.
        facts: Names and values.
        warnings: Sentences, shown between the title and the facts.
    """
    return view("facts", title=title, subtitle=subtitle, facts=facts, warnings=warnings)
