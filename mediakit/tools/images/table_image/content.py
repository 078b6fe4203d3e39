"""The content of a table image: what each cell says, before it has a place."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mediakit.core.fields import Language
from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.number_format import NumberFormatter, decimal_mark, parse_number_format, table_format
from mediakit.engines.drawing.text import normalize_text
from mediakit.engines.tables.model import Column, Table, missing
from mediakit.errors import InvalidInput
from mediakit.tools.images.table_image.fields import MAX_COLUMNS
from mediakit.tools.images.table_image.request import MAX_ROWS, TableImageRequest
from mediakit.tools.images.table_image.words import NULL, WORDS, moment_text, time_text

Kind = Literal["text", "number", "boolean", "moment", "sparkline"]
Side = Literal["left", "center", "right"]

MAX_CELL_CHARACTERS = 2000
"""Characters of a cell that are laid out; three lines show fewer."""

MAX_POINTS = 500
"""Numbers of a sparkline."""

MAX_NUMBER = 1e300
"""Columns with larger numbers are shown as text."""

NUMBER_TYPES = ("integer", "number")
_FIGURES = re.compile(r"\d[\d.,]*", re.ASCII)
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_YEAR_NAME = re.compile(r"(?<![a-zñ])(years?|años?|anos?)(?![a-zñ])", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """What a cell says."""

    text: str
    """The text; of a number with its affixes."""
    number: float | None = None
    points: tuple[float | None, ...] = ()
    """The numbers of a sparkline."""
    split: int = 0
    """Of a number: where its text is split for alignment, before the decimal mark or after the last digit."""
    mark: str = ""
    """Marks of footnotes."""

    @property
    def is_null(self) -> bool:
        """Whether the cell has no value."""
        return self.text == NULL and self.number is None and not self.points


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
    color_scale: tuple[str, str] | None = None
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
    def has_colored_sides(self) -> bool:
        """Whether the first or the last column has cells with colors."""
        return bool(self.columns[0].color_scale or self.columns[-1].color_scale)

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
    if not 1 <= count <= MAX_ROWS:
        found = str(count) if count <= MAX_ROWS else f"more than {MAX_ROWS}"
        raise InvalidInput(f"{source}: must have 1 to {MAX_ROWS} rows, got {found}.")
    options = _options(table, request)
    order, groups = _grouped(table, request)
    shown = order[: request.max_rows]
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
        groups=_cut(groups, len(shown)),
        title=normalize_text(request.title or ""),
        subtitle=normalize_text(request.subtitle or ""),
        notes=tuple(notes),
        more=words.more_rows(count - len(shown)) if count > len(shown) else "",
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


def _grouped(table: Table, request: TableImageRequest) -> tuple[list[int], list[tuple[str, int]]]:
    """Return the order of the rows, and the heading and the number of rows of each group."""
    places = list(range(len(table)))
    if request.group_by is None:
        return places, [("", len(places))]
    column = next((column for column in table.columns if column.name == request.group_by), None)
    if column is None:
        raise InvalidInput(f"group_by: {missing(request.group_by, table.names)}")
    write = _writer(column, request, {})
    groups: dict[str, list[int]] = {}
    for place, value in enumerate(column.values):
        groups.setdefault(NULL if value is None else write(value).text, []).append(place)
    return [place for rows in groups.values() for place in rows], [(name, len(rows)) for name, rows in groups.items()]


def _cut(groups: list[tuple[str, int]], count: int) -> tuple[tuple[str, int], ...]:
    """Return the groups of the first rows."""
    left, kept = count, []
    for name, size in groups:
        if left > 0:
            kept.append((name, min(size, left)))
        left -= size
    return tuple(kept)


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
        mark = "".join(_superscript(digit) for digit in str(marked))
        key = (name, -1 if row is None else row - 1)
        marks[key] = f"{marks[key]},{mark}" if key in marks else mark
        notes.append(f"{mark} {text}")
    return notes, marks


def _superscript(digit: str) -> str:
    return "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)]


def _column(
    column: Column,
    options: Mapping[str, Any],
    request: TableImageRequest,
    shown: Sequence[int],
    marks: Mapping[tuple[str, int], str],
) -> ShownColumn:
    kind = _kind(column, options)
    write = _writer(column, request, options)
    cells = tuple(_cell(column.values[row], write, marks.get((column.name, row), "")) for row in shown)
    numbers = [float(value) for value in column.values if value is not None] if kind == "number" else []
    total = _total(column, numbers, write, request)
    label = normalize_text(options.get("label", column.name))
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
        color_scale=tuple(options["color_scale"]) if options.get("color_scale") else None,
        width_pct=options.get("width_pct"),
        low=min(numbers, default=0.0),
        high=max(numbers, default=0.0),
    )


def _kind(column: Column, options: Mapping[str, Any]) -> Kind:
    if options.get("sparkline"):
        return "sparkline"
    if all(value is None for value in column.values):
        return "text"
    if column.type in NUMBER_TYPES:
        return "number" if all(value is None or abs(value) < MAX_NUMBER for value in column.values) else "text"
    return (
        "boolean" if column.type == "boolean" else "moment" if column.type in ("date", "datetime", "time") else "text"
    )


def _checked(place: int, column: Column, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of a column; refuse those for numbers in a column of other values."""
    kind = _kind(column, options)
    for name in ("number_format", "color_scale", "bar", "prefix", "suffix"):
        if options.get(name) and kind != "number" and any(value is not None for value in column.values):
            found = "a sparkline" if kind == "sparkline" else column.type
            raise InvalidInput(
                f'columns[{place}].{name}: requires a column of numbers; "{column.name[:80]}" is {found}.'
            )
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


def _cell(value: Any, write: Callable[[Any], Cell], mark: str) -> Cell:
    cell = Cell(NULL, split=1) if value is None else write(value)
    if not mark:
        return cell
    return Cell(cell.text, cell.number, cell.points, cell.split, mark)


def _writer(column: Column, request: TableImageRequest, options: Mapping[str, Any]) -> Callable[[Any], Cell]:
    """Return the function that writes a value of a column."""
    kind, lang = _kind(column, options), request.lang
    if kind == "sparkline":
        return _sparkline(column.name)
    if kind == "number":
        return _number_writer(column, request, options)
    if kind == "boolean":
        words = WORDS[lang]
        return lambda value: Cell(words.yes if value else words.no)
    if column.type == "time":
        return lambda value: Cell(time_text(value))
    if kind == "moment":
        has_time = any(value is not None and value[11:19].strip("0:") for value in column.values)
        return lambda value: Cell(moment_text(value, lang, has_time=has_time))
    return lambda value: Cell(_plain_text(value) or NULL)


def _plain_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return normalize_text(text[:MAX_CELL_CHARACTERS])


def _number_writer(column: Column, request: TableImageRequest, options: Mapping[str, Any]) -> Callable[[Any], Cell]:
    numbers = [value for value in column.values if value is not None]
    chosen = options.get("number_format", request.number_format)
    write: NumberFormatter
    if chosen:
        write = parse_number_format(chosen, [float(value) for value in numbers], request.lang)
    else:
        exact = [value if isinstance(value, int) else float(value) for value in numbers]
        write = table_format(exact, request.lang, groups=not _are_years(column, numbers))
    before, after = normalize_text(options.get("prefix", "")), _kept_space(options.get("suffix", ""))
    mark = decimal_mark(request.lang)

    def cell(value: Any) -> Cell:
        number = value if isinstance(value, int) and not chosen else float(value)
        text = write(number)
        sign, rest = (text[0], text[1:]) if text[:1] in "−+" and text else ("", text)
        whole = f"{sign}{before}{rest}{after}"
        return Cell(whole, float(value), split=_split(whole, len(sign) + len(before), mark))

    return cell


def _kept_space(text: str) -> str:
    """Return a text for the end of a number with the space that it begins with."""
    normal = normalize_text(text)
    return f" {normal}" if text[:1].isspace() and normal else normal


def _split(text: str, start: int, mark: str) -> int:
    """Return where the text of a number is split for alignment."""
    figures = _FIGURES.search(text, start)
    if not figures:
        return len(text)
    place = figures[0].rfind(mark)
    return figures.start() + place if place >= 0 else figures.end()


def _are_years(column: Column, numbers: Sequence[Any]) -> bool:
    if not _YEAR_NAME.search(column.name):
        return False
    return all(isinstance(value, int) and 1000 <= value <= 2999 for value in numbers)


def _total(
    column: Column, numbers: Sequence[float], write: Callable[[Any], Cell], request: TableImageRequest
) -> Cell | None:
    """Return the cell of the last row; None for a column without one."""
    present = [value for value in column.values if value is not None]
    if request.total == "none" or not numbers or _are_years(column, present):
        return None
    if request.total == "sum":
        return write(sum(present) if all(isinstance(value, int) for value in present) else math.fsum(numbers))
    mean = math.fsum(numbers) / len(numbers)
    return write(mean if column.type == "number" or not mean.is_integer() else int(mean))


def _sparkline(name: str) -> Callable[[Any], Cell]:
    def cell(value: Any) -> Cell:
        points = _points(value)
        if points is None:
            raise InvalidInput(f'columns: sparkline requires lists of numbers in "{name[:80]}".')
        return Cell("", points=points) if points else Cell(NULL)

    return cell


def _points(value: Any) -> tuple[float | None, ...] | None:
    """Return the numbers of a list, or of its JSON or comma-separated text; None if it is something else."""
    if isinstance(value, str):
        text = value.strip()
        try:
            value = json.loads(
                text if text.startswith("[") else f"[{text.replace(' ', ',') if ',' not in text else text}]"
            )
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, list):
        value = [value]
    if len(value) > MAX_POINTS:
        return None
    numbers = [item is None or (isinstance(item, int | float) and not isinstance(item, bool)) for item in value]
    if not all(numbers) or any(item is not None and not abs(item) < 1e300 for item in value):
        return None
    return tuple(None if item is None else float(item) for item in value)
