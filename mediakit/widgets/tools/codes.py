"""The form of QR codes: texts from the fields of a network, a contact or an event, appearance, and a scan check."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import quote as percent_encode

import ipywidgets as w
from PIL import Image
from pydantic import Field as Limits

from mediakit import payloads
from mediakit.core.inputs import FileBytes
from mediakit.core.messages import quote
from mediakit.core.parameters import json_schema, parameters
from mediakit.core.request import build, invalid, request
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.tools.images.qr import shapes
from mediakit.tools.images.qr.request import BLACK, PALETTES, WHITE, Paint
from mediakit.widgets.forms.fields import Field, fields_of
from mediakit.widgets.forms.output import DebouncedUpdate, Rendered
from mediakit.widgets.forms.state import Selected, Stateful
from mediakit.widgets.inputs.base import Input, labeled, mark, markup, vbox
from mediakit.widgets.inputs.choices import ColorInput, PicksInput
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.rows import csv_file
from mediakit.widgets.many.tab import ManyForm

SAMPLE_MODULES = ("#.##.", "###..", "..#.#", "#..##", "##.#.")
"""A part of a code that shows how neighboring modules are joined."""
FINDER_COLOR = "#1f2328"
UNSET_FINDER = (
    f'<path fill="none" stroke="{FINDER_COLOR}" stroke-dasharray="1.3 1" d="M.5.5h6v6h-6z"/>'
    f'<path fill="{FINDER_COLOR}" opacity=".55" d="M2 2h3v3H2z"/>'
)
"""The finder pattern of no own shape."""


@cache
def style_icons() -> Mapping[str, str]:
    """Return an icon of each shape of modules."""
    side = len(SAMPLE_MODULES)
    symbol = Image.new("L", (3 * side, 3 * side), 255)
    sample = Image.new("L", (side, side))
    sample.putdata([0 if mark == "#" else 255 for row in SAMPLE_MODULES for mark in row])
    symbol.paste(sample, (side, side))  # away from the corners, where finder patterns are
    styles: tuple[shapes.Style, ...] = get_args(shapes.Style)
    paths = {style: shapes.svg_modules(symbol, style, 0, FINDER_COLOR) for style in styles}
    return {style: _svg(f"{side - 0.6} {side - 0.6} {side + 1.2} {side + 1.2}", path) for style, path in paths.items()}


@cache
def finder_icons() -> Mapping[str, str]:
    """Return an icon of each shape of finder patterns."""
    beyond = 30  # the other two finder patterns are outside the icon
    paths = {"unset": UNSET_FINDER}
    paths |= {shape: shapes.svg_finders(shape, beyond, 0, FINDER_COLOR) for shape in get_args(shapes.Finder)}
    return {shape: _svg("-1 -1 9 9", path) for shape, path in paths.items()}


@cache
def palette_icons() -> Mapping[str, str]:
    """Return the colors of each palette: those of the modules in front of the background."""
    return {"unset": "linear-gradient(#000,#000) center/62% 62% no-repeat,#fff"} | {
        name: f"linear-gradient(45deg,{palette.dark},{palette.gradient or palette.dark}) center/62% 62% no-repeat,"
        f"{palette.light}"
        for name, palette in PALETTES.items()
    }


def _svg(view_box: str, content: str) -> str:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}">{content}</svg>'
    return f'#fff url("data:image/svg+xml,{percent_encode(svg)}") center/contain no-repeat'


def _text(example: str, about: str, max_length: int = 200) -> Any:
    return Limits(min_length=1, max_length=max_length, examples=[example], description=about)


@request
class Network:
    """A Wi-Fi network."""

    name: Annotated[str, _text("Guests", "Name of the network (SSID).")]
    _: KW_ONLY
    password: Annotated[str, _text("sunflower-42", "Leave empty for an open network.")] | None = None
    security: Literal["WPA", "SAE", "WEP", "open"] | None = None
    """WPA if there is a password. SAE is for networks with WPA3 only."""
    hidden: bool = False
    """The network does not broadcast its name."""


@request
class Contact:
    """A contact."""

    name: Annotated[str, _text("Ada Lovelace", "Full name.")]
    _: KW_ONLY
    phone: Annotated[str, _text("+44 20 7946 0000", "Phone number with country code.")] | None = None
    email: Annotated[str, _text("ada@example.com", "Email address.")] | None = None
    organization: Annotated[str, _text("Analytical Engines", "Company, school or club.")] | None = None
    title: Annotated[str, _text("Programmer", "Job title.")] | None = None
    url: Annotated[str, _text("https://example.com", "Website.")] | None = None
    note: Annotated[str, _text("We met at the fair", "Additional text.", 500)] | None = None


@request
class Event:
    """A calendar event."""

    title: Annotated[str, _text("Summer concert", "Title of the event.")]
    start: Annotated[str, _text("2027-06-21 19:30", "Date, or date and time.")]
    _: KW_ONLY
    end: Annotated[str, _text("2027-06-21 22:00", "As in `start`. Empty for one day, or without an end.")] | None = None
    location: Annotated[str, _text("Town hall", "Place of the event.")] | None = None
    description: Annotated[str, _text("Bring a blanket", "Additional text.", 500)] | None = None


def _event(event: Event) -> str:
    end = _time("end", event.end) if event.end else None
    start = _time("start", event.start)
    return payloads.event(event.title, start, end, location=event.location, description=event.description)


def _time(name: str, text: str) -> datetime | date:
    try:
        return date.fromisoformat(text) if len(text) <= len("2027-06-21") else datetime.fromisoformat(text)
    except ValueError:
        message = f"must be a date such as 2027-06-21 or 2027-06-21 19:30, got {quote(text)}."
        raise invalid([{"field": name, "message": message}]) from None


PAYLOADS: Mapping[str, tuple[type[Any], Callable[[Any], str]]] = {
    "Wi-Fi": (Network, lambda network: payloads.wifi(**vars(network))),
    "Contact": (Contact, lambda contact: payloads.contact(**{k: v for k, v in vars(contact).items() if v is not None})),
    "Event": (Event, _event),
}
"""The fields of a payload, and the function that builds the text of the QR code from them."""


TITLE = "Will it scan?"


def _report(code: ImageResult, background: str) -> str:
    from mediakit.scan_check import scan_check

    report = scan_check(code, background=background)
    return f'<section aria-label="{TITLE}"><h4>{TITLE}</h4>{report._repr_html_()}</section>'


TEXT = "Text or link"

GRADIENT = ("gradient", "gradient_type", "gradient_angle", "transparent")

COLORS = ("dark", "light", "gradient")


class QrForm(ManyForm[ImageResult]):
    """The form of a QR code."""

    _visible = ("data", "palette", "dark", "light", "style", "finder", "size", "logo")

    def _make_fields(self) -> dict[str, Field]:
        self._kind = w.Dropdown(options=[TEXT, *PAYLOADS], **labeled("content"))
        self._kind_box = vbox([self._kind], "field", "wide")
        known = self._parameters
        # Empty colors are those of the palette.
        self._colors = {name: ColorInput(replace(known[name], default=None)) for name in COLORS}
        inputs: dict[str, Input] = {
            "style": PicksInput(known["style"], style_icons()),
            "finder": PicksInput(known["finder"], finder_icons(), unset="auto"),
            "palette": PicksInput(known["palette"], palette_icons(), unset="none"),
            "logo": FileInput(known["logo"], "image/*"),
            **self._colors,
        }
        self._tool_fields = fields_of(self.tool, inputs, self._visible)
        self._tool_fields["palette"].control.observe(lambda _: self._show_palette(), "value")
        self._show_palette()
        self._payload_fields = {
            kind: {each.name: Field(each) for each in parameters(request, json_schema(request))}
            for kind, (request, _) in PAYLOADS.items()
        }
        self._payload_fields["Wi-Fi"]["password"].input.is_kept = False
        for fields in self._payload_fields.values():
            self._observe(fields)
        self._kind.observe(self._on_kind, "value")
        return self._tool_fields

    def _show_palette(self) -> None:
        palette = PALETTES.get(self._tool_fields["palette"].input.read(), Paint(BLACK, WHITE))
        for name, color_input in self._colors.items():
            color_input.set_label(name, getattr(palette, name) or "")

    def _groups(self) -> Mapping[str, Collection[str]]:
        others = [name for name in self._tool_fields if name not in (*self._visible, *GRADIENT)]
        return {"Gradient and transparency": GRADIENT, self._other_title: others}

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        self._scan = markup("", "scan", "gone")  # until there is a report
        self._code: tuple[ImageResult, str]
        self._scan_update = DebouncedUpdate(lambda: asyncio.to_thread(_report, *self._code), self._show_report)
        self._output_area.insert(self._scan)
        return widget

    def _show(self, rendered: Rendered | Exception) -> None:
        super()._show(rendered)
        if isinstance(rendered, Rendered) and not self._is_closed:
            self._code = rendered.result, rendered.request.paint.light
            mark(self._scan, "stale", marked=True)
            self._scan_update.schedule(delay=0)

    def _show_report(self, report: str) -> None:
        self._scan.value = report
        for role in ("gone", "stale"):
            mark(self._scan, role, marked=False)

    def _header(self) -> list[w.Widget]:
        return [self._kind_box]

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, with `data` built from the fields of the payload."""
        values = super().values
        if self._kind.value == TEXT:
            return values
        request, text_of = PAYLOADS[self._kind.value]
        parts = {name: values.pop(name) for name in self._payload_fields[self._kind.value] if name in values}
        return {"data": text_of(build(request, parts)), **values}

    def _snippet_values(self) -> dict[str, Any]:
        values = {name: field.input.snippet_value() for name, field in self._tool_fields.items()}
        return {**values, "data": self.values.get("data")}

    def _batch_rows(self) -> tuple[Path | FileBytes, dict[str, Any]]:
        """Return the file with the rows of a batch; for a payload, the rows have its text as `data`."""
        file, options = super()._batch_rows()
        if self._kind.value == TEXT:
            return file, options
        rows = []
        table = self._many.source.rows if self._many.source else ()
        for row in table:
            with self._using(self._many.values(row)), suppress(InvalidInput):  # the batch has the error of the row
                rows.append({**row.values, "data": self.values["data"]})
        columns = dict.fromkeys(column for row in table for column in row.columns if column != "data")
        others = [column for column in columns if f"{{{column}}}" not in options["name"]]
        return csv_file(rows, str(self._kind.value).lower()), {**options, "columns": {}, "ignore": others}

    def _batch_call(self, output: str) -> tuple[Tool[..., Any], dict[str, Any]]:  # noqa: ARG002
        values = {name: field.input.snippet_value() for name, field in self._tool_fields.items()}
        return self.tool, {**values, "data": values["data"] if self._kind.value == TEXT else None}

    def _all_fields(self) -> Mapping[str, Field]:
        return self._tool_fields | {
            f"{kind}.{name}": field for kind, fields in self._payload_fields.items() for name, field in fields.items()
        }

    def _stateful(self) -> Mapping[str, Stateful]:
        kind = Selected(lambda: str(self._kind.value), lambda kind: self._kind.set_trait("value", kind))
        return {"content": kind, **super()._stateful()}

    def _on_kind(self, _change: Mapping[str, Any]) -> None:
        fields = self._payload_fields.get(self._kind.value, {"data": self._tool_fields["data"]})
        self.fields = {**fields, **{name: field for name, field in self._tool_fields.items() if name != "data"}}
        self._arrange()
        self._form_state.record()
        self._update.schedule(delay=0)
