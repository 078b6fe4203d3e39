"""Flattening: form fields become content of their pages, in the appearance that they have."""

from collections.abc import Callable, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.flattened_tags import FlattenedTags
from mediakit.engines.pdf.graphics_state import unbalanced
from mediakit.engines.pdf.objects import dictionary, inherited, items, stream_bytes
from mediakit.engines.pdf.password_fields import is_password
from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.widget_appearance import is_visible, normal_appearance, placement


def flatten_fields(source: Source) -> None:
    """Draw all form fields of a PDF into its pages and remove the form.

    Tags of the fields stay, with the drawn content in place of the field. Hidden fields draw nothing.
    """
    draw_and_remove(source, lambda annotation: annotation.get(Name.Subtype) == Name.Widget)
    for key in (Name.AcroForm, Name.NeedsRendering):
        if key in source.root:
            del source.root[key]


def draw_and_remove(source: Source, chosen: Callable[[pikepdf.Object], bool]) -> None:
    """Draw the chosen widgets into their pages, and remove them from there."""
    tags = FlattenedTags(source)
    for page in source.pdf.pages:
        widgets = [annotation for annotation in annotations(page.obj) if chosen(annotation)]
        if widgets:
            _draw(source, page, widgets, tags)
            _remove(page.obj, chosen)
    tags.write()


def _draw(source: Source, page: pikepdf.Page, widgets: Sequence[pikepdf.Object], tags: FlattenedTags) -> None:
    """Draw appearances into their page, in the order of the annotations (ISO 32000-2, 12.5.5, algorithm 8)."""
    drawn: list[str] = []
    for widget in widgets:
        form, layer = normal_appearance(widget), widget.get(Name.OC)
        is_drawn = form is not None and is_visible(widget) and not _shows_password(widget, form)
        placed = placement(form, widget.get(Name.Rect)) if form is not None and is_drawn else None
        if form is None or placed is None:
            tags.remove(widget)
            continue
        _complete(form, source)
        numbers = " ".join(f"{number:.5f}" for number in placed)
        operators = f"q {numbers} cm {add_resource(page.obj, '/XObject', '/Field', form)} Do Q"
        if isinstance(layer, Dictionary):
            operators = f"/OC {add_resource(page.obj, '/Properties', '/Layer', layer)} BDC {operators} EMC"
        drawn.append(f"{tags.begin(page.obj, widget)} {operators} EMC")
    if drawn:
        before, after = unbalanced(page)
        page.contents_add(b"q " * (before + 1), prepend=True)
        page.contents_add("\n".join(["Q " * (after + 1), *drawn]).encode("latin-1"))


def _shows_password(widget: pikepdf.Object, form: pikepdf.Object) -> bool:
    """Return whether an appearance shows the value of a password field in clear."""
    value = inherited(widget, Name.V)
    return isinstance(value, String) and is_password(widget) and bytes(value) in (stream_bytes(form) or b"")


def add_resource(page: pikepdf.Object, category: str, prefix: str, resource: pikepdf.Object) -> str:
    """Add a resource to a page, and return its name, the first that is free: `/Field1`.

    Resources that the page shares with other pages are copied, and names do not depend on chance.
    """
    inherited = pikepdf.Page(page).resources if Name.Resources not in page else page.Resources
    resources = Dictionary(dict(dictionary(inherited).items()))
    group = Dictionary(dict(dictionary(resources.get(category)).items()))
    number = len(group.keys()) + 1
    while f"{prefix}{number}" in group:
        number += 1
    group[f"{prefix}{number}"] = resource
    resources[category] = group
    page.Resources = resources
    return f"{prefix}{number}"


def _complete(form: pikepdf.Object, source: Source) -> None:
    """Add what viewers do not miss in an appearance, but in page content."""
    form.Type, form.Subtype = Name.XObject, Name.Form
    defaults = dictionary(source.root.get(Name.AcroForm)).get(Name.DR)
    if Name.Resources not in form and isinstance(defaults, Dictionary):
        form.Resources = defaults


def _remove(page: pikepdf.Object, chosen: Callable[[pikepdf.Object], bool]) -> None:
    rest = [item for item in items(page.Annots) if not (isinstance(item, Dictionary) and chosen(item))]
    if rest:
        page.Annots = Array(rest)
    else:
        del page.Annots
