"""The differences as HTML that reads well in light and dark: for notebooks, and as a document of its own."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from mediakit.tools.data.data_diff.report import Cell, Report, ReportRow, column_rows, facts, shown, written

MAX_CHARACTERS = 80
"""Characters of a cell; the whole text is its tooltip."""

_MAX_TOOLTIP = 1000
_SIGNS = {"added": "+", "removed": "\N{MINUS SIGN}", "changed": "~"}
_GREEN, _RED, _YELLOW = "rgba(46,160,67,.22)", "rgba(248,81,73,.22)", "rgba(210,153,34,.2)"
_GRAY = "rgba(128,128,128,.18)"
_COLORS = {"added": _GREEN, "removed": _RED, "changed": _YELLOW}
_LINE = "border:0;border-bottom:1px solid rgba(128,128,128,.28);padding:4px 10px;white-space:pre;vertical-align:top"
_HEAD = f"{_LINE};border-bottom:2px solid rgba(128,128,128,.45);font-weight:600;text-align:left"
_BOX = "font:13px/1.45 system-ui,sans-serif;max-width:100%"
_TABLE = "border-collapse:collapse;margin:0;color:inherit;font:inherit;font-variant-numeric:tabular-nums"
_BADGE = "display:inline-block;padding:1px 8px;margin:0 6px 4px 0;border-radius:10px"
_MARK = "padding:0 3px;border-radius:3px"
_MUTED = "opacity:.65"

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
    """Return counts, notes and a table of differences.

    Args:
        report: The differences.
        fields: The response.
        meta: Its meta.
        limit: The largest number of rows to show.
        columns: The largest number of columns to show.
    """
    parts = [f'<div style="margin:0 0 6px">{_badges(fields)}</div>']
    parts += [_note(f"{what}: {name}") for what, name in _notes(fields)]
    parts += [_note(warning) for warning in meta["warnings"]]
    if report.rows:
        parts.append(_table(report, limit, columns))
    total = sum(fields["summary"][name] for name in ("added", "removed", "changed"))
    parts += (
        [_note(f"and {total - min(limit, len(report.rows)):,} more")] if total > min(limit, len(report.rows)) else []
    )
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(parts)}</div>'


def _badges(fields: Mapping[str, Any]) -> str:
    verdict = f'<b style="margin-right:10px">{"Same" if fields["same"] else "Different"}</b>'
    counts = fields["summary"]
    unchanged = [("unchanged", counts["unchanged"])] if counts["unchanged"] else []
    return verdict + "".join(
        f'<span style="{_BADGE};background:{_COLORS.get(what.split()[-1], _GRAY)}">{count:,} {what}</span>'
        for what, count in (*facts(fields), *unchanged)
    )


def _notes(fields: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    key = ", ".join(fields["key"] or ())
    notes = [("Key (found)" if fields["key_found"] else "Key", key)] if key else []
    grouped: dict[str, list[str]] = {}
    for name, what in column_rows(fields):
        if what in ("added", "removed"):
            grouped.setdefault(f"Columns {what}", []).append(name)
        else:
            grouped.setdefault("Columns with other names or types", []).append(f"{name} ({what})")
    return [*notes, *((what, ", ".join(names)) for what, names in grouped.items())]


def _note(text: str) -> str:
    return f'<div style="margin:0 0 4px;{_MUTED}">{escape(text)}</div>'


def _table(report: Report, limit: int, columns: int) -> str:
    names = report.columns[:columns]
    heads = [_head("", "change"), *(_head(name) for name in report.places)]
    heads += [_head(name, report.notes.get(name, "")) for name in names]
    body = "".join(_row(row, names) for row in report.rows[:limit])
    label = ' tabindex="0" role="region" aria-label="Differences"'
    return (
        f'<div style="overflow-x:auto"{label}><table style="{_TABLE}"><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _head(name: str, note: str = "") -> str:
    below = f'<div style="font-weight:400;{_MUTED}">{escape(note)}</div>' if note and name else ""
    label = f' aria-label="{escape(note)}"' if note and not name else ""
    return f'<th scope="col" style="{_HEAD}"{label}><div dir="auto">{_cut(name)}</div>{below}</th>'


def _row(row: ReportRow, names: Sequence[str]) -> str:
    color = _COLORS[row.change]
    sign = f'<td style="{_LINE};background:{color};text-align:center" title="{row.change}">'
    sign += f'<b aria-label="{row.change}">{_SIGNS[row.change]}</b></td>'
    places = "".join(_place(place) for place in (row.place, row.place2))
    background = "" if row.change == "changed" else f";background:{color}"
    cells = "".join(_cell(row.cells.get(name), background) for name in names)
    return f'<tr style="background:none">{sign}{places}{cells}</tr>'


def _place(place: int | str | None) -> str:
    align = ";text-align:right" if isinstance(place, int) else ";text-align:left"
    return f'<td style="{_LINE}{align};{_MUTED}">{_cut(written(place))}</td>'


def _cell(cell: Cell | None, background: str) -> str:
    if cell is None:
        return f'<td style="{_LINE}"></td>'
    if cell.is_changed:
        old = f'<del style="background:{_RED};{_MARK}">{_cut(shown(cell.old))}</del>'
        new = f'<ins style="background:{_GREEN};{_MARK};text-decoration:none">{_cut(shown(cell.new))}</ins>'
        return f'<td dir="auto" style="{_LINE};text-align:left"{_title(cell.text)}>{old} {new}</td>'
    is_number = isinstance(cell.new, int | float) and not isinstance(cell.new, bool)
    align = "right" if is_number else "left"
    text = _cut(written(cell.new)) if cell.new is not None else '<span style="opacity:.4">null</span>'
    return f'<td dir="auto" style="{_LINE};text-align:{align}{background}"{_title(written(cell.new))}>{text}</td>'


def _title(text: str) -> str:
    is_cut = len(text) > MAX_CHARACTERS or "\n" in text
    return f' title="{escape(text[:_MAX_TOOLTIP])}"' if is_cut else ""


def _cut(text: str) -> str:
    line = " ↵ ".join(text[: MAX_CHARACTERS + 1].splitlines())
    return escape(line[:MAX_CHARACTERS]) + ("…" if len(text) > MAX_CHARACTERS else "")
