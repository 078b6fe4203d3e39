"""Fills and flattens the form of a PDF."""

from collections.abc import Iterable, Mapping
from typing import Any

from pikepdf import Dictionary, Name

from mediakit.engines.pdf.flattening import flatten_fields
from mediakit.engines.pdf.forms.appearances import Appearances
from mediakit.engines.pdf.forms.field import FormField
from mediakit.engines.pdf.forms.tree import Form
from mediakit.engines.pdf.forms.values import Values, set_value
from mediakit.engines.pdf.objects import dictionary, is_true
from mediakit.engines.pdf.widget_appearance import normal_appearance
from mediakit.errors import InvalidInput

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
        if name in changed:
            appearances.draw(field)
        else:
            _draw_again(form, appearances, field)
    appearances.finish()
    for key in (Name.NeedAppearances, Name.XFA):
        if key in form.root:
            if key == Name.XFA:
                form.source.warn("The XFA version of the form was removed; the form fields stay.")
            del form.root[key]


def flatten(form: Form) -> None:
    """Draw all fields into the pages, also those without an appearance, and remove the form."""
    draw(form, {})
    flatten_fields(form.source)


def _draw_again(form: Form, appearances: Appearances, field: FormField) -> None:
    """Draw a field with the value that the file has; one that no font can draw keeps its appearance."""
    try:
        appearances.draw(field)
    except InvalidInput as error:
        form.source.warn(f"{error.message.removeprefix('values.')} The field keeps its appearance.")


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
        form.source.warn(f"Scripts were not run, so these calculated fields keep their values: {_named(calculated)}.")
    if formatted:
        form.source.warn(f"Scripts were not run, so these values are not formatted: {_named(formatted)}.")


def _named(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
    return ", ".join(listed[:MAX_NAMED]) + more
