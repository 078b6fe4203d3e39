"""The inputs of a template: texts, logo, style, items and totals."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from decimal import Decimal
from functools import partial
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.manifest import MAX_ITEM_ROWS, Key, Manifest
from mediakit.engines.templates.template import thumbnail_uri
from mediakit.engines.templates.totals import DECIMAL_PLACES, SUM_KEYS, SYMBOLS, Totals, calculate_totals, parse_number
from mediakit.results.files import FileResult
from mediakit.widgets.forms.fields import Field
from mediakit.widgets.inputs.base import Input, button, group, labeled, markup, styled, vbox
from mediakit.widgets.inputs.choices import ColorInput, PicksInput
from mediakit.widgets.inputs.files import FileInput


def thumbnails_input(parameter: Parameter, thumbnails: Mapping[str, str], group: str = "") -> PicksInput:
    """Return a choice by thumbnails, which are data: URIs."""
    backgrounds = {name: f'url("{uri}") center/contain no-repeat' for name, uri in thumbnails.items()}
    picks = PicksInput(parameter, backgrounds, group=group)
    styled(picks.control, "thumbnails")
    return picks


def templates_input(help_: str) -> PicksInput:
    """Return a choice of a template by thumbnails."""
    thumbnails = {name: thumbnail_uri(template) for name, template in TEMPLATES.items()}
    return thumbnails_input(choice("template", help_, tuple(TEMPLATES)), thumbnails)


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
        super().__init__(parameter, control(placeholder=key.en, **labeled(parameter.name), **options))
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
    thumbnails = {style: thumbnail_uri(template, style) for style in template.styles}
    return {"style": Field(styles, custom_input=thumbnails_input(styles, thumbnails, f"{template.name}-style"))}


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
    given = {"kind": "text", "default": None, "choices": (), "minimum": None, "maximum": None, **options}
    return Parameter(name=name, aliases=(), help=help_, required=False, max_length=None, schema={}, **given)


def choice(name: str, help_: str, choices: tuple[str, ...]) -> Parameter:
    """Return a choice whose first value is the default."""
    return parameter(name, help_, kind="choice", choices=choices, default=choices[0])


WIDTHS = {"name": "minmax(0, 3fr)", "qty": "minmax(0, 1fr)"}


class ItemRows:
    """The fields `item1_name`, `item1_qty` ... as rows. The changes in the block of `step` are undone together."""

    def __init__(
        self,
        fields: Mapping[str, Field],
        columns: Sequence[str],
        example: Callable[[str], str],
        step: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._fields, self._columns, self._example, self._step = fields, columns, example, step
        self._header = [markup(f"<div class='mediakit-label' aria-hidden='true'>{column}</div>") for column in columns]
        self._corner = markup()
        self._remove_buttons = [
            button(text := f"Remove item {row}", partial(self._remove, row), icon="times", tooltip=text)
            for row in range(1, MAX_ITEM_ROWS + 1)
        ]
        self._add_button = button("Add an item", self._add)
        widths = [WIDTHS.get(name, "minmax(0, 1.4fr)") for name in columns]
        self._box = styled(w.GridBox(), "items")
        self._box.layout.grid_template_columns = " ".join([*widths, "24px"])  # the last column has the buttons
        self.widget = vbox([self._box, group([self._add_button], "buttons")], "wide", "field")
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
        has_text = self.has_text
        texts = {name: each.control.value if has_text else self._example(name) for name, each in self._fields.items()}
        used = [row for row in range(1, MAX_ITEM_ROWS + 1) if any(texts[name] for name in self._names(row))]
        self._count = max([self._count, *used])
        rows = [
            [*(self._fields[name].widget for name in self._names(row)), self._remove_buttons[row - 1]]
            for row in range(1, self._count + 1)
        ]
        self._box.children = [*self._header, self._corner, *(widget for row in rows for widget in row)]
        self._add_button.disabled = self._count == MAX_ITEM_ROWS
        for each in self._remove_buttons:
            each.disabled = self._count == 1
        self.update_placeholders()

    def _names(self, row: int) -> list[str]:
        return [f"item{row}_{column}" for column in self._columns]

    def _fill_in_examples(self) -> None:
        """Copy the examples into the fields, so that they stay when a row is added or removed."""
        if not self.has_text:
            for name, text in {name: self._example(name) for name in self._fields}.items():
                self._fields[name].control.value = text

    def _add(self) -> None:
        with self._step():
            self._fill_in_examples()
            self._count = min(self._count + 1, MAX_ITEM_ROWS)
            self.arrange()

    def _remove(self, removed: int) -> None:
        with self._step():
            self._fill_in_examples()
            controls = [[self._fields[name].control for name in self._names(row + 1)] for row in range(MAX_ITEM_ROWS)]
            texts = [[control.value for control in row] for row in controls]
            moved = [*texts[: removed - 1], *texts[removed:], [""] * len(self._columns)]
            for row, values in zip(controls, moved, strict=True):
                for control, value in zip(row, values, strict=True):
                    control.value = value
            self._count = max(self._count - 1, 1)
            self.arrange()


CURRENCIES = tuple(sorted({*SYMBOLS, *DECIMAL_PLACES, "AUD", "BRL", "CAD", "CHF", "MXN", "PLN", "SEK"}))
MAX_TAX = 100


class TotalsInput:
    """Two fields beside the keys of a template, and a note on totals that cannot be calculated."""

    def __init__(self, template: Manifest) -> None:
        self._template = template
        currency_help = "Currency of calculated totals. Default: USD, in Spanish EUR."
        rate_help = "Tax in percent of the subtotal. A typed total takes precedence."
        rate = parameter("tax_rate", rate_help, kind="number", default=0, minimum=0, maximum=MAX_TAX)
        currency = parameter("currency", currency_help, kind="choice", choices=CURRENCIES)
        self.fields = {"currency": Field(currency), "tax_rate": Field(rate)}
        self.note = markup()

    def calculate(self, texts: Mapping[str, str], lang: str) -> Totals:
        """Return the totals of typed texts."""
        tax = Decimal(str(self.fields["tax_rate"].control.value))
        currency = self.fields["currency"].control.value or None
        tax = tax if 0 <= tax <= MAX_TAX else Decimal(0)
        return calculate_totals(self._template, texts, tax=tax, currency=currency, lang=lang)

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
