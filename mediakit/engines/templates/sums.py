"""Rows and sums of an invoice, worked out and written as its language writes them."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import islice
from typing import Literal

from mediakit.core.messages import quote
from mediakit.engines.templates.invoice import INVOICE
from mediakit.engines.templates.items import ROWS
from mediakit.errors import InvalidInput

Number = int | float | Decimal | str

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "¥", "INR": "₹", "KRW": "₩", "ILS": "₪", "UAH": "₴"}
"""Of currencies by ISO 4217 code; others are written by their code."""
PLACES = {"JPY": 0, "KRW": 0, "CLP": 0, "ISK": 0, "VND": 0, "PYG": 0, "BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3}
"""Decimal places of currencies that do not have two (ISO 4217)."""
OWN = {"en": "USD", "es": "EUR"}
LARGEST = Decimal(10) ** 12


def invoice_data(
    items: Iterable[tuple[str, Number, Number]],
    tax: Number = 0,
    *,
    currency: str | None = None,
    lang: Literal["en", "es"] = "en",
    tax_label: str | None = None,
) -> dict[str, str]:
    """Work out the rows and sums of the template `invoice`, as texts for its `data`.

    Every amount is rounded half up to the currency's smallest unit, each row before the rows are summed. Without tax
    the lines of subtotal and tax are left empty, which hides them.

    Args:
        items: Up to eight rows: description, quantity, price of one. Numbers are taken as they are written, so
            `0.1` is a tenth.
        tax: Percent on top of the subtotal, 0 to 100.
        currency: ISO 4217 code such as `GBP`; left out, `USD` in English and `EUR` in Spanish.
        lang: `en` writes `$1,028.50`, `es` writes `1.028,50 €`.
        tax_label: Text of the tax line; left out, `Tax (10%)` or `IVA (10 %)`.

    Raises:
        InvalidInput: There are more rows than the template has, a number is none, or a text is too long.
    """
    if lang not in OWN:
        raise InvalidInput(f"lang: must be en or es, got {quote(str(lang))}.")
    code = _code(currency or OWN[lang])
    rows = _rows(items)
    amounts = [_rounded(quantity * price, code) for _, quantity, price in rows]
    subtotal = sum(amounts, Decimal(0))
    percent = _number(tax, "tax", least=Decimal(0), most=Decimal(100))
    added = _rounded(subtotal * percent / 100, code)
    texts = {"total": money(subtotal + added, code, lang)} | dict.fromkeys(("subtotal", "tax_label", "tax"), "")
    if percent:
        texts["subtotal"], texts["tax"] = money(subtotal, code, lang), money(added, code, lang)
        texts["tax_label"] = _tax_label(percent, lang) if tax_label is None else tax_label
    for row, ((name, quantity, price), amount) in enumerate(zip(rows, amounts, strict=True), 1):
        texts |= {f"item{row}_name": name, f"item{row}_qty": _written(quantity, lang)}
        texts |= {f"item{row}_price": money(price, code, lang), f"item{row}_total": money(amount, code, lang)}
    return _checked(texts)


def money(amount: Decimal, code: str, lang: str) -> str:
    """Write an amount of money; a price of one may have more decimal places than its currency."""
    places = max(PLACES.get(code, 2), _places(amount))
    digits = _separated(f"{abs(amount):,.{places}f}", lang)
    sign, symbol = "−" if amount < 0 else "", SYMBOLS.get(code, code)
    if lang == "es":
        return f"{sign}{digits} {symbol}"
    return f"{sign}{symbol}{digits}" if code in SYMBOLS else f"{sign}{symbol} {digits}"


def _rows(items: Iterable[tuple[str, Number, Number]]) -> list[tuple[str, Decimal, Decimal]]:
    given = list(islice(items, ROWS + 1))
    if not 1 <= len(given) <= ROWS:
        got = "more" if given else "none"
        raise InvalidInput(f"items: must have 1 to {ROWS} rows, got {got}; several of a kind go into one row.")
    return [_row(item, f"items[{place}]") for place, item in enumerate(given)]


def _row(item: object, where: str) -> tuple[str, Decimal, Decimal]:
    if not isinstance(item, tuple | list) or len(item) != 3 or not isinstance(item[0], str):
        raise InvalidInput(f"{where}: must be a description, a quantity and the price of one.")
    return item[0], _number(item[1], f"{where} quantity"), _number(item[2], f"{where} price")


def _number(given: object, where: str, least: Decimal = -LARGEST, most: Decimal = LARGEST) -> Decimal:
    try:
        number = Decimal(given) if type(given) is int else Decimal(str(given))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise InvalidInput(f'{where}: must be a number such as 12.50 or "12.50", got {quote(str(given))}.')
    if not least <= number <= most:
        raise InvalidInput(f"{where}: must be from {least:,f} to {most:,f}, got {number:.6g}.")
    if _places(number) > 4:
        raise InvalidInput(f"{where}: must have at most 4 decimal places, got {quote(str(given))}.")
    return number


def _code(currency: str) -> str:
    if len(currency) == 3 and currency.isascii() and currency.isalpha():
        return currency.upper()
    raise InvalidInput(f"currency: must be an ISO 4217 code of three letters such as EUR, got {quote(currency)}.")


def _rounded(amount: Decimal, code: str) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-PLACES.get(code, 2)), ROUND_HALF_UP)


def _places(number: Decimal) -> int:
    """Count the decimal places that say something."""
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _written(number: Decimal, lang: str) -> str:
    return _separated(f"{number:,.{_places(number)}f}", lang).replace("-", "−")


def _separated(digits: str, lang: str) -> str:
    return digits.translate(str.maketrans(",.", ".,")) if lang == "es" else digits


def _tax_label(percent: Decimal, lang: str) -> str:
    return f"IVA ({_written(percent, lang)} %)" if lang == "es" else f"Tax ({_written(percent, lang)}%)"


def _checked(texts: dict[str, str]) -> dict[str, str]:
    for name, text in texts.items():
        if problem := INVOICE.by_name[name].problem(text):
            raise InvalidInput(f"{name}: {problem}")
    return texts
