"""Totals of item rows that are typed as texts."""

from decimal import Decimal

import pytest

from mediakit.engines.templates import TEMPLATES
from mediakit.engines.templates.totals import calculate_totals, has_totals, parse_number

INVOICE, RECEIPT = TEMPLATES["invoice"], TEMPLATES["receipt"]
WORKSHOP = {"item1_name": "Workshop", "item1_qty": "3", "item1_price": "250"}


def test_templates_with_prices_have_totals() -> None:
    assert [name for name, template in TEMPLATES.items() if has_totals(template)] == ["invoice", "receipt"]


def test_invoice_has_line_total_subtotal_tax_and_total() -> None:
    texts = calculate_totals(INVOICE, WORKSHOP, tax=Decimal(10), lang="en").texts
    assert texts == {
        "item1_qty": "3",
        "item1_price": "$250.00",
        "item1_total": "$750.00",
        "subtotal": "$750.00",
        "tax_label": "Tax (10%)",
        "tax": "$75.00",
        "total": "$825.00",
    }


def test_amounts_have_format_of_language_and_currency() -> None:
    spanish = calculate_totals(INVOICE, {"item1_price": "1.250,5", "item1_qty": "2 h"}, lang="es").texts
    assert (spanish["item1_price"], spanish["total"]) == ("1.250,50 €", "2.501,00 €")
    assert "item1_qty" not in spanish
    yen = calculate_totals(INVOICE, WORKSHOP, currency="JPY", lang="en").texts
    assert (yen["total"], yen["subtotal"], yen["tax"]) == ("¥750", "", "")


def test_typed_totals_take_precedence() -> None:
    texts = calculate_totals(INVOICE, {**WORKSHOP, "item1_total": "700", "total": "$9"}, lang="en").texts
    assert texts["item1_total"] == "$700.00"
    assert "total" not in texts
    assert calculate_totals(INVOICE, {**WORKSHOP, "item1_total": "700"}, lang="en").texts["total"] == "$700.00"


def test_item_without_price_leaves_totals_empty_and_says_why() -> None:
    totals = calculate_totals(INVOICE, {**WORKSHOP, "item2_name": "Book"}, lang="en")
    assert totals.problem == "Item 2 has no price, so the totals are empty."
    assert {totals.texts[key] for key in ("subtotal", "tax_label", "tax", "total")} == {""}
    assert calculate_totals(INVOICE, {"client": "Tea Ltd."}, lang="en").texts == {}


def test_prices_of_receipt_are_those_of_all_pieces() -> None:
    texts = {"item1_name": "Tea", "item1_qty": "2", "item1_price": "7", "item2_price": "$3.50"}
    assert calculate_totals(RECEIPT, texts, lang="en").texts["total"] == "$10.50"


@pytest.mark.parametrize(
    ("text", "lang", "number"),
    [
        ("$1,028.50", "en", "1028.50"),
        ("1.028,50 €", "es", "1028.50"),
        ("250.00", "es", "250"),
        ("1.250", "es", "1250"),
        ("1.250", "en", "1.25"),
        ("1,250", "en", "1250"),
        ("12,5", "en", "12.5"),
        ("1,000,000", "en", "1000000"),
        ("3 h", "en", "3"),
        ("−5", "en", "-5"),
        ("free", "en", None),
        ("", "en", None),
        ("9" * 40, "en", None),
        ("1.123456", "en", None),
    ],
)
def test_numbers_are_read_in_formats_of_both_languages(text: str, lang: str, number: str | None) -> None:
    assert parse_number(text, lang) == (Decimal(number) if number else None)
