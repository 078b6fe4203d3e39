"""`invoice_data`: rows and totals for the template, computed with decimals."""

from decimal import Decimal
from itertools import repeat
from typing import Any

import pytest

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput

ITEMS = [("Logo design", 1, 400), ("Web page", 3, 150)]


@pytest.mark.parametrize(("lang", "tax"), [("en", 10), ("es", 21)])
def test_example_rows_return_the_example_texts(lang: Any, tax: int) -> None:
    data = mediakit.invoice_data(ITEMS, tax, lang=lang)
    examples = {key.name: key.example(lang) for key in TEMPLATES["invoice"].keys}
    assert {name: text for name, text in data.items() if text != examples[name] and not name.endswith("_name")} == {}
    assert (data["item1_name"], data["item2_name"]) == ("Logo design", "Web page")


def test_rows_are_rounded_before_they_are_added() -> None:
    data = mediakit.invoice_data([("A", 1, "0.125"), ("B", 1, "0.125")], 10)
    assert (data["item1_price"], data["item1_total"]) == ("$0.125", "$0.13")
    assert (data["subtotal"], data["tax"], data["total"]) == ("$0.26", "$0.03", "$0.29")


def test_floats_are_read_as_decimals() -> None:
    data = mediakit.invoice_data([("A", 3, 0.1), ("B", 1.5, Decimal("1.10"))], 8.625)
    assert (data["item1_total"], data["item2_qty"], data["item2_total"]) == ("$0.30", "1.5", "$1.65")
    assert data["tax_label"] == "Tax (8.625%)"


def test_without_tax_subtotal_and_tax_are_empty() -> None:
    data = mediakit.invoice_data(ITEMS)
    assert (data["subtotal"], data["tax_label"], data["tax"], data["total"]) == ("", "", "", "$850.00")


@pytest.mark.parametrize(
    ("currency", "lang", "total"),
    [
        ("JPY", "en", "¥1,235"),
        ("GBP", "es", "1.234,50 £"),
        ("CHF", "en", "CHF 1,234.50"),
        ("chf", "es", "1.234,50 CHF"),
        ("KWD", "en", "KWD 1,234.500"),
    ],
)
def test_money_is_formatted_by_currency_and_language(currency: str, lang: Any, total: str) -> None:
    assert mediakit.invoice_data([("A", 1, "1234.50")], currency=currency, lang=lang)["total"] == total


def test_discount_is_a_row_with_negative_price() -> None:
    data = mediakit.invoice_data([*ITEMS, ("Discount", 1, -50)])
    assert (data["item3_price"], data["item3_total"], data["total"]) == ("−$50.00", "−$50.00", "$800.00")


@pytest.mark.parametrize(
    ("items", "options", "words"),
    [
        ([], {}, "items: must have 1 to 8 rows, got none"),
        (repeat(ITEMS[0]), {}, "items: must have 1 to 8 rows, got more"),
        ([("A", 1)], {}, "items[0]: must be a tuple of description, quantity and unit price."),
        ([ITEMS[0], ("A", "two", 3)], {}, 'items[1] quantity: must be a number such as 12.50 or "12.50", got "two".'),
        ([("A", 1, float("nan"))], {}, "items[0] price: must be a number"),
        ([("A", True, 1)], {}, "items[0] quantity: must be a number"),
        ([("A", 1, 10**5000)], {}, "items[0] price: must be between -1,000,000,000,000 and"),
        ([("A", 1, "1e-99999")], {}, "items[0] price: must have at most 4 decimal places"),
        ([("A" * 121, 1, 1)], {}, "item1_name: must have at most 120 characters, got 121."),
        (ITEMS, {"tax": 101}, "tax: must be between 0 and 100, got 101."),
        (ITEMS, {"currency": "€"}, "currency: must be a three-letter ISO 4217 code such as EUR"),
        (ITEMS, {"lang": "de"}, 'lang: must be en or es, got "de".'),
        (ITEMS, {"tax": 5, "tax_label": "x" * 41}, "tax_label: must have at most 40 characters"),
    ],
)
def test_invalid_invoice_is_rejected(items: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.invoice_data(items, **options)
    assert str(error.value).startswith(words)


@pytest.mark.browser
def test_pdf_shows_the_computed_texts() -> None:
    pymupdf = pytest.importorskip("pymupdf")
    data = mediakit.invoice_data(ITEMS, 21, lang="es") | {"client": "Librería del Puerto"}
    printed = mediakit.pdf(template="invoice", data=data, lang="es")
    with pymupdf.open(stream=printed.content) as document:
        text = " ".join(document[0].get_text().split())
    assert "Librería del Puerto" in text
    assert "1.028,50 €" in text
    assert "invoice" not in printed.meta["fitted"]
