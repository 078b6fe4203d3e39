"""`invoice_data`: rows and sums for the template, worked out in decimals."""

from decimal import Decimal
from itertools import repeat
from typing import Any

import pytest

import mediakit
from mediakit.engines.templates import TEMPLATES
from mediakit.errors import InvalidInput

WORK = [("Logo design", 1, 400), ("Web page", 3, 150)]


@pytest.mark.parametrize(("lang", "tax"), [("en", 10), ("es", 21)])
def test_gives_the_texts_of_the_example(lang: Any, tax: int) -> None:
    data = mediakit.invoice_data(WORK, tax, lang=lang)
    examples = {key.name: key.example(lang) for key in TEMPLATES["invoice"].keys}
    assert {name: text for name, text in data.items() if text != examples[name] and not name.endswith("_name")} == {}
    assert (data["item1_name"], data["item2_name"]) == ("Logo design", "Web page")


def test_rounds_each_row_before_it_sums() -> None:
    data = mediakit.invoice_data([("A", 1, "0.125"), ("B", 1, "0.125")], 10)
    assert (data["item1_price"], data["item1_total"]) == ("$0.125", "$0.13")
    assert (data["subtotal"], data["tax"], data["total"]) == ("$0.26", "$0.03", "$0.29")


def test_takes_floats_as_they_are_written() -> None:
    data = mediakit.invoice_data([("A", 3, 0.1), ("B", 1.5, Decimal("1.10"))], 8.625)
    assert (data["item1_total"], data["item2_qty"], data["item2_total"]) == ("$0.30", "1.5", "$1.65")
    assert data["tax_label"] == "Tax (8.625%)"


def test_without_tax_the_total_stands_alone() -> None:
    data = mediakit.invoice_data(WORK)
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
def test_writes_money_as_currency_and_language_do(currency: str, lang: Any, total: str) -> None:
    assert mediakit.invoice_data([("A", 1, "1234.50")], currency=currency, lang=lang)["total"] == total


def test_a_discount_is_a_row_with_a_price_below_zero() -> None:
    data = mediakit.invoice_data([*WORK, ("Discount", 1, -50)])
    assert (data["item3_price"], data["item3_total"], data["total"]) == ("−$50.00", "−$50.00", "$800.00")


@pytest.mark.parametrize(
    ("items", "options", "words"),
    [
        ([], {}, "items: must have 1 to 8 rows, got none"),
        (repeat(WORK[0]), {}, "items: must have 1 to 8 rows, got more"),
        ([("A", 1)], {}, "items[0]: must be a description, a quantity and the price of one."),
        ([WORK[0], ("A", "two", 3)], {}, 'items[1] quantity: must be a number such as 12.50 or "12.50", got "two".'),
        ([("A", 1, float("nan"))], {}, "items[0] price: must be a number"),
        ([("A", True, 1)], {}, "items[0] quantity: must be a number"),
        ([("A", 1, 10**5000)], {}, "items[0] price: must be from -1,000,000,000,000 to"),
        ([("A", 1, "1e-99999")], {}, "items[0] price: must have at most 4 decimal places"),
        ([("A" * 121, 1, 1)], {}, "item1_name: must have at most 120 characters, got 121."),
        (WORK, {"tax": 101}, "tax: must be from 0 to 100, got 101."),
        (WORK, {"currency": "€"}, "currency: must be an ISO 4217 code of three letters such as EUR"),
        (WORK, {"lang": "de"}, 'lang: must be en or es, got "de".'),
        (WORK, {"tax": 5, "tax_label": "x" * 41}, "tax_label: must have at most 40 characters"),
    ],
)
def test_refuses_what_makes_no_invoice(items: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        mediakit.invoice_data(items, **options)
    assert str(refusal.value).startswith(words)


@pytest.mark.browser
def test_what_it_gives_prints() -> None:
    pymupdf = pytest.importorskip("pymupdf")
    data = mediakit.invoice_data(WORK, 21, lang="es") | {"client": "Librería del Puerto"}
    printed = mediakit.pdf(template="invoice", data=data, lang="es")
    with pymupdf.open(stream=printed.content) as document:
        text = " ".join(document[0].get_text().split())
    assert "Librería del Puerto" in text
    assert "1.028,50 €" in text
    assert "invoice" not in printed.meta["fitted"]
