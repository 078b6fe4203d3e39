"""The currency and the tax rate from which the form of a template calculates totals."""

import html
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.totals import DECIMAL_PLACES, SUM_KEYS, SYMBOLS, Totals, calculate_totals, parse_number
from mediakit.widgets.field import Field

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
