"""The form of QR codes: texts from the fields of a network, a contact or an event, appearance, and a scan check."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import json_schema, parameters
from mediakit.core.request import build
from mediakit.results.files import ImageResult
from mediakit.tools.images.qr.request import BLACK, PALETTES, WHITE, Palette
from mediakit.widgets import qr_icons
from mediakit.widgets.assets import asset
from mediakit.widgets.color_input import ColorInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.form_state import Selected, Stateful
from mediakit.widgets.inputs import Input
from mediakit.widgets.many.many_form import ManyForm
from mediakit.widgets.output_area import Rendered
from mediakit.widgets.payload_fields import PAYLOADS
from mediakit.widgets.picks import PicksInput
from mediakit.widgets.scan_panel import ScanPanel

TEXT = "Text or link"

GROUPS = {
    "Gradient and transparency": ("gradient", "gradient_type", "gradient_angle", "transparent"),
    "More options": ("format", "margin", "ecc"),
}
"""Names of collapsed fields by title of their group."""

VISIBLE = ("data", "palette", "dark", "light", "style", "finder", "size", "logo")
"""Fields that are not collapsed, in their order."""

COLORS = ("dark", "light", "gradient")


class QrForm(ManyForm[ImageResult]):
    """The form of a QR code."""

    def _make_fields(self) -> dict[str, Field]:
        self._kind = w.Dropdown(options=[TEXT, *PAYLOADS], description="content", style={"description_width": "auto"})
        self._kind_box = w.VBox([self._kind])
        for name in ("mediakit-field", "mediakit-wide"):
            self._kind_box.add_class(name)
        self._tool_fields = self._new_tool_fields()
        self._payload_fields = {kind: _fields(payload.request) for kind, payload in PAYLOADS.items()}
        for fields in self._payload_fields.values():
            self._observe(fields)
        self._kind.observe(self._on_kind, "value")
        return self._tool_fields

    def _new_tool_fields(self) -> dict[str, Field]:
        """Return the fields of the tool. Shapes and palettes are icons; empty colors are those of the palette."""
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._colors = {name: ColorInput(replace(parameters[name], default=None)) for name in COLORS}
        inputs: dict[str, Input] = {
            "style": PicksInput(parameters["style"], qr_icons.style_icons()),
            "finder": PicksInput(parameters["finder"], qr_icons.finder_icons(), unset="auto"),
            "palette": PicksInput(parameters["palette"], qr_icons.palette_icons(), unset="none"),
            **self._colors,
        }
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        made = {**fields_of(self.tool, without=custom), **custom}
        fields = {name: made[name] for name in parameters}
        fields["palette"].control.observe(lambda _: self._show_palette(fields), "value")
        self._show_palette(fields)
        return {name: fields[name] for name in (*VISIBLE, *(name for name in fields if name not in VISIBLE))}

    def _show_palette(self, fields: Mapping[str, Field]) -> None:
        """Show the colors of the palette in the empty color inputs."""
        palette = PALETTES.get(fields["palette"].input.read(), Palette(BLACK, WHITE))
        for name, color_input in self._colors.items():
            color_input.set_label(name, getattr(palette, name) or "")

    def _groups(self) -> Mapping[str, Collection[str]]:
        return GROUPS

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        style = w.HTML(f"<style>{asset('qr_form.css')}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
        self._scan_panel = ScanPanel()
        self._output_area.insert(self._scan_panel.widget)
        return widget

    def _show(self, rendered: Rendered | Exception) -> None:
        super()._show(rendered)
        if isinstance(rendered, Rendered) and not self._is_closed:
            code: Any = rendered.display_data.result
            self._scan_panel.check(code, rendered.request.paint.light)

    def _header(self) -> list[w.Widget]:
        return [self._kind_box]

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, with `data` built from the fields of the payload.

        Raises:
            InvalidInput: A field contains text that cannot be converted to a value.
        """
        values = super().values
        if self._kind.value == TEXT:
            return values
        payload, names = PAYLOADS[self._kind.value], self._payload_fields[self._kind.value]
        parts = {name: values.pop(name) for name in names if name in values}
        return {"data": payload.build(build(payload.request, parts)), **values}

    def _snippet_values(self) -> dict[str, Any]:
        values = {name: field.input.snippet_value() for name, field in self._tool_fields.items()}
        return {**values, "data": self.values.get("data")}

    def _all_fields(self) -> Mapping[str, Field]:
        payload_fields = {
            f"{kind}.{name}": field for kind, fields in self._payload_fields.items() for name, field in fields.items()
        }
        return {**self._tool_fields, **payload_fields}

    def _stateful(self) -> Mapping[str, Stateful]:
        kind = Selected(lambda: str(self._kind.value), lambda kind: self._kind.set_trait("value", kind))
        return {"content": kind, **super()._stateful()}

    def _on_kind(self, _change: Mapping[str, Any]) -> None:
        fields = self._payload_fields.get(self._kind.value, {"data": self._tool_fields["data"]})
        self.fields = {**fields, **{name: field for name, field in self._tool_fields.items() if name != "data"}}
        self._arrange()
        self._form_state.record()
        self._update.schedule(delay=0)


def _fields(request: type[Any]) -> dict[str, Field]:
    fields = {parameter.name: Field(parameter) for parameter in parameters(request, json_schema(request))}
    if "password" in fields:
        fields["password"].input.is_kept = False
    return fields
