"""Files of the differences: CSV, XLSX, HTML and Markdown for people, and a JSON patch for programs."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from mediakit.engines.tables.model import Column, Document, Facts, Table
from mediakit.engines.tables.writers import WriteOptions
from mediakit.engines.tables.writers import write as write_document
from mediakit.engines.tables.writers.grid_workbook import Filled, Grid, Value, grid_workbook
from mediakit.engines.tables.writers.json_values import encode
from mediakit.tools.data.data_diff.outcome import Outcome
from mediakit.tools.data.data_diff.report import (
    Cell,
    Report,
    ReportRow,
    column_rows,
    facts,
    report_of,
    sentence,
    written,
)
from mediakit.tools.data.data_diff.report_html import html_document

Fill = Literal["green", "red", "yellow"]

FILLS: Mapping[str, Fill] = {"added": "green", "removed": "red", "changed": "yellow"}


def write(outcome: Outcome, meta: Mapping[str, Any], to: str) -> bytes | None:
    """Return the differences as a file; None for json, which is the response itself."""
    if to == "json":
        return None
    if to == "patch":
        return _patch(outcome)
    report = report_of(outcome.fields, meta)
    return _WRITERS[to](report, outcome.fields, meta)


def _patch(outcome: Outcome) -> bytes:
    lines = ",\n".join(f"  {encode(operation, 0)}" for operation in outcome.patch)
    return (f"[\n{lines}\n]\n" if lines else "[]\n").encode("utf-8", "surrogatepass")


def _csv(report: Report, _fields: Mapping[str, Any], _meta: Mapping[str, Any]) -> bytes:
    return _written(report, WriteOptions(to="csv", escape_formulas=True))


def _markdown(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> bytes:
    head = [f"**{sentence(fields)}**", *(f"Column {name}: {what}" for name, what in column_rows(fields))]
    notes = [*head, *meta["warnings"], *([_TRUNCATED] if fields["truncated"] else [])]
    text = "".join(f"{note}\n\n" for note in notes)
    return text.encode() + (_written(report, WriteOptions(to="markdown")) if report.rows else b"")


_TRUNCATED = "There are more differences; set max_changes to list them."


def _written(report: Report, options: WriteOptions) -> bytes:
    columns = zip(_names(report), zip(*map(_texts(report), report.rows), strict=True), strict=False)
    table = Table([Column(name, "text", list(values)) for name, values in columns])
    if not table.columns:
        table = Table([Column(name, "text", []) for name in _names(report)])
    return write_document(Document(Facts(), {"diff": table}), options).content


def _names(report: Report) -> list[str]:
    return ["change", *report.places, *report.columns]


def _texts(report: Report) -> Callable[[ReportRow], list[str]]:
    def texts(row: ReportRow) -> list[str]:
        cells = [row.cells.get(name, Cell()).text for name in report.columns]
        return [row.change, written(row.place), written(row.place2), *cells]

    return texts


def _workbook(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> bytes:
    rows: list[Sequence[Value | Filled]] = [_names(report), *map(_filled(report), report.rows)]
    overview: list[list[Value]] = [["same", "yes" if fields["same"] else "no"]]
    overview += [[what, count] for what, count in facts(fields)]
    overview += [[f"column {name}", what] for name, what in column_rows(fields)]
    overview += [["key", ", ".join(fields["key"] or ())]] if fields["key"] else []
    overview += [["note", note] for note in (*meta["warnings"], *([_TRUNCATED] if fields["truncated"] else []))]
    return grid_workbook({"Differences": Grid(rows, header_rows=1), "Summary": Grid(overview)})


def _filled(report: Report) -> Callable[[ReportRow], list[Value | Filled]]:
    def filled(row: ReportRow) -> list[Value | Filled]:
        fill = FILLS[row.change]
        cells = (_cell(row.cells.get(name), fill, is_whole=row.change != "changed") for name in report.columns)
        return [Filled(row.change, fill), row.place, row.place2, *cells]

    return filled


def _cell(cell: Cell | None, fill: Fill, *, is_whole: bool) -> Value | Filled:
    if cell is None:
        return None
    if cell.is_changed:
        return Filled(cell.text, fill)
    is_number = isinstance(cell.new, int | float | Decimal) and not isinstance(cell.new, bool)
    value: Value = cell.new if is_number else cell.text
    return Filled(value, fill) if is_whole else value


def _html(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> bytes:
    return html_document(report, fields, meta).encode("utf-8", "xmlcharrefreplace")


_WRITERS: Mapping[str, Callable[[Report, Mapping[str, Any], Mapping[str, Any]], bytes]] = {
    "csv": _csv,
    "markdown": _markdown,
    "xlsx": _workbook,
    "html": _html,
}
