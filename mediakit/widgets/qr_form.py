"""The form of QR codes: what the code says is put together from a network, a contact or an event, too."""

from collections.abc import Collection, Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import json_schema, parameters
from mediakit.core.request import build
from mediakit.results.image import ImageResult
from mediakit.widgets.field import Field
from mediakit.widgets.payloads import PAYLOADS
from mediakit.widgets.tool_form import Form, fields_of

TEXT = "Text or link"

LATE = ("format", "margin", "ecc")
"""Fields that few change."""


class QrForm(Form[ImageResult]):
    """A form of a QR code."""

    def _make_fields(self) -> dict[str, Field]:
        self._kind = w.Dropdown(options=[TEXT, *PAYLOADS], description="content", style={"description_width": "auto"})
        self._kind_box = w.VBox([self._kind])
        for name in ("mediakit-field", "mediakit-wide"):
            self._kind_box.add_class(name)
        self._own = fields_of(self.tool)
        self._kinds = {kind: _fields(payload.request) for kind, payload in PAYLOADS.items()}
        for group in self._kinds.values():
            self._watch(group)
        self._kind.observe(self._switch, "value")
        return self._own

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"More options": LATE}

    def _heads(self) -> list[w.Widget]:
        return [self._kind_box]

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty; what the code says is put together.

        Raises:
            InvalidInput: What stands in a field is no such value.
        """
        given = super().values
        if self._kind.value == TEXT:
            return given
        payload, names = PAYLOADS[self._kind.value], self._kinds[self._kind.value]
        parts = {name: given.pop(name) for name in names if name in given}
        return {"data": payload.write(build(payload.request, parts)), **given}

    def _written(self) -> dict[str, Any]:
        written = {name: field.input.written() for name, field in self._own.items()}
        return {**written, "data": self.values.get("data")}

    def _switch(self, _change: Mapping[str, Any]) -> None:
        group = self._kinds.get(self._kind.value, {"data": self._own["data"]})
        self.fields = {**group, **{name: field for name, field in self._own.items() if name != "data"}}
        self._arrange()
        self._redraw.ask(quiet=0)


def _fields(request: type[Any]) -> dict[str, Field]:
    return {parameter.name: Field(parameter) for parameter in parameters(request, json_schema(request))}
