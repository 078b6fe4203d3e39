"""The content of a table image: what each cell says, before it has a place, and the alt text."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mediakit.core.fields import Language
from mediakit.engines.colors import mix
from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text import normalize_text
from mediakit.engines.tables.model import Column, Table, missing
from mediakit.errors import InvalidInput
from mediakit.tools.images.table_image.cell_formats import (
    NULL,
    WORDS,
    Cell,
    ColorScale,
    Kind,
    are_identifiers,
    kind_of,
    writer_of,
)
from mediakit.tools.images.table_image.request import MAX_COLUMNS, MAX_TABLE_ROWS, TableImageRequest
from mediakit.tools.images.table_image.theme import THEMES

Side = Literal["left", "center", "right"]


SCALE_OPACITIES, NEGATIVE_COLOR = (0.08, 0.7), "#e0683c"
"""Opacities of the accent in a default color scale, and the color of its negative numbers."""


@dataclass(frozen=True)
class ShownColumn:
    """A column of the image."""

    name: str
    label: str
    kind: Kind
    side: Side
    cells: tuple[Cell, ...]
    """A cell for each shown row."""
    total: Cell | None = None
    unit: str = ""
    spanner: str = ""
    mark: str = ""
    bold: bool = False
    bar: bool = False
    color_scale: ColorScale | None = None
    width_pct: float | None = None
    low: float = 0
    high: float = 0
    """The smallest and the largest number of all rows, for bars and colors."""


@dataclass(frozen=True)
class Content:
    """Everything that an image of a table says."""

    columns: tuple[ShownColumn, ...]
    groups: tuple[tuple[str, int], ...]
    """Heading and number of rows of each group; one group without a heading if rows are not grouped."""
    title: str
    subtitle: str
    notes: tuple[str, ...]
    """Footnotes and the source."""
    more: str
    """The line that counts the rows that are not shown; empty if all are."""
    has_total: bool
    total_label: str
    rows: int
    rows_shown: int
    lang: Language
    warnings: list[str] = field(default_factory=list)

    @property
    def has_spanners(self) -> bool:
        """Whether a column has a header above its own."""
        return any(column.spanner for column in self.columns)

    @property
    def is_right_to_left(self) -> bool:
        """Whether most headers are written from right to left, so that the first column is at the right."""
        labels = [column.label for column in self.columns if column.label]
        return sum(map(begins_right_to_left, labels)) * 2 > len(labels)

    @property
    def label_place(self) -> int | None:
        """The column that has the label of the last row; None if there is no place for one."""
        if not self.has_total:
            return None
        free = (place for place, column in enumerate(self.columns) if not column.total)
        place = next(free, None)
        return place if place == 0 or (place is not None and self.columns[place].kind == "text") else None

    @property
    def has_groups(self) -> bool:
        """Whether rows are under headings."""
        return any(heading for heading, _ in self.groups)


def content_of(table: Table, request: TableImageRequest, warnings: Iterable[str] = ()) -> Content:
    """Return the content of a table.

    Raises:
        InvalidInput: The table is empty or too large, a column does not exist, or an option does not suit its values.
    """
    source = request.table.field
    count = len(table)
    if not 1 <= count <= MAX_TABLE_ROWS:
        found = str(count) if count <= MAX_TABLE_ROWS else "more"
        raise InvalidInput(f"{source}: must have 1 to {MAX_TABLE_ROWS:,} rows, got {found}.")
    options = _options(table, request)
    shown, groups = _shown_rows(table, request)
    hidden = count - len(shown)
    notes, marks = _footnotes(table, request)
    words = WORDS[request.lang]
    columns = tuple(
        _column(column, _checked(place, column, each), request, shown, marks)
        for place, (column, each) in enumerate(options)
    )
    total_label = words.sum if request.total == "sum" else words.mean
    if request.total != "none" and not any(column.total for column in columns):
        raise InvalidInput(f"total: {request.total} requires a column of numbers; there is none.")
    if request.source:
        notes.append(f"{words.source}: {normalize_text(request.source)}")
    return Content(
        columns=columns,
        groups=groups,
        title=normalize_text(request.title or ""),
        subtitle=normalize_text(request.subtitle or ""),
        notes=tuple(notes),
        more=(words.one_more if hidden == 1 else words.more.format(hidden)) if hidden else "",
        has_total=request.total != "none",
        total_label=total_label,
        rows=count,
        rows_shown=len(shown),
        lang=request.lang,
        warnings=list(warnings),
    )


def _options(table: Table, request: TableImageRequest) -> list[tuple[Column, Mapping[str, Any]]]:
    """Return the columns to show, each with its options."""
    by_name = {column.name: column for column in table.columns}
    chosen: list[Mapping[str, Any]] = [*(request.columns or ())]  # type: ignore[list-item]  # validated as objects
    if request.columns is None:
        chosen = [{"name": name} for name in table.names if name != request.group_by]
    for place, options in enumerate(chosen):
        if options["name"] not in by_name:
            raise InvalidInput(f"columns[{place}]: {missing(options['name'], table.names)}")
    if len(chosen) > MAX_COLUMNS:
        field = request.table.field
        raise InvalidInput(f"{field}: must have at most {MAX_COLUMNS} columns, got {len(chosen)}; choose with columns.")
    kept = [options for options in chosen if options["name"] != request.group_by]
    if not kept:
        raise InvalidInput("columns: must have a column besides the one of group_by.")
    return [(by_name[options["name"]], options) for options in kept]


def _shown_rows(table: Table, request: TableImageRequest) -> tuple[list[int], tuple[tuple[str, int], ...]]:
    """Return the rows to show, in order, and the heading and the number of shown rows of each group."""
    groups = {"": list(range(len(table)))}
    if request.group_by is not None:
        column = next((column for column in table.columns if column.name == request.group_by), None)
        if column is None:
            raise InvalidInput(f"group_by: {missing(request.group_by, table.names)}")
        write, groups = writer_of(column, request, {}), {}
        for place, value in enumerate(column.values):
            groups.setdefault(NULL if value is None else write(value).text, []).append(place)
    shown: list[int] = []
    headings = []
    for heading, rows in groups.items():
        if part := rows[: request.max_rows - len(shown)]:
            shown += part
            headings.append((heading, len(part)))
    return shown, tuple(headings)


def _footnotes(table: Table, request: TableImageRequest) -> tuple[list[str], dict[tuple[str, int], str]]:
    """Return the notes, and the marks by column and row; row -1 is the header."""
    notes: list[str] = []
    marks: dict[tuple[str, int], str] = {}
    given: Sequence[Mapping[str, Any]] = [*(request.footnotes or ())]  # type: ignore[list-item]  # validated as objects
    marked = 0
    for place, note in enumerate(given):
        text = normalize_text(note["text"])
        name, row = note.get("column"), note.get("row")
        if name is None:
            if row is not None:
                raise InvalidInput(f"footnotes[{place}].row: requires column.")
            notes.append(text)
            continue
        if name not in table.names:
            raise InvalidInput(f"footnotes[{place}].column: {missing(name, table.names)}")
        if row is not None and row > len(table):
            raise InvalidInput(f"footnotes[{place}].row: must be at most {len(table)}, got {row}.")
        marked += 1
        mark = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(marked))
        key = (name, -1 if row is None else row - 1)
        marks[key] = f"{marks[key]},{mark}" if key in marks else mark
        notes.append(f"{mark} {text}")
    return notes, marks


def _column(
    column: Column,
    options: Mapping[str, Any],
    request: TableImageRequest,
    shown: Sequence[int],
    marks: Mapping[tuple[str, int], str],
) -> ShownColumn:
    kind = kind_of(column, options)
    write = writer_of(column, request, options)
    written = (Cell(NULL, split=1) if (value := column.values[row]) is None else write(value) for row in shown)
    cells = tuple(
        replace(cell, mark=mark) if (mark := marks.get((column.name, row))) else cell
        for row, cell in zip(shown, written, strict=True)
    )
    numbers = [float(value) for value in column.values if value is not None] if kind == "number" else []
    total = _total(column, numbers, write, request)
    label = normalize_text(options.get("label", column.name))
    has_scale = options.get("color_scale") is not None and bool(numbers)
    return ShownColumn(
        name=column.name,
        label=label,
        kind=kind,
        side=_side(kind, options.get("align", "auto"), cells, label),
        cells=cells,
        total=total,
        unit=normalize_text(options.get("unit", "")),
        spanner=normalize_text(options.get("spanner", "")),
        mark=marks.get((column.name, -1), ""),
        bold=options.get("bold", False),
        bar=options.get("bar", False),
        color_scale=_color_scale(options["color_scale"], numbers, request) if has_scale else None,
        width_pct=options.get("width_pct"),
        low=min(numbers, default=0.0),
        high=max(numbers, default=0.0),
    )


def _color_scale(options: Mapping[str, Any], numbers: Sequence[float], request: TableImageRequest) -> ColorScale:
    low, high = options.get("domain", (min(numbers), max(numbers)))
    background = THEMES[request.theme].background
    tints = tuple(mix(request.accent, background, opacity) for opacity in SCALE_OPACITIES)
    if not options and low < 0 < high:  # losses and gains
        largest = max(-low, high)
        return ColorScale((NEGATIVE_COLOR, background, tints[1]), -largest, 0.0, largest)
    middle = options.get("midpoint", low + (high - low) / 2)
    return ColorScale(tuple(options.get("colors", tints)), min(low, middle), middle, max(high, middle))


def _checked(place: int, column: Column, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of a column; refuse those for numbers in a column of other values."""
    kind = kind_of(column, options)
    for name in ("number_format", "color_scale", "bar", "prefix", "suffix"):
        is_set = options.get(name) not in (None, False, "")
        if is_set and kind != "number" and any(value is not None for value in column.values):
            found = "a sparkline" if kind == "sparkline" else column.type
            raise InvalidInput(
                f'columns[{place}].{name}: requires a column of numbers; "{column.name[:80]}" is {found}.'
            )
    scale = options.get("color_scale") or {}
    low, high = scale.get("domain", (-math.inf, math.inf))
    field = f"columns[{place}].color_scale"
    if low >= high:
        raise InvalidInput(f"{field}.domain: must be two numbers in ascending order, got {low:g} and {high:g}.")
    if not low <= scale.get("midpoint", low) <= high:
        raise InvalidInput(f"{field}.midpoint: must be from {low:g} to {high:g}, got {scale['midpoint']:g}.")
    return options


def _side(kind: Kind, align: str, cells: Sequence[Cell], label: str) -> Side:
    if align != "auto":
        return align  # type: ignore[return-value]  # the other values are sides
    if kind == "number":
        return "right"
    texts = [cell.text for cell in cells if not cell.is_null and cell.text]
    rtl = sum(map(begins_right_to_left, texts))
    is_rtl = rtl * 2 > len(texts) or (not texts and begins_right_to_left(label))
    return "right" if kind == "text" and is_rtl else "left"


def _total(
    column: Column, numbers: Sequence[float], write: Callable[[Any], Cell], request: TableImageRequest
) -> Cell | None:
    """Return the cell of the last row; None for a column without one."""
    present = [value for value in column.values if value is not None]
    if request.total == "none" or not numbers or are_identifiers(column, present):
        return None
    if request.total == "sum":
        return write(sum(present) if all(isinstance(value, int) for value in present) else math.fsum(numbers))
    mean = math.fsum(numbers) / len(numbers)
    return write(mean if column.type == "number" or not mean.is_integer() else int(mean))


MAX_BYTES = 3000
"""Length of the text as JSON; it must also fit into an HTTP header."""

MAX_CELL, MAX_NAMES = 60, 8


def sentence(content: Content) -> str:
    """Return the table in one sentence: title, numbers of rows and columns, and the names of the columns."""
    head = f"Table: {content.title.rstrip('.')}. " if content.title else "Table. "
    names = [_short(column.label or column.name, 30) for column in content.columns[:MAX_NAMES]]
    more = len(content.columns) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"{head}{_counted(content.rows, 'row')}, {_counted(len(content.columns), 'column')}: {listed}."


def alt_text(content: Content) -> str:
    """Return the sentence and the table in Markdown, with as many rows as the text has space for."""
    first = sentence(content)
    headers = [": ".join(filter(None, (column.spanner, column.label))) or " " for column in content.columns]
    lines = [_markdown_line(headers)]
    lines.append(
        "|" + "|".join(" ---: |" if each.side == "right" else " --- |" for each in content.columns).replace("||", "|")
    )
    used = len(json.dumps(first + "\n\n" + "\n".join(lines)))
    for place in range(content.rows_shown):
        line = _markdown_line([_cell_text(column.cells[place]) for column in content.columns])
        used += len(json.dumps(line))
        if used > MAX_BYTES:
            break
        lines.append(line)
    shown = len(lines) - 2
    if used > MAX_BYTES and not shown:
        return first
    rest = content.rows - shown
    tail = [f"({_counted(rest, 'more row')})"] if rest else []
    return "\n".join((first, "", *lines, *tail))


def _markdown_line(cells: list[str]) -> str:
    escaped = (_short(cell, MAX_CELL).replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return "| " + " | ".join(escaped) + " |"


def _cell_text(cell: Cell) -> str:
    if cell.points:
        return ", ".join("–" if number is None else f"{number:g}" for number in cell.points)
    return cell.text + cell.mark


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
