"""The form of `docx_template`: a control for each field of a Word template."""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import ipywidgets as w

from mediakit.core.request import invalid
from mediakit.engines.guarded import run_guarded
from mediakit.engines.templates.data import adapt_data
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.tools.documents.docx_template import DocxResult
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import labeled
from mediakit.widgets.inputs.file_fields import FileFieldsInput
from mediakit.widgets.inputs.files import FileInput


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
            columns = tuple(member.name.removeprefix(f"{field.name}.") for member in members)
            is_nested = any(member.kind == "list" for member in members) or any("." in column for column in columns)
            found.append(DataField(field.name, "json" if is_nested else "rows" if columns else "lines", columns))
        elif not any(other.name.startswith(f"{field.name}.") for other in listed):
            found.append(DataField(field.name, "choice" if field.kind == "condition" else "text"))
    return found


def value_of(field: DataField, shown: Any) -> Any:
    """Return the value of a control. The text of a nested list that is not JSON is a `ValueError`."""
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


NO_FILE = "Choose a Word template to see its fields."

NO_FIELDS = "The document has no placeholders such as {{ name }}."
ROWS_HELP = "Lists have one item per line, with | between its values. Rows of a spreadsheet can be pasted."


class TemplateDataInput(FileFieldsInput):
    """The data of a template. Values that a control cannot show, such as images, stay as the call passed them."""

    max_controls = 150
    _empty: ClassVar = {"data": {}, "edited": {}}
    """The data of the call, and what the edited controls show."""

    def show_fields(self, fields: Sequence[TemplateField] | None) -> bool:
        """Show the fields of a file; None without a file. Return whether they differ from those that were shown."""
        wanted = data_fields(fields or ())[: self.max_controls]
        note = ROWS_HELP if any(field.kind == "rows" for field in wanted) else "" if wanted else NO_FIELDS
        return self._show_controls(wanted, NO_FILE if fields is None else note)

    def read(self) -> Any:
        """Return the data, with an empty value for each field that is not filled; None without data and fields."""
        data, edited = deepcopy(self._state["data"]), self._state["edited"]
        for name, field in self._fields.items():
            if name in edited:
                try:
                    _set(data, name, value_of(field, edited[name]))
                except ValueError:
                    message = f"{name} must be a JSON list such as [{{…}}, {{…}}]."
                    raise invalid([{"field": self.parameter.name, "message": message}]) from None
            elif _get(data, name) is None:
                _set(data, name, field.empty)
        return data or None

    def fill(self, value: Any) -> None:
        """Show data."""
        self.restore({"data": adapt_data({"data": value})["data"]})

    def _control_of(self, field: DataField) -> w.ValueWidget:
        if field.kind == "choice":
            return w.Checkbox(indent=False, **labeled(field.name))
        hints = {"text": "", "lines": "One item per line", "json": "[{…}, {…}]", "rows": " | ".join(field.columns)}
        rows = 1 if field.kind == "text" else 4
        return w.Textarea(rows=rows, placeholder=hints[field.kind], **labeled(field.name))

    def _on_change(self, field: DataField, control: w.ValueWidget) -> None:
        self._state["edited"][field.name] = control.value
        self._publish()

    def _show_value(self, field: DataField, control: Any) -> None:
        given = _get(self._state["data"], field.name)
        shown = self._state["edited"].get(field.name, shown_value(field, field.empty if given is None else given))
        control.disabled = shown is None
        if shown is not None:
            control.value = shown
        elif not isinstance(control, w.Checkbox):
            control.placeholder = "from your code"


def _get(data: Any, name: str) -> Any:
    for part in name.split("."):
        if not isinstance(data, Mapping):
            return None
        data = data.get(part)
    return data


def _set(data: dict[str, Any], name: str, value: Any) -> None:
    """Set the value at a path, unless a value that is not an object is in its way."""
    *owners, last = name.split(".")
    for part in owners:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        data = inner
    data[last] = value


class WordTemplateForm(Form[DocxResult]):
    """A form with a control for each placeholder of its file, and a preview of the filled text."""

    _inputs_of_fields: ClassVar = {
        "file": partial(FileInput, accept=".docx,.dotx", noun="a Word template"),
        "data": TemplateDataInput,
    }
    _file_suffix = "filled"

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._data: TemplateDataInput = self._input("data")
        self._field_update = self._follow(["file"], self._load_fields, self._show_fields)

    def _show_fields(self, fields: Sequence[TemplateField] | None) -> None:
        if self._data.show_fields(fields):
            self._update.schedule()  # the empty values of new fields are in the call

    async def _load_fields(self) -> Sequence[TemplateField] | None:
        if (content := self._input("file").content()) is None:
            return None
        work = "mediakit.engines.word_templates.filling:fill"
        return (await run_guarded(work, content, None, "error", returns=Filled)).fields
