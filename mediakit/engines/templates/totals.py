"""Amounts of invoices and receipts: rows and totals of numbers, and totals of rows that are typed as texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import islice
from typing import Literal

from mediakit.core.introspection import readable
from mediakit.core.messages import quote
from mediakit.engines.templates.manifest import MAX_ITEM_ROWS, Manifest
from mediakit.engines.templates.registry import TEMPLATES
from mediakit.errors import InvalidInput

Number = int | float | Decimal | str

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩", "ILS": "₪", "UAH": "₴"}
"""Currency symbols by ISO 4217 code. Amounts in other currencies show the code."""
DECIMAL_PLACES = {
    **dict.fromkeys(("JPY", "KRW", "CLP", "ISK", "VND", "PYG"), 0),
    **dict.fromkeys(("BHD", "JOD", "KWD", "OMR", "TND"), 3),
}
"""Decimal places by currency (ISO 4217), for currencies with a number other than two."""
DEFAULT_CURRENCIES = {"en": "USD", "es": "EUR"}
MAX_AMOUNT = Decimal(10) ** 12
MAX_DECIMAL_PLACES = 4


@readable
def invoice_data(
    items: Iterable[tuple[str, Number, Number]],
    tax: Number = 0,
    *,
    currency: str | None = None,
    lang: Literal["en", "es"] = "en",
    tax_label: str | None = None,
) -> dict[str, str]:
    """Return the rows and totals of an invoice, as `data` for the template `invoice`.

    Amounts are rounded half up to the smallest unit of the currency; rows are rounded before they are added up.
    Without tax, the subtotal and the tax are empty texts, so that the template hides them.

    Args:
        items: Up to eight rows of description, quantity and unit price. Floats are read as decimals: `0.1` is exactly
            one tenth.
        tax: Tax in percent of the subtotal, 0 to 100.
        currency: ISO 4217 code such as `GBP`; default `USD` in English and `EUR` in Spanish.
        lang: Language and number format: `en` for `$1,028.50`, `es` for `1.028,50 €`.
        tax_label: Label of the tax; default `Tax (10%)` or `IVA (10 %)`.

    Raises:
        InvalidInput: There are no rows or too many rows, a number is invalid, or a text is too long.
    """
    if lang not in DEFAULT_CURRENCIES:
        raise InvalidInput(f"lang: must be en or es, got {quote(str(lang))}.")
    code = currency or DEFAULT_CURRENCIES[lang]
    if len(code) != 3 or not code.isascii() or not code.isalpha():
        raise InvalidInput(f"currency: must be a three-letter ISO 4217 code such as EUR, got {quote(code)}.")
    code = code.upper()
    given = list(islice(items, MAX_ITEM_ROWS + 1))
    if not 1 <= len(given) <= MAX_ITEM_ROWS:
        raise InvalidInput(f"items: must have 1 to {MAX_ITEM_ROWS} rows, got {'more' if given else 'none'}.")
    rows = [_check_row(item, f"items[{index}]") for index, item in enumerate(given)]
    amounts = [rounded(quantity * price, code) for _, quantity, price in rows]
    subtotal = sum(amounts, Decimal(0))
    percent = check_number(tax, "tax", least=Decimal(0), most=Decimal(100))
    texts = _sums(subtotal, percent, code, lang)
    if percent and tax_label is not None:
        texts["tax_label"] = tax_label
    for row, ((name, quantity, price), amount) in enumerate(zip(rows, amounts, strict=True), 1):
        texts |= {f"item{row}_name": name, f"item{row}_qty": formatted(quantity, lang)}
        texts |= {f"item{row}_price": money(price, code, lang), f"item{row}_total": money(amount, code, lang)}
    for name, text in texts.items():
        if problem := TEMPLATES["invoice"].by_name[name].problem(text):
            raise InvalidInput(f"{name}: {problem}")
    return texts


def money(amount: Decimal, code: str, lang: str) -> str:
    """Return a formatted amount of money; unit prices may have more decimal places than their currency."""
    places = max(DECIMAL_PLACES.get(code, 2), _decimal_places(amount))
    digits = _with_separators(f"{abs(amount):,.{places}f}", lang)
    sign, symbol = "−" if amount < 0 else "", SYMBOLS.get(code, code)
    if lang == "es":
        return f"{sign}{digits} {symbol}"
    return f"{sign}{symbol}{digits}" if code in SYMBOLS else f"{sign}{symbol} {digits}"


def _check_row(item: object, field: str) -> tuple[str, Decimal, Decimal]:
    if not isinstance(item, tuple | list) or len(item) != 3 or not isinstance(item[0], str):
        raise InvalidInput(f"{field}: must be a tuple of description, quantity and unit price.")
    return item[0], check_number(item[1], f"{field} quantity"), check_number(item[2], f"{field} price")


def check_number(value: object, field: str, least: Decimal = -MAX_AMOUNT, most: Decimal = MAX_AMOUNT) -> Decimal:
    """Return a value as a number within limits.

    Raises:
        InvalidInput: The value is not a number, or it is outside the limits.
    """
    try:
        number = Decimal(value) if type(value) is int else Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InvalidInput(f'{field}: must be a number such as 12.50 or "12.50", got {quote(str(value))}.')
    if not least <= number <= most:
        raise InvalidInput(f"{field}: must be between {least:,f} and {most:,f}, got {number:.6g}.")
    if _decimal_places(number) > MAX_DECIMAL_PLACES:
        raise InvalidInput(f"{field}: must have at most {MAX_DECIMAL_PLACES} decimal places, got {quote(str(value))}.")
    return number


def rounded(amount: Decimal, code: str) -> Decimal:
    """Return an amount rounded half up to the smallest unit of a currency."""
    return amount.quantize(Decimal(1).scaleb(-DECIMAL_PLACES.get(code, 2)), ROUND_HALF_UP)


def _decimal_places(number: Decimal) -> int:
    """Return the number of decimal places without trailing zeros."""
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def formatted(number: Decimal, lang: str) -> str:
    """Return a number in the format of a language."""
    return _with_separators(f"{number:,.{_decimal_places(number)}f}", lang).replace("-", "−")


def _with_separators(digits: str, lang: str) -> str:
    return digits.translate(str.maketrans(",.", ".,")) if lang == "es" else digits


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
    """Return the totals of the items in the typed texts of a template with totals; nothing if there are no items.

    The tax is in percent of the subtotal, and the currency an ISO 4217 code, by default that of the language.
    """
    code = currency or DEFAULT_CURRENCIES[lang]
    rows = [row for row in range(1, MAX_ITEM_ROWS + 1) if any(texts.get(key) for key in _keys(template, row).values())]
    if not rows:
        return Totals({})
    items = {row: _item(template, texts, row, code, lang) for row in rows}
    calculated = {key: text for _, made in items.values() for key, text in made.items()}
    if missing := [row for row, (amount, _) in items.items() if amount is None]:
        sums, problem = dict.fromkeys(SUM_KEYS, ""), f"Item {missing[0]} has no price, so the totals are empty."
    else:
        subtotal = sum((amount or Decimal(0) for amount, _ in items.values()), Decimal(0))
        sums, problem = _sums(subtotal, tax, code, lang), ""
    known = {key: text for key, text in sums.items() if key in template.by_name and key not in texts}
    return Totals({**calculated, **known}, "" if "total" in texts else problem)


def parse_number(text: str, lang: str) -> Decimal | None:
    """Return the number in a text such as `$1,028.50`, `1.028,50 €` or `3 h`; None if there is none."""
    if not (found := _NUMBER.search(text)):
        return None
    digits = re.sub(r"\s", "", found[0]).rstrip(".,").replace("−", "-")
    last = max(digits.rfind("."), digits.rfind(","))
    whole, decimals = (
        (digits[:last], digits[last:]) if last >= 0 and not _is_thousands(digits, last, lang) else (digits, "")
    )
    digits = re.sub(r"[.,]", "", whole) + decimals.replace(",", ".")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    return number if abs(number) <= MAX_AMOUNT and _decimal_places(number) <= MAX_DECIMAL_PLACES else None


def _keys(template: Manifest, row: int) -> dict[str, str]:
    return {column: f"item{row}_{column}" for column in template.item_columns}


def _item(
    template: Manifest, texts: Mapping[str, str], row: int, code: str, lang: str
) -> tuple[Decimal | None, dict[str, str]]:
    """Return the amount and the calculated texts of an item. Without a column of totals, prices are those of all."""
    keys = _keys(template, row)
    typed = {column: texts.get(key, "") for column, key in keys.items()}
    price = parse_number(typed["price"], lang)
    calculated = (
        {keys["price"]: money(price, code, lang)} if price is not None and _BARE.fullmatch(typed["price"]) else {}
    )
    if "total" not in keys:
        return price, calculated
    quantity = parse_number(typed["qty"], lang) if typed.get("qty", "").strip() else Decimal(1)
    if quantity is not None and _BARE.fullmatch(typed.get("qty", "")):
        calculated[keys["qty"]] = formatted(quantity, lang)
    if typed["total"].strip():
        total = parse_number(typed["total"], lang)
        if total is not None and _BARE.fullmatch(typed["total"]):
            calculated[keys["total"]] = money(total, code, lang)
        return total, calculated
    if price is None or quantity is None:
        return None, calculated
    amount = rounded(quantity * price, code)
    return amount, {**calculated, keys["total"]: money(amount, code, lang)}


def _sums(subtotal: Decimal, tax: Decimal, code: str, lang: str) -> dict[str, str]:
    subtotal = rounded(subtotal, code)
    amount = rounded(subtotal * tax / 100, code)
    sums = {**dict.fromkeys(SUM_KEYS, ""), "total": money(subtotal + amount, code, lang)}
    if tax:
        percent = formatted(tax, lang)
        label = f"IVA ({percent} %)" if lang == "es" else f"Tax ({percent}%)"
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
