"""Calculates the totals of item rows that are typed as texts, for templates such as invoice and receipt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from mediakit.engines.templates.invoice_data import (
    DEFAULT_CURRENCIES,
    MAX_AMOUNT,
    MAX_DECIMAL_PLACES,
    formatted,
    money,
    rounded,
    tax_label_text,
)
from mediakit.engines.templates.items import MAX_ITEM_ROWS
from mediakit.engines.templates.manifest import Manifest

SUM_KEYS = ("subtotal", "tax_label", "tax", "total")

_NUMBER = re.compile(r"[-−]?\d[\d.,\s]*", re.ASCII)
_BARE = re.compile(r"\s*[-−]?[\d.,]+\s*", re.ASCII)
"""A number without a currency or a unit."""


@dataclass(frozen=True)
class Totals:
    """Calculated texts by key; typed texts are not replaced, except for bare numbers that become amounts of money."""

    texts: Mapping[str, str]
    problem: str = ""
    """Why the sums are empty; empty if they are calculated."""


def has_totals(template: Manifest) -> bool:
    """Return whether a template has items with prices, and a total."""
    return "price" in template.item_columns and "total" in template.by_name


def calculate_totals(
    template: Manifest, texts: Mapping[str, str], *, tax: Decimal = Decimal(0), currency: str | None = None, lang: str
) -> Totals:
    """Return the totals of the items in `texts`; nothing if there are no items.

    Args:
        template: A template with totals.
        texts: The typed texts by key.
        tax: Tax in percent of the subtotal.
        currency: ISO 4217 code; default the currency of the language.
        lang: Language and number format, `en` or `es`.
    """
    code = currency or DEFAULT_CURRENCIES[lang]
    rows = [row for row in range(1, MAX_ITEM_ROWS + 1) if any(texts.get(key) for key in _keys(template, row).values())]
    if not rows:
        return Totals({})
    items = {row: _item(template, texts, row, code, lang) for row in rows}
    calculated = {key: text for item in items.values() for key, text in item.texts.items()}
    missing = [row for row, item in items.items() if item.amount is None]
    if missing:
        sums, problem = dict.fromkeys(SUM_KEYS, ""), f"Item {missing[0]} has no price, so the totals are empty."
    else:
        subtotal = sum((item.amount or Decimal(0) for item in items.values()), Decimal(0))
        sums, problem = _sums(subtotal, tax, code, lang), ""
    known = {key: text for key, text in sums.items() if key in template.by_name and key not in texts}
    return Totals({**calculated, **known}, "" if "total" in texts else problem)


def parse_number(text: str, lang: str) -> Decimal | None:
    """Return the number in a text such as `$1,028.50`, `1.028,50 €` or `3 h`; None if there is none."""
    found = _NUMBER.search(text)
    if not found:
        return None
    digits = re.sub(r"\s", "", found[0]).rstrip(".,").replace("−", "-")
    last = max(digits.rfind("."), digits.rfind(","))
    if last >= 0 and not _is_thousands(digits, last, lang):
        digits = re.sub(r"[.,]", "", digits[:last]) + "." + digits[last + 1 :]
    else:
        digits = re.sub(r"[.,]", "", digits)
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    exponent = number.normalize().as_tuple().exponent
    is_precise = isinstance(exponent, int) and -exponent <= MAX_DECIMAL_PLACES
    return number if abs(number) <= MAX_AMOUNT and is_precise else None


@dataclass(frozen=True)
class _Item:
    amount: Decimal | None
    texts: Mapping[str, str]


def _keys(template: Manifest, row: int) -> dict[str, str]:
    return {column: f"item{row}_{column}" for column in template.item_columns}


def _item(template: Manifest, texts: Mapping[str, str], row: int, code: str, lang: str) -> _Item:
    """Return the amount and the calculated texts of an item. Without a column of totals, prices are those of all."""
    keys = _keys(template, row)
    typed = {column: texts.get(key, "") for column, key in keys.items()}
    price = parse_number(typed["price"], lang)
    calculated = (
        {keys["price"]: money(price, code, lang)} if price is not None and _BARE.fullmatch(typed["price"]) else {}
    )
    if "total" not in keys:
        return _Item(price, calculated)
    quantity = parse_number(typed["qty"], lang) if typed.get("qty", "").strip() else Decimal(1)
    if quantity is not None and _BARE.fullmatch(typed.get("qty", "")):
        calculated[keys["qty"]] = formatted(quantity, lang)
    if typed["total"].strip():
        total = parse_number(typed["total"], lang)
        if total is not None and _BARE.fullmatch(typed["total"]):
            calculated[keys["total"]] = money(total, code, lang)
        return _Item(total, calculated)
    if price is None or quantity is None:
        return _Item(None, calculated)
    amount = rounded(quantity * price, code)
    return _Item(amount, {**calculated, keys["total"]: money(amount, code, lang)})


def _sums(subtotal: Decimal, tax: Decimal, code: str, lang: str) -> dict[str, str]:
    subtotal = rounded(subtotal, code)
    amount = rounded(subtotal * tax / 100, code)
    sums = {**dict.fromkeys(SUM_KEYS, ""), "total": money(subtotal + amount, code, lang)}
    if tax:
        label = tax_label_text(tax, lang)
        sums |= {"subtotal": money(subtotal, code, lang), "tax_label": label, "tax": money(amount, code, lang)}
    return sums


def _is_thousands(digits: str, last: int, lang: str) -> bool:
    """Return whether the last separator of a number separates thousands rather than decimals."""
    separator = digits[last]
    if digits.count(separator) > 1:
        return True
    if {".", ","} <= set(digits):
        return False
    return len(digits) - last - 1 == 3 and separator == (".," if lang == "es" else ",.")[0]
