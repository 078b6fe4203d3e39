"""Tables whose columns only gaps separate."""

from __future__ import annotations

from collections.abc import Sequence

from mediakit.engines.pdf.tables.bands import row_groups
from mediakit.engines.pdf.tables.columns import boundaries, column_of, corridors, without_sign_columns
from mediakit.engines.pdf.tables.draft import Cell, Draft
from mediakit.engines.pdf.tables.extent import Extent, values_of
from mediakit.engines.pdf.tables.headers import header_cells
from mediakit.engines.pdf.tables.lines import Line, Segment, bold_lines, has_digit, is_valued, merged
from mediakit.engines.pdf.tables.rulings import Ruling
from mediakit.engines.pdf.tables.runs import Run

FEWEST_RULED_ROWS = 3


def run_table(run: Run, horizontal: Sequence[Ruling], others: Sequence[Line]) -> Draft | None:
    """Return the table of a run of lines, or None if they have no columns.

    Args:
        run: The lines.
        horizontal: Rulings of the page.
        others: Other lines of the page, from top to bottom.
    """
    size = sum(line.size for line in run.lines) / len(run.lines)
    if not run.wide:
        return None
    left, right = min(line.x0 for line in run.wide) - 1, max(line.x1 for line in run.wide) + 1
    rules = [
        ruling
        for ruling in horizontal
        if ruling.start < right
        and ruling.end > left
        and ruling.start > left - 6 * size
        and ruling.end < right + 6 * size
    ]
    body = values_of(run.lines)
    gaps = max(corridors(body, size), corridors(_ruled_rows(run.lines, rules, (left, right)), size), key=len)
    if not gaps:
        return None
    single = [line for line in run.lines if len(line.segments) < 2]
    bounds = without_sign_columns(body, boundaries(run.wide, gaps, single))
    header, rest = Extent(run.lines, rules, bounds).split(others)
    lines = [*header, *rest]
    cells = header_cells(header, bounds, rules)
    depth = max((cell.last_row for cell in cells), default=-1) + 1
    row = depth
    bands = _bands(rest, rules, bounds)
    is_ruled = _has_ruled_rows(bands, len(_bands(lines, rules, bounds)), body)
    for band in bands:
        for group in row_groups(band, bounds, is_ruled=is_ruled):
            cells += _row_cells(group, row, bounds)
            row += 1
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    box = (min(line.x0 for line in lines), top, max(line.x1 for line in lines), bottom)
    return Draft(
        row,
        len(bounds) - 1,
        cells,
        box,
        depth or None,
        has_rulings=_is_ruled_inside(lines, rules, right - left),
        has_ruled_rows=is_ruled and row - depth == len(bands),
        has_bold_header=bold_lines(lines) == len(header) > 0
        and len(bounds) - 1 == sum(cell.row == 0 for cell in cells),
    )


def _ruled_rows(lines: Sequence[Line], rules: Sequence[Ruling], bounds: Sequence[float]) -> list[Line]:
    """Return the lines between rulings as one line each, if rulings separate all rows: their cells may not be level."""
    bands = _bands(lines, rules, bounds)
    if len(bands) < FEWEST_RULED_ROWS or len(bands) == len(lines):
        return []
    return [merged(band) for band in bands]


def _has_ruled_rows(bands: Sequence[Sequence[Line]], count: int, body: Sequence[Line]) -> bool:
    """Return whether rulings separate rows, and not only the header and groups of rows.

    Args:
        bands: Lines between rulings.
        count: Number of bands with those of the header.
        body: Lines that show where the columns are.
    """
    if not all(map(is_valued, body)):
        return count >= 3
    return len(bands) >= 4 or len(bands) >= max(3.0, 0.5 * sum(map(len, bands)))


def _is_ruled_inside(lines: Sequence[Line], rules: Sequence[Ruling], width: float) -> bool:
    """Return whether a ruling over most of the table is between its lines."""
    return any(lines[0].middle < rule.at < lines[-1].middle and rule.end - rule.start > 0.6 * width for rule in rules)


def _bands(lines: Sequence[Line], rules: Sequence[Ruling], bounds: Sequence[float]) -> list[list[Line]]:
    """Return the lines between rulings over at least half of the table."""
    width = bounds[-1] - bounds[0]
    places: dict[int, float] = {}
    for rule in rules:
        places[round(rule.at)] = places.get(round(rule.at), 0.0) + rule.end - rule.start
    cuts = [at for at, length in places.items() if length > 0.5 * width]
    bands: list[list[Line]] = []
    for line in lines:
        if bands and not any(bands[-1][-1].middle < at < line.middle for at in cuts):
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _row_cells(lines: Sequence[Line], row: int, bounds: Sequence[float]) -> list[Cell]:
    """Return the cells of a row; a single text that crosses columns spans them."""
    if len(lines) == 1 and len(lines[0].segments) == 1 and not has_digit(lines[0].segments[0].text):
        segment: Segment = lines[0].segments[0]
        first, last = column_of(segment.x0, bounds), column_of(segment.x1, bounds)
        return [Cell(row, first, row, last, segment.words)]
    cells = [Cell(row, column, row, column) for column in range(len(bounds) - 1)]
    for line in lines:
        for word in line.words:
            cells[column_of(word.middle[0], bounds)].words.append(word)
    return [cell for cell in cells if cell.words]
