"""The control for each type of form field."""

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from mediakit.engines.pdf.forms import FieldInfo, FieldValue

EMPTY = "(empty)"
"""The choice of nothing."""


def is_fillable(field: FieldInfo) -> bool:
    """Return whether a field has a control: it can be filled."""
    return field.type not in ("button", "signature") and not field.read_only


def control_of(field: FieldInfo) -> w.ValueWidget:
    """Return a control that shows the value of a field."""
    if field.multiple:
        return w.SelectMultiple(rows=min(len(field.options or ()), 6), **_options(field), **_labeled(field))
    if field.type == "checkbox" and len(field.options or ()) < 2:
        return w.Checkbox(value=field.value is True, indent=False, **_labeled(field))
    if field.editable:
        return w.Combobox(options=tuple(field.options or ()), value=str(field.value or ""), **_labeled(field))
    if field.options is not None:
        return w.Dropdown(**_options(field), **_labeled(field))
    kind = w.Textarea if field.multiline else w.Text
    return kind(value=str(field.value or ""), **_labeled(field), **({"rows": 3} if field.multiline else {}))


def value_of(field: FieldInfo, control: w.ValueWidget) -> FieldValue:
    """Return the value of a control as the tool takes it; None clears the field."""
    value: Any = control.value
    if field.multiple:
        return list(value)
    return value if isinstance(value, bool) else value or None


def is_changed(field: FieldInfo, value: FieldValue) -> bool:
    """Return whether a value differs from that of the file."""
    return (value or None) != (field.value or None)


def show_value(field: FieldInfo, control: w.ValueWidget, value: Any) -> None:
    """Show a value, if it is one that the control can show."""
    convert: Callable[[Any], Any] = str
    if isinstance(control, w.Checkbox):
        convert = bool
    elif field.multiple:
        convert = _tuple
    elif isinstance(control, w.Dropdown):
        convert = _same
    shown = "" if value is None and convert is str else convert(value)
    allowed = set(field.options or ()) if field.options is not None and not field.editable else None
    chosen = shown if isinstance(shown, tuple) else (shown,)
    if convert in (_tuple, _same) and allowed is not None and not set(filter(None, chosen)) <= allowed:
        return
    control.value = shown


def _options(field: FieldInfo) -> dict[str, Any]:
    labels = field.option_labels or field.options or []
    options: list[tuple[str, str | None]] = list(zip(labels, field.options or (), strict=False))
    known = set(field.options or ())
    if field.multiple:
        chosen = field.value if isinstance(field.value, list) else []
        return {"options": options, "value": tuple(value for value in chosen if value in known)}
    return {"options": [(EMPTY, None), *options], "value": field.value if field.value in known else None}


def _labeled(field: FieldInfo) -> dict[str, Any]:
    return {"description": field.label or field.name, "style": {"description_width": "auto"}}


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)


def _same(value: Any) -> Any:
    return value or None
