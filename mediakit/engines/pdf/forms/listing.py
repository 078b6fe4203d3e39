"""Describes the fields of a form."""

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.forms.field import EDITABLE, MULTI_SELECT, READ_ONLY, REQUIRED, FormField, text_of, texts_of
from mediakit.engines.pdf.forms.field_info import FieldInfo, FieldValue
from mediakit.engines.pdf.forms.options import OFF, Option, options_of, shown_state
from mediakit.engines.pdf.forms.tree import Form
from mediakit.engines.pdf.geometry import seen_matrix
from mediakit.engines.pdf.widget_appearance import corners


def describe(form: Form) -> list[FieldInfo]:
    """Return the fields of a form, in its order."""
    return [_describe(form, field) for field in form.fields.values()]


def value_of(field: FormField) -> FieldValue:
    """Return the value of a field; that of a check box is whether it is on, or the option if it has several."""
    if field.type in ("checkbox", "radio"):
        return _button_value(field, field.get(Name.V))
    return _read(field, field.get(Name.V))


def _describe(form: Form, field: FormField) -> FieldInfo:
    assert field.type is not None  # noqa: S101  # a form holds fields with a type only
    options = options_of(field)
    page, box = _place(form, field)
    return FieldInfo(
        name=field.name,
        type=field.type,
        value=value_of(field),
        default=_default(field, options),
        options=[option.value for option in options] if _can_choose(field) else None,
        option_labels=[option.label for option in options] if _can_choose(field) else None,
        required=field.has(REQUIRED),
        read_only=field.has(READ_ONLY),
        multiline=field.is_multiline,
        multiple=field.type == "list" and field.has(MULTI_SELECT),
        editable=field.type == "choice" and field.has(EDITABLE),
        max_length=field.max_length,
        label=text_of(field.get(Name.TU)),
        page=page,
        x0=box[0],
        y0=box[1],
        x1=box[2],
        y1=box[3],
    )


def _can_choose(field: FormField) -> bool:
    return field.type in ("checkbox", "radio", "choice", "list")


def _read(field: FormField, value: object) -> FieldValue:
    if field.type in ("button", "signature"):
        return None
    if field.type == "list" and field.has(MULTI_SELECT):
        return texts_of(value)
    return text_of(value)


def _default(field: FormField, options: list[Option]) -> FieldValue:
    if field.type in ("checkbox", "radio"):
        return _option_value(field, options, text_of(field.get(Name.DV)) or OFF)
    return _read(field, field.get(Name.DV))


def _button_value(field: FormField, value: object) -> FieldValue:
    """Return what a button shows, which is what viewers go by; without appearances, its value."""
    shown = next((state for widget in field.widgets if (state := shown_state(widget)) != OFF), None)
    if shown is None and not any(Name.AS in widget for widget in field.widgets):
        shown = text_of(value)
    return _option_value(field, options_of(field), shown or OFF)


def _option_value(field: FormField, options: list[Option], state: str) -> FieldValue:
    by_state = next((option.value for option in options if state in option.states), None)
    chosen = by_state or next((option.value for option in options if state == option.value), None)
    if field.type == "radio":
        return chosen
    return chosen is not None if len(options) < 2 else (chosen or False)


def _place(form: Form, field: FormField) -> tuple[int | None, tuple[float | None, ...]]:
    """Return the number of the first page that shows a field, and the box there."""
    for widget in field.widgets:
        page, box = form.page_of(widget), corners(widget.get(Name.Rect))
        if page is not None and box is not None:
            seen = seen_matrix(page).inverse().transform(pikepdf.Rectangle(*box))
            edges = (seen.llx, seen.lly, seen.urx, seen.ury)
            return form.source.page_numbers[page.obj.objgen] + 1, tuple(round(float(edge), 2) for edge in edges)
    return None, (None, None, None, None)
