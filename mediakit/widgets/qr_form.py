"""The form of QR codes. It can build the text from the fields of a Wi-Fi network, a contact or an event."""

from collections.abc import Collection, Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import json_schema, parameters
from mediakit.core.request import build
from mediakit.results.image import ImageResult
from mediakit.widgets.field import Field
from mediakit.widgets.payload_fields import PAYLOADS
from mediakit.widgets.tool_form import Form, fields_of

TEXT = "Text or link"

COLLAPSED = ("format", "margin", "ecc")


class QrForm(Form[ImageResult]):
    """The form of a QR code."""

    def _make_fields(self) -> dict[str, Field]:
        self._kind = w.Dropdown(options=[TEXT, *PAYLOADS], description="content", style={"description_width": "auto"})
        self._kind_box = w.VBox([self._kind])
        for name in ("mediakit-field", "mediakit-wide"):
            self._kind_box.add_class(name)
        self._tool_fields = fields_of(self.tool)
        self._payload_fields = {kind: _fields(payload.request) for kind, payload in PAYLOADS.items()}
        for fields in self._payload_fields.values():
            self._observe(fields)
        self._kind.observe(self._on_kind, "value")
        return self._tool_fields

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"More options": COLLAPSED}

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

    def _on_kind(self, _change: Mapping[str, Any]) -> None:
        fields = self._payload_fields.get(self._kind.value, {"data": self._tool_fields["data"]})
        self.fields = {**fields, **{name: field for name, field in self._tool_fields.items() if name != "data"}}
        self._arrange()
        self._update.schedule(delay=0)


def _fields(request: type[Any]) -> dict[str, Field]:
    return {parameter.name: Field(parameter) for parameter in parameters(request, json_schema(request))}
