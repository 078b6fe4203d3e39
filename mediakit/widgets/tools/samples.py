"""The form of `data_sample`: the columns of a made-up table."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.tools.data.data_sample.fields import MAX_FIELDS, check_fields, described_fields
from mediakit.tools.data.data_sample.kinds import KINDS
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import Input, heading

_LISTS = ("values", "weights")
_TEXTS = ("from", "to", "pattern", "time_zone", "formula", "expression", "country")


def read_options(field: str, text: str) -> dict[str, Any]:
    """Return the options in text.

    Raises:
        InvalidInput: The text is neither JSON nor options such as `min: 18; max: 90`.
    """
    if text.strip().startswith("{"):
        try:
            read = json.loads(text)
        except ValueError:
            raise _error(field, text) from None
        return dict(read)
    found: dict[str, Any] = {}
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, separator, value = part.partition(":")
        if not separator:
            if name != "unique":
                raise _error(field, part)
            value = "true"
        found[name.strip()] = _value(name.strip(), value.strip())
    return found


def write_options(options: Mapping[str, Any]) -> str:
    """Return options as text that `read_options` reads."""
    text = "; ".join(f"{name}: {_text(value)}" for name, value in options.items())
    return text if _is_same(text, options) else json.dumps(options, ensure_ascii=False)


def _is_same(text: str, options: Mapping[str, Any]) -> bool:
    try:
        return repr(read_options("", text)) == repr(dict(options))
    except ValueError:
        return False


def _error(field: str, text: str) -> Exception:
    return invalid(
        [{"field": "fields", "message": f"{field}: options are written as min: 18; max: 90, got {quote(text)}."}]
    )


def _value(name: str, text: str) -> Any:
    if name in _LISTS and not text.startswith("["):
        return [_scalar(part.strip()) for part in text.split(",")]
    return text if name in _TEXTS else _scalar(text)


def _scalar(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value)


EXAMPLE = {"id": "id", "name": "name", "email": "email", "age": "age", "city": "city"}
"""The fields of a new form."""

_COLUMNS = "minmax(0, 2fr) minmax(0, 1.7fr) minmax(0, 3fr) 24px"
_NEW_KIND = "name"


class FieldRows(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Rows of name, kind and options; `value` is their text as JSON and changes with every edit."""

    value = Unicode("[]")

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        self._is_filling = False
        self._header = [
            w.HTML(f"<div class='mediakit-label' aria-hidden='true'>{title}</div>")
            for title in ("Field", "Kind", "Options")
        ]
        self._corner = w.HTML()
        self._box = w.GridBox()
        self._box.add_class("mediakit-items")
        self._box.layout.grid_template_columns = _COLUMNS
        self._add = w.Button(description="Add a field")
        self._add.on_click(lambda _: self.show([*self.texts(), [self._new_name(), _NEW_KIND, ""]]))
        buttons = w.Box([self._add])
        buttons.add_class("mediakit-buttons")
        super().__init__([self._box, buttons])

    def texts(self) -> list[list[str]]:
        """Return name, kind and options of each row."""
        return [row.texts for row in self._rows]

    def show(self, texts: Sequence[Sequence[str]]) -> None:
        """Show rows. Their controls are used again, so that the focus stays."""
        shown = list(texts)[:MAX_FIELDS]
        self._is_filling = True
        try:
            while len(self._rows) < len(shown):
                self._rows.append(_Row(self._notify, self._remove))
            removed = self._rows[len(shown) :]
            self._rows = self._rows[: len(shown)]
            for number, (row, text) in enumerate(zip(self._rows, shown, strict=True), 1):
                row.show(number, text, is_only=len(shown) == 1)
        finally:
            self._is_filling = False
        self._box.children = [*self._header, self._corner, *(part for row in self._rows for part in row.widgets)]
        for row in removed:
            row.close()
        self._add.disabled = len(shown) == MAX_FIELDS
        self._notify()

    def _remove(self, removed: "_Row") -> None:
        self.show([row.texts for row in self._rows if row is not removed])

    def _new_name(self) -> str:
        names = {row.texts[0] for row in self._rows}
        return next(
            f"field_{number}" for number in range(len(names) + 1, 3 * MAX_FIELDS) if f"field_{number}" not in names
        )

    def _notify(self) -> None:
        if not self._is_filling:
            self.value = json.dumps(self.texts(), ensure_ascii=False)


class _Row:
    """The controls of one field."""

    def __init__(self, notify: Any, remove: Any) -> None:
        style = {"description_width": "auto"}
        self.name = w.Text(style=style)
        self.kind = w.Dropdown(options=list(KINDS), value=_NEW_KIND, style=style)
        self.options = w.Text(style=style)
        self._button = w.Button(icon="times")
        self._button.on_click(lambda _: remove(self))
        for control in (self.name, self.kind, self.options):
            control.observe(lambda _: notify(), "value")
        self.kind.observe(lambda _: self._hint(), "value")
        self._boxes = [_field(control) for control in (self.name, self.kind, self.options)]

    @property
    def widgets(self) -> list[w.Widget]:
        """The cells of the row."""
        return [*self._boxes, self._button]

    @property
    def texts(self) -> list[str]:
        """Name, kind and options."""
        return [self.name.value, self.kind.value, self.options.value]

    def show(self, number: int, texts: Sequence[str], *, is_only: bool) -> None:
        """Show a field."""
        self.name.value, self.kind.value, self.options.value = texts
        self.name.description = f"Field {number}"
        self.kind.description = f"Kind of field {number}"
        self.options.description = f"Options of field {number}"
        self._button.description = self._button.tooltip = f"Remove field {number}"
        self._button.disabled = is_only
        self._hint()

    def close(self) -> None:
        """Close the controls."""
        for box in self._boxes:
            for part in (*box.children, box):
                part.close()
        self._button.close()

    def _hint(self) -> None:
        """Show the names of the kind's options."""
        kind = KINDS[self.kind.value]
        self.options.placeholder = "; ".join(f"{name}:" for name in (*kind.options, "null_pct", "unique"))


def _field(control: w.DOMWidget) -> w.VBox:
    box = w.VBox([control])
    box.add_class("mediakit-field")
    return box


class SampleFieldsInput(Input):
    """The field `fields`: rows, each with a name, a kind and options."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, FieldRows())
        self.caption = heading(parameter.name)
        self.is_used = True
        self.fill(EXAMPLE)

    def read(self) -> Any:
        """Return the kinds by name; None where another field takes their place, or without a name.

        Raises:
            InvalidInput: Options cannot be read.
        """
        if not self.is_used:
            return None
        found: list[dict[str, Any]] = []
        for name, kind, text in self.control.texts():
            if name.strip():
                found.append({"name": name.strip(), "kind": kind, **read_options(name.strip(), text)})
        return _compact(found) or None

    def fill(self, value: Any) -> None:
        """Show fields."""
        described = described_fields(check_fields(value))
        self.control.show([[name, *_row(each)] for name, each in described.items()])

    def state(self) -> Any:
        """Return the text of the rows."""
        return self.control.texts()

    def restore(self, state: Any) -> None:
        """Show the rows of an earlier state."""
        self.control.show([[str(text) for text in row] for row in state])


def _row(described: Any) -> tuple[str, str]:
    if isinstance(described, str):
        return described, ""
    options = dict(described)
    return options.pop("kind"), write_options(options)


def _compact(fields: Sequence[Mapping[str, Any]]) -> Any:
    """Return fields as an object, the kind alone where there are no options; an array where a name is there twice."""
    if len({field["name"] for field in fields}) < len(fields):
        return list(fields)
    found = {}
    for field in fields:
        options = {name: value for name, value in field.items() if name != "name"}
        found[field["name"]] = options if len(options) > 1 else options["kind"]
    return found


_INSTEAD = ("template", "like")
"""Fields that take the place of `fields`."""


class SampleForm(Form[Any]):
    """A form with a row for each field, and a live preview of the table."""

    def _make_fields(self) -> dict[str, Field]:
        parameter = next(parameter for parameter in self.tool.parameters if parameter.name == "fields")
        self._rows = SampleFieldsInput(parameter)
        made = fields_of(self.tool, {"fields": self._rows}, ("fields",))
        for name in _INSTEAD:
            made[name].control.observe(lambda _: self._show_rows(), "value")
        return made

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._show_rows()

    def _show_rows(self) -> None:
        """Hide the rows while a template or a table takes their place."""
        self._rows.is_used = not any(self.fields[name].control.value for name in _INSTEAD)
        self.fields["fields"].widget.layout.display = None if self._rows.is_used else "none"
