"""The inputs of a template: texts, logo, style, items and totals."""

import html
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from decimal import Decimal
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.templates import Template
from mediakit.engines.templates.manifest import MAX_ITEM_ROWS, Key, Manifest
from mediakit.engines.templates.template import thumbnail_uri
from mediakit.engines.templates.totals import DECIMAL_PLACES, SUM_KEYS, SYMBOLS, Totals, calculate_totals, parse_number
from mediakit.results.files import FileResult
from mediakit.widgets.forms.fields import Field
from mediakit.widgets.inputs.base import ChoiceInput, Input, heading, labeled
from mediakit.widgets.inputs.choices import ColorInput
from mediakit.widgets.inputs.files import FileInput


class StyleInput(ChoiceInput):
    """Buttons with thumbnails. The first style is the default."""

    wide = True

    def __init__(self, parameter: Parameter, template: Manifest) -> None:
        super().__init__(parameter)
        self._first = template.styles[0]
        self._buttons = {style: self._button(style, template.name) for style in template.styles}
        css = "".join(
            f".mediakit-form .mediakit-style-{template.name}-{style}"
            f"{{background-image:url({thumbnail_uri(template, style)})}}"
            for style in template.styles
        )
        buttons = w.Box(list(self._buttons.values()))
        buttons.add_class("mediakit-picks")
        self._box = w.VBox([w.HTML(f"<style>{css}</style>"), buttons])
        self.caption = heading(parameter.name)
        self.control.observe(lambda _: self._update(), "value")
        self._update()

    @property
    def widget(self) -> w.DOMWidget:
        """The buttons."""
        return self._box

    def read(self) -> Any:
        """Return the style; None for the first."""
        return None if self.control.value == self._first else self.control.value

    def _button(self, style: str, template: str) -> w.Button:
        button = w.Button(description=style)
        button.add_class(f"mediakit-style-{template}-{style}")
        button.on_click(lambda _: self.control.set_trait("value", style))
        return button

    def _update(self) -> None:
        for style, button in self._buttons.items():
            is_selected = style == self.control.value
            (button.add_class if is_selected else button.remove_class)("mediakit-picked")
            button.tooltip = f"{style}, selected" if is_selected else f"Use the style {style}"


WIDE_LENGTH = 80
"""Texts with a higher maximum length use the full width of the form."""

MULTILINE_LENGTH = 150
"""Texts with a higher maximum length have several lines."""


class KeyInput(Input):
    """A text of a template, with its example as the placeholder."""

    def __init__(self, parameter: Parameter, key: Key) -> None:
        is_long = key.max_length > MULTILINE_LENGTH
        control = w.Textarea if is_long else w.Text
        options = {"rows": 2} if is_long else {}
        super().__init__(parameter, control(placeholder=key.en, **labeled(parameter), **options))
        self.wide = key.max_length > WIDE_LENGTH

    def read(self) -> Any:
        """Return the text; None if the field is empty, and an empty text, which hides the element, for spaces."""
        text = self.control.value
        return (text if text.strip() else "") if text else None

    def fill(self, value: Any) -> None:
        """Show a text; an empty text is shown as a space."""
        self.control.value = value or " "


class LogoInput(FileInput):
    """An input for an uploaded image, whose value is a data: URI."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, "image/*")

    def read(self) -> Any:
        """Return the image as a data: URI, or the path of the image."""
        if not self.control.value:
            return super().read()
        file = self.control.value[0]
        return FileResult(bytes(file["content"]), file["type"]).data_uri()


def style_field(template: Template) -> dict[str, Field]:
    """Return the field for the style; none for a template with one style."""
    if len(template.styles) == 1 or "style" in template.by_name:
        return {}
    styles = choice("style", "", template.styles)
    return {"style": Field(styles, custom_input=StyleInput(styles, template))}


def key_field(key: Key) -> Field:
    """Return the field for a key."""
    if key.format == "image":
        help_ = f"PNG, JPEG, WebP or SVG image of at most {key.max_size}."
        return Field(parameter(key.name, help_), custom_input=LogoInput(parameter(key.name, "")))
    text = parameter(key.name, "")
    if key.format == "color":
        return Field(text, custom_input=ColorInput(text, default=key.en))
    return Field(text, custom_input=KeyInput(text, key))


def parameter(name: str, help_: str, **options: Any) -> Parameter:
    """Return a parameter that is not one of a tool."""
    options = {"kind": "text", "default": None, "choices": (), "schema": {}, **options}
    return Parameter(
        name=name, aliases=(), help=help_, required=False, minimum=None, maximum=None, max_length=None, **options
    )


def choice(name: str, help_: str, choices: tuple[str, ...]) -> Parameter:
    """Return a choice whose first value is the default."""
    return parameter(name, help_, kind="choice", choices=choices, default=choices[0])


WIDTHS = {"name": "minmax(0, 3fr)", "qty": "minmax(0, 1fr)"}
OTHER_WIDTH = "minmax(0, 1.4fr)"
BUTTON_WIDTH = "24px"


class ItemRows:
    """The fields `item1_name`, `item1_qty` ... as rows.

    Args:
        fields: The fields by template key.
        columns: The names of the columns.
        example: Returns the example text of a template key.
        step: Returns a context manager; all changes in its block are undone together.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        columns: Sequence[str],
        example: Callable[[str], str],
        step: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._fields, self._columns, self._example, self._step = fields, columns, example, step
        self._header = [w.HTML(f"<div class='mediakit-label' aria-hidden='true'>{column}</div>") for column in columns]
        self._corner = w.HTML()
        self._remove_buttons = [self._remove_button(row) for row in range(1, MAX_ITEM_ROWS + 1)]
        self._add_button = w.Button(description="Add an item")
        self._add_button.on_click(lambda _: self._as_step(self._add))
        self._box = w.GridBox()
        self._box.add_class("mediakit-items")
        widths = [WIDTHS.get(name, OTHER_WIDTH) for name in columns]
        self._box.layout.grid_template_columns = " ".join([*widths, BUTTON_WIDTH])
        buttons = w.Box([self._add_button])
        buttons.add_class("mediakit-buttons")
        self.widget = w.VBox([self._box, buttons])
        for name in ("mediakit-wide", "mediakit-field"):
            self.widget.add_class(name)
        for field in fields.values():
            field.control.observe(lambda _: self.update_placeholders(), "value")
        self._count = 1
        self.arrange()

    @property
    def widgets(self) -> list[w.Widget]:
        """The rows, and the buttons of rows that are not displayed."""
        return [self.widget, *self._remove_buttons]

    @property
    def has_text(self) -> bool:
        """Whether any item has a text; the template then uses no example items."""
        return any(field.control.value for field in self._fields.values())

    def update_placeholders(self) -> None:
        """Show the example texts that the template will use."""
        for name, field in self._fields.items():
            field.control.placeholder = "" if self.has_text else self._example(name)

    def arrange(self) -> None:
        """Show the rows with a text or an example, and the rows that were added."""
        used = [row for row in range(1, MAX_ITEM_ROWS + 1) if any(self._text(name) for name in self._names(row))]
        self._count = max([self._count, *used])
        rows = [
            [*(self._fields[name].widget for name in self._names(row)), self._remove_buttons[row - 1]]
            for row in range(1, self._count + 1)
        ]
        self._box.children = [*self._header, self._corner, *(widget for row in rows for widget in row)]
        self._add_button.disabled = self._count == MAX_ITEM_ROWS
        for button in self._remove_buttons:
            button.disabled = self._count == 1
        self.update_placeholders()

    def _names(self, row: int) -> list[str]:
        return [f"item{row}_{column}" for column in self._columns]

    def _text(self, name: str) -> str:
        return str(self._fields[name].control.value) if self.has_text else self._example(name)

    def _remove_button(self, row: int) -> w.Button:
        button = w.Button(description=f"Remove item {row}", icon="times", tooltip=f"Remove item {row}")
        button.on_click(lambda _: self._as_step(lambda: self._remove(row)))
        return button

    def _as_step(self, change: Callable[[], None]) -> None:
        with self._step():
            change()

    def _fill_in_examples(self) -> None:
        """Copy the examples into the fields, so that they stay when a row is added or removed."""
        if not self.has_text:
            for name, text in {name: self._example(name) for name in self._fields}.items():
                self._fields[name].control.value = text

    def _add(self) -> None:
        self._fill_in_examples()
        self._count = min(self._count + 1, MAX_ITEM_ROWS)
        self.arrange()

    def _remove(self, removed: int) -> None:
        self._fill_in_examples()
        for row in range(removed, MAX_ITEM_ROWS + 1):
            for name, next_name in zip(self._names(row), self._names(row + 1), strict=True):
                self._fields[name].control.value = self._fields[next_name].control.value if row < MAX_ITEM_ROWS else ""
        self._count = max(self._count - 1, 1)
        self.arrange()


CURRENCIES = tuple(sorted({*SYMBOLS, *DECIMAL_PLACES, "AUD", "BRL", "CAD", "CHF", "MXN", "PLN", "SEK"}))
MAX_TAX = 100


class TotalsInput:
    """Two fields beside the keys of a template, and a note on totals that cannot be calculated."""

    def __init__(self, template: Manifest, parameter: Parameter) -> None:
        self._template = template
        currency = replace(parameter, name="currency", kind="choice", choices=CURRENCIES)
        rate = replace(parameter, name="tax_rate", kind="number", default=0, minimum=0, maximum=MAX_TAX)
        self.fields = {
            "currency": Field(replace(currency, help="Currency of calculated totals. Default: USD, in Spanish EUR.")),
            "tax_rate": Field(replace(rate, help="Tax in percent of the subtotal. A typed total takes precedence.")),
        }
        self.note = w.HTML()

    def calculate(self, texts: Mapping[str, str], lang: str) -> Totals:
        """Return the totals of typed texts."""
        return calculate_totals(self._template, texts, tax=self._tax(), currency=self._currency(), lang=lang)

    def show(self, totals: Totals) -> None:
        """Show why totals are empty."""
        note = html.escape(totals.problem)
        self.note.value = f"<div role='status' class='mediakit-help'>{note}</div>" if note else ""

    def adopt(self, texts: Mapping[str, str], lang: str) -> list[str]:
        """Set the tax rate and the currency with which totals were calculated; return the keys of these totals."""
        if (rate := parse_number(texts.get("tax_label", ""), lang)) is not None and 0 <= rate <= MAX_TAX:
            self.fields["tax_rate"].control.value = float(rate)
        total = texts.get("total", "")
        found = next((code for code, sign in SYMBOLS.items() if sign in total or code in total), None)
        if found and found != "USD":
            self.fields["currency"].control.value = found
        rest = {key: text for key, text in texts.items() if key not in SUM_KEYS and not key.endswith("_total")}
        calculated = self.calculate(rest, lang).texts
        return [key for key in texts if key not in rest and calculated.get(key) == texts[key]]

    def _tax(self) -> Decimal:
        tax = Decimal(str(self.fields["tax_rate"].control.value))
        return tax if 0 <= tax <= MAX_TAX else Decimal(0)

    def _currency(self) -> str | None:
        value = self.fields["currency"].control.value
        return str(value) if value else None
