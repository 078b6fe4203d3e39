"""The control for each field of a Word template."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.engines.word_templates import TemplateField

ROWS = 4
"""Lines of the control of a list."""


@dataclass(frozen=True)
class DataField:
    """A field that has a control."""

    name: str
    """Its path in the data."""
    kind: str
    """`text`, `choice` (true or false), `lines` (a text per item), `rows` (texts per item) or `json`."""
    columns: tuple[str, ...] = ()
    """The members of each item of a list."""

    @property
    def empty(self) -> Any:
        """The value of a field that is not filled."""
        return {"text": "", "choice": False}.get(self.kind, [])


def data_fields(fields: Iterable[TemplateField]) -> list[DataField]:
    """Return the fields that have a control: values, conditions and lists, without the members of lists."""
    listed = list(fields)
    lists = [field.name for field in listed if field.kind == "list"]
    top = [name for name in lists if not any(name.startswith(f"{other}.") for other in lists)]
    found = []
    for field in listed:
        if any(field.name.startswith(f"{name}.") for name in top):
            continue
        if field.name in top:
            members = [each for each in listed if each.name.startswith(f"{field.name}.")]
            found.append(_list_field(field.name, members))
        elif not any(other.name.startswith(f"{field.name}.") for other in listed):
            found.append(DataField(field.name, "choice" if field.kind == "condition" else "text"))
    return found


def _list_field(name: str, members: Sequence[TemplateField]) -> DataField:
    columns = tuple(member.name.removeprefix(f"{name}.") for member in members)
    if any(member.kind == "list" for member in members) or any("." in column for column in columns):
        return DataField(name, "json", columns)
    return DataField(name, "rows" if columns else "lines", columns)


def control_of(field: DataField) -> w.ValueWidget:
    """Return an empty control."""
    options: dict[str, Any] = {"description": field.name, "style": {"description_width": "auto"}}
    if field.kind == "choice":
        return w.Checkbox(indent=False, **options)
    hints = {"text": "", "lines": "One item per line", "json": "[{…}, {…}]", "rows": " | ".join(field.columns)}
    return w.Textarea(rows=1 if field.kind == "text" else ROWS, placeholder=hints[field.kind], **options)


def value_of(field: DataField, shown: Any) -> Any:
    """Return the value of a control.

    Raises:
        ValueError: The text of a list is not JSON.
    """
    if field.kind in ("text", "choice"):
        return shown
    if field.kind == "json":
        return json.loads(shown) if shown.strip() else []
    lines = [line for line in shown.split("\n") if line.strip()]
    return lines if field.kind == "lines" else [_item(line, field.columns) for line in lines]


def _item(line: str, columns: Sequence[str]) -> dict[str, Any]:
    """Return the members in a line; cells that are pasted from a spreadsheet have tabs between them."""
    cells = [cell.strip() for cell in line.split("\t" if "\t" in line else "|")]
    return dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))


def shown_value(field: DataField, value: Any) -> Any:
    """Return what a control shows for a value; None if it cannot show it."""
    match field.kind:
        case "choice":
            return value if isinstance(value, bool) else None
        case "text":
            return _text(value)
        case "json":
            return json.dumps(value, ensure_ascii=False, indent=1) if value else ""
    if not isinstance(value, list):
        return "" if value is None else None
    lines = [_text(item) if field.kind == "lines" else _line(item, field.columns) for item in value]
    known = [line for line in lines if line is not None and "\n" not in line]
    return "\n".join(known) if len(known) == len(lines) else None


def _line(item: Any, columns: Sequence[str]) -> str | None:
    if not isinstance(item, Mapping) or not item.keys() <= set(columns):
        return None
    cells = [_text(item.get(column, "")) for column in columns]
    if None in cells or any(mark in (cell or "") for cell in cells for mark in "|\t\n"):
        return None
    return " | ".join(cell or "" for cell in cells)


def _text(value: Any) -> str | None:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
