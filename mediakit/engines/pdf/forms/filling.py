"""Lists, fills and flattens the fields of a form; runs in a worker."""

from collections.abc import Mapping
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.document import open_to_read, prepare_to_change, refuse_dynamic_xfa
from mediakit.engines.pdf.flattening import corners, flatten_fields, normal_appearance
from mediakit.engines.pdf.forms import FieldInfo, FieldValue, FormOptions, FormOutcome
from mediakit.engines.pdf.forms.appearances import Appearances
from mediakit.engines.pdf.forms.fields import (
    EDITABLE,
    MULTI_SELECT,
    OFF,
    READ_ONLY,
    REQUIRED,
    Form,
    FormField,
    Option,
    options_of,
    shown_state,
    text_of,
    texts_of,
)
from mediakit.engines.pdf.forms.values import Values, set_value, shortened
from mediakit.engines.pdf.geometry import seen_matrix
from mediakit.engines.pdf.objects import delete, dictionary, is_true
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput


def describe(form: Form) -> list[FieldInfo]:
    """Return the fields of a form, in its order."""
    return [_describe(form, field) for field in form.fields.values()]


def _describe(form: Form, field: FormField) -> FieldInfo:
    assert field.type is not None  # noqa: S101  # a form holds fields with a type only
    options, has_options = options_of(field), field.type in ("checkbox", "radio", "choice", "list")
    value, default = _values(field, options)
    page, box = _place(form, field)
    return FieldInfo(
        name=field.name,
        type=field.type,
        value=value,
        default=default,
        options=[option.value for option in options] if has_options else None,
        option_labels=[option.label for option in options] if has_options else None,
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


def _values(field: FormField, options: list[Option]) -> tuple[FieldValue, FieldValue]:
    """Return the value and the default; of a check box whether it is on, or the option if it has several."""
    value, default = field.get(Name.V), field.get(Name.DV)
    if field.type in ("checkbox", "radio"):  # viewers go by what a button shows; without appearances, by its value
        shown = next((state for widget in field.widgets if (state := shown_state(widget)) != OFF), None)
        if shown is None and not any(Name.AS in widget for widget in field.widgets):
            shown = text_of(value)
        return _option_value(field, options, shown or OFF), _option_value(field, options, text_of(default) or OFF)
    if field.type in ("button", "signature"):
        return None, None
    if field.type == "list" and field.has(MULTI_SELECT):
        return texts_of(value), texts_of(default)
    return text_of(value), text_of(default)


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


MAX_NAMED = 10
"""Fields that a warning names."""


def fill(form: Form, values: Values) -> list[str]:
    """Set values, draw their fields, and return the full names of these fields.

    Viewers show the drawn appearances, and no longer make their own. Scripts are not run: a warning names the fields
    that the form calculates, and those whose value a script would format.

    Raises:
        InvalidInput: A field does not take its value.
    """
    form.add_missing()
    for name, (label, value) in values.chosen.items():
        set_value(form.fields[name], label, value)
    draw(form, values.chosen)
    _warn_of_scripts(form, values.chosen)
    return list(values.chosen)


def draw(form: Form, changed: Mapping[str, Any]) -> None:
    """Draw fields that were changed or have no appearance; all of them where viewers should make their own."""
    stale = is_true(form.root, Name.NeedAppearances)
    appearances = Appearances(form)
    drawn = {name: field for name, field in form.fields.items() if name in changed or stale or _is_incomplete(field)}
    appearances.prepare(drawn.values())
    for name, field in drawn.items():
        try:
            appearances.draw(field)
        except InvalidInput as error:
            if name in changed:
                raise
            form.source.warn(f"{error.message.removeprefix('values.')} The field keeps its appearance.")
    appearances.finish()
    if Name.XFA in form.root:
        form.source.warn("The XFA version of the form was removed; the form fields stay.")
    delete(form.root, "/NeedAppearances", "/XFA")


def flatten(form: Form) -> None:
    """Draw all fields into the pages, also those without an appearance, and remove the form."""
    draw(form, {})
    flatten_fields(form.source)


def _is_incomplete(field: FormField) -> bool:
    """Return whether a widget of a field has no appearance."""
    if field.type in ("button", "signature"):
        return False
    if field.type in ("checkbox", "radio"):
        return any(not isinstance(dictionary(widget.get(Name.AP)).get(Name.N), Dictionary) for widget in field.widgets)
    return any(normal_appearance(widget) is None for widget in field.widgets)


def _warn_of_scripts(form: Form, changed: Mapping[str, Any]) -> None:
    ordered = {field.objgen for field in form.root.get(Name.CO, ()) if hasattr(field, "objgen")}
    calculated = [
        name
        for name, field in form.fields.items()
        if name not in changed
        and (field.has_script("/C") or any(node.objgen in ordered for node in (*field.nodes, *field.widgets)))
    ]
    formatted = [name for name in changed if form.fields[name].has_script("/F", "/K")]
    if calculated:
        form.source.warn(
            f"Scripts were not run, so these calculated fields keep their values: {shortened(calculated, MAX_NAMED)}."
        )
    if formatted:
        form.source.warn(f"Scripts were not run, so these values are not formatted: {shortened(formatted, MAX_NAMED)}.")


def work(file: bytes, options: FormOptions) -> FormOutcome:
    """Return the fields of a form, and the filled or flattened file.

    Raises:
        InvalidInput: The file is not a PDF with fields that take these values.
    """
    source = open_to_read(file, options.password)
    refuse_dynamic_xfa(source)
    form = Form(source)
    if options.values is None and not options.flatten:
        return FormOutcome(describe(form), len(source.pages), warnings=source.warnings)
    if not form.fields:
        raise InvalidInput("file: has no form fields.")
    values = Values(form.fields, options.values or {}, strict=options.strict)
    for name in values.chosen:
        if form.fields[name].type == "signature":  # before it is removed because it is signed
            raise InvalidInput(f"values.{values.chosen[name][0]}: signature fields cannot be filled.")
    prepare_to_change(source)
    form = Form(source)
    filled = fill(form, values) if options.values is not None else []
    fields = describe(form)
    if options.flatten:
        flatten(form)
    return FormOutcome(fields, len(source.pages), save(source.pdf), filled, values.unknown, source.warnings)
