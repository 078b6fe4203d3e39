"""A report on differences: rows, sentences, files and HTML."""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from mediakit.display import view_html
from mediakit.engines.tables.columns.cells import text_of
from mediakit.engines.tables.model import Column, Document, Facts, Table
from mediakit.engines.tables.writers import WriteOptions
from mediakit.engines.tables.writers import write as write_document
from mediakit.engines.tables.writers.values import encode
from mediakit.engines.tables.writers.workbook import Filled, Grid, Value, grid_workbook
from mediakit.tools.data.data_diff.cells import Outcome
from mediakit.tools.data.data_diff.rows import row_name

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Cell:
    """What a cell was and is; None is null. Both are the same unless the cell changed."""

    old: Any = None
    new: Any = None
    is_changed: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the cell is a number."""
        return isinstance(self.new, int | float | Decimal) and not isinstance(self.new, bool)

    @property
    def text(self) -> str:
        """The cell as text: `old → new` if it changed."""
        return f"{shown(self.old)} → {shown(self.new)}" if self.is_changed else written(self.new)


@dataclass(frozen=True)
class ReportRow:
    """A difference: its kind, its place in both inputs, and its cells by column."""

    change: Change
    place: int | str | None
    place2: int | str | None
    cells: Mapping[str, Cell]


@dataclass(frozen=True)
class Report:
    """All differences that are listed."""

    places: tuple[str, str]
    """Names of the columns with the places."""
    columns: list[str]
    rows: list[ReportRow]
    notes: dict[str, str] = field(default_factory=dict)
    """What happened to a column, by its name."""


def written(value: Any) -> str:
    """Return a value as text; null is empty."""
    if value is None:
        return ""
    return value if isinstance(value, str) else shown(value)


def shown(value: Any) -> str:
    """Return a value as text that also shows null and an empty text."""
    if value is None:
        return "null"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return text_of(value) if value != "" else '""'


def report_of(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> Report:
    """Return the report of a response."""
    return _tree_report(fields) if fields["mode"] == "tree" else _table_report(fields, meta)


def _tree_report(fields: Mapping[str, Any]) -> Report:
    rows = [
        *(ReportRow("removed", each["path"], None, {"value": Cell(new=each["value"])}) for each in fields["removed"]),
        *(
            ReportRow(
                "changed", each["path"], each["path2"], {"value": Cell(each["from"], each["to"], is_changed=True)}
            )
            for each in fields["changed"]
        ),
        *(ReportRow("added", None, each["path"], {"value": Cell(new=each["value"])}) for each in fields["added"]),
    ]
    return Report(("path", "path2"), ["value"], rows)


def _table_report(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> Report:
    names, names2 = ([column["name"] for column in meta[member] or ()] for member in ("columns", "columns2"))
    renamed = {each["to"]: each["from"] for each in fields["columns"]["renamed"]}
    rows = [_lone_row("removed", row, row_name(names), {}) for row in fields["removed"]]
    for row in fields["changed"]:
        cells = {name: Cell(value, value) for name, value in (row["key"] or {}).items()}
        cells |= {name: Cell(change["from"], change["to"], is_changed=True) for name, change in row["changes"].items()}
        rows.append(ReportRow("changed", row["row"], row["row2"], cells))
    rows.sort(key=lambda row: row.place)  # type: ignore[arg-type,return-value]  # they are numbers
    added = [_lone_row("added", row, row_name(names2), renamed) for row in fields["added"]]
    used = {name for row in (*rows, *added) for name in row.cells}
    order = [*(fields["key"] or ()), *names, *(renamed.get(name, name) for name in names2)]
    columns = [name for name in dict.fromkeys(order) if name in used]
    changes = fields["columns"]
    notes = {**dict.fromkeys(changes["added"], "column added"), **dict.fromkeys(changes["removed"], "column removed")}
    notes |= {each["from"]: f"renamed {each['to']}" for each in changes["renamed"]}
    return Report(("row", "row2"), columns, _merged(rows, added), notes)


def _merged(rows: list[ReportRow], added: list[ReportRow]) -> list[ReportRow]:
    """Return all rows with the added ones after the changed ones that stand above them in the second table."""
    changed = sorted((row.place2, index) for index, row in enumerate(rows) if row.change == "changed")
    places2 = [place2 for place2, _ in changed]
    after: dict[int, list[ReportRow]] = {}
    for row in added:
        found = bisect_right(places2, row.place2)  # type: ignore[type-var]
        after.setdefault(changed[found - 1][1] if found else -1, []).append(row)
    merged = after.get(-1, [])
    for index, row in enumerate(rows):
        merged += [row, *after.get(index, ())]
    return merged


def _lone_row(change: Change, row: Mapping[str, Any], number: str, renamed: Mapping[str, str]) -> ReportRow:
    cells = {renamed.get(name, name): Cell(new=value) for name, value in row.items() if name != number}
    if change == "removed":
        return ReportRow(change, row[number], None, cells)
    return ReportRow(change, None, row[number], cells)


def facts(fields: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the counts that are not 0, with what they count."""
    nouns = ("row", "rows") if fields["mode"] == "table" else ("value", "values")
    counts = fields["summary"]
    found = [(kind, counts[kind], nouns) for kind in ("added", "removed", "changed", "moved")]
    found += [(kind, counts[f"columns_{kind}"], ("column", "columns")) for kind in ("added", "removed", "renamed")]
    return [(f"{one if count == 1 else several} {kind}", count) for kind, count, (one, several) in found if count]


def sentence(fields: Mapping[str, Any]) -> str:
    """Return the outcome in one line, such as `2 rows added, 1 row changed`."""
    found = ", ".join(f"{count:,} {what}" for what, count in facts(fields))
    if fields["same"]:
        return f"same ({found})" if found else "same"
    return found or "same rows in another order of columns"


def column_rows(fields: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """Return what happened to the columns, as names and words."""
    columns = fields["columns"]
    found = [(name, "added") for name in columns["added"]] + [(name, "removed") for name in columns["removed"]]
    found += [(each["from"], f"renamed to {each['to']}") for each in columns["renamed"]]
    return found + [(each["column"], f"{each['from']} became {each['to']}") for each in columns["type_changed"]]


MAX_CHARACTERS = 80
"""Characters of a cell; the whole text is its tooltip."""

_TEMPLATE = Path(__file__).parent / "report.html"
_DOCUMENT_STYLE = ":root { color-scheme: light dark } body { margin: 1.5rem; font: 14px/1.5 system-ui, sans-serif }"


def html_document(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    """Return a document with all differences that are listed."""
    body = fragment(report, fields, meta, len(report.rows))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Differences</title>'
        f"<style>{_DOCUMENT_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def fragment(
    report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any], limit: int, columns: int = 1000
) -> str:
    """Return counts, notes and a table of so many rows and columns at most, as the template `report.html` has them."""
    counts = fields["summary"]
    return view_html(
        _TEMPLATE,
        report=report,
        fields=fields,
        counts=[*facts(fields), *([("unchanged", counts["unchanged"])] if counts["unchanged"] else [])],
        notes=_html_notes(fields),
        warnings=meta["warnings"],
        columns=report.columns[:columns],
        rows=report.rows[:limit],
        more=sum(counts[name] for name in ("added", "removed", "changed")) - min(limit, len(report.rows)),
        shown_cells=_shown_cells,
        line=_line,
        written=written,
    )


def _html_notes(fields: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    key = ", ".join(fields["key"] or ())
    notes = [("Key (found)" if fields["key_found"] else "Key", key)] if key else []
    grouped: dict[str, list[str]] = {}
    for name, what in column_rows(fields):
        if what in ("added", "removed"):
            grouped.setdefault(f"Columns {what}", []).append(name)
        else:
            grouped.setdefault("Columns with other names or types", []).append(f"{name} ({what})")
    return [*notes, *((what, ", ".join(names)) for what, names in grouped.items())]


def _shown_cells(row: ReportRow, columns: Sequence[str]) -> Iterator[tuple[Cell | None, str, str, str]]:
    """Yield the cells of a row, each with its tooltip, what it was and what it is."""
    for cell in map(row.cells.get, columns):
        if cell is not None and cell.is_changed:
            old, new = shown(cell.old), shown(cell.new)
            yield cell, _tooltip(f"{old} → {new}"), _line(old), _line(new)
        else:
            text = "" if cell is None else cell.text
            yield cell, _tooltip(text), "", _line(text)


def _tooltip(text: str) -> str:
    return text[:1000] if len(text) > MAX_CHARACTERS or "\n" in text else ""


def _line(text: str) -> str:
    """Return the beginning of a text on one line."""
    start = text[: MAX_CHARACTERS + 1]
    line = start if start.isprintable() else " ↵ ".join(start.splitlines())
    return line[:MAX_CHARACTERS] + ("…" if len(text) > MAX_CHARACTERS else "")


Fill = Literal["green", "red", "yellow"]

FILLS: Mapping[str, Fill] = {"added": "green", "removed": "red", "changed": "yellow"}


def write(outcome: Outcome, meta: Mapping[str, Any], to: str) -> bytes | None:
    """Return the differences as a file; None for json, which is the response itself."""
    if to == "json":
        return None
    if to == "patch":
        lines = ",\n".join(f"  {encode(operation, 0)}" for operation in outcome.patch)
        return (f"[\n{lines}\n]\n" if lines else "[]\n").encode("utf-8", "surrogatepass")
    report = report_of(outcome.fields, meta)
    return _WRITERS[to](report, outcome.fields, meta)


def _markdown(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> bytes:
    head = [f"**{sentence(fields)}**", *(f"Column {name}: {what}" for name, what in column_rows(fields))]
    notes = [*head, *meta["warnings"], *([_TRUNCATED] if fields["truncated"] else [])]
    text = "".join(f"{note}\n\n" for note in notes)
    return text.encode() + (_written(report, WriteOptions(to="markdown")) if report.rows else b"")


_TRUNCATED = "There are more differences; set max_changes to list them."


def _written(report: Report, options: WriteOptions) -> bytes:
    rows = [
        [row.change, written(row.place), written(row.place2)]
        + [row.cells.get(name, Cell()).text for name in report.columns]
        for row in report.rows
    ]
    names = ["change", *report.places, *report.columns]
    table = Table([Column(name, "text", [row[place] for row in rows]) for place, name in enumerate(names)])
    return write_document(Document(Facts(), {"diff": table}), options).content


def _workbook(report: Report, fields: Mapping[str, Any], meta: Mapping[str, Any]) -> bytes:
    rows: list[Sequence[Value | Filled]] = [["change", *report.places, *report.columns]]
    for row in report.rows:
        fill, is_whole = FILLS[row.change], row.change != "changed"
        cells = (_file_cell(row.cells.get(name), fill, is_whole=is_whole) for name in report.columns)
        rows.append([Filled(row.change, fill), row.place, row.place2, *cells])
    overview: list[list[Value]] = [["same", "yes" if fields["same"] else "no"]]
    overview += [[what, count] for what, count in facts(fields)]
    overview += [[f"column {name}", what] for name, what in column_rows(fields)]
    overview += [["key", ", ".join(fields["key"] or ())]] if fields["key"] else []
    overview += [["note", note] for note in (*meta["warnings"], *([_TRUNCATED] if fields["truncated"] else []))]
    return grid_workbook({"Differences": Grid(rows, header_rows=1), "Summary": Grid(overview)})


def _file_cell(cell: Cell | None, fill: Fill, *, is_whole: bool) -> Value | Filled:
    if cell is None:
        return None
    if cell.is_changed:
        return Filled(cell.text, fill)
    value: Value = cell.new if cell.is_number else cell.text
    return Filled(value, fill) if is_whole else value


_WRITERS: Mapping[str, Callable[[Report, Mapping[str, Any], Mapping[str, Any]], bytes]] = {
    "csv": lambda report, _fields, _meta: _written(report, WriteOptions(to="csv", escape_formulas=True)),
    "markdown": _markdown,
    "xlsx": _workbook,
    "html": lambda *parts: html_document(*parts).encode("utf-8", "xmlcharrefreplace"),
}
