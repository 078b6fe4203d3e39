"""What the values of a column mean: e-mail addresses, countries, percentages, dates and others."""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from mediakit.tools.data.data_profile.column_values import PHONES, POSTCODES, WORDS, Observed, names_identifier

Order = Literal["ymd", "dmy", "mdy", "d mon y"]

_TIME = r"(?:[T ,]+\d{1,2}:\d\d.{0,24})?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}|\d\d){_TIME}")
_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED = re.compile(rf"(\d{{1,2}})[- ]({'|'.join(_NAMES)})[a-z]*[- ,.]+(\d{{4}}){_TIME}", re.IGNORECASE)
_LONGEST = 50
_ALL_DIGITS = 6
"""Digits of a date whose day, month and year have two each."""


@dataclass(frozen=True)
class Written:
    """A text that has the form of a date."""

    orders: tuple[Order, ...]
    """The orders in which it is a day of the calendar; empty for a day that does not exist."""
    has_short_year: bool = False


def read(text: str) -> Written | None:
    """Return how a text writes a date; None where it does not have the form of one."""
    text = text.strip()
    if len(text) > _LONGEST or not text[:1].isdigit():
        return None
    found = _YEAR_LAST.fullmatch(text)
    if found:
        if found[2] == "." and len(found[1] + found[3] + found[4]) < _ALL_DIGITS and len(found[4]) == 2:
            return None  # the number of a version
        return _year_last(int(found[1]), int(found[3]), found[4])
    found = _YEAR_FIRST.fullmatch(text)
    if found:
        return Written(("ymd",) if _exists(int(found[1]), int(found[3]), int(found[4])) else ())
    found = _NAMED.fullmatch(text)
    if found:
        month = _NAMES.index(found[2].lower()) + 1
        return Written(("d mon y",) if _exists(int(found[3]), month, int(found[1])) else ())
    return None


def has_form(text: str) -> bool:
    """Return whether a text has the form of a date; whether it is one depends on its digits."""
    return any(pattern.fullmatch(text.strip()) for pattern in (_YEAR_LAST, _YEAR_FIRST, _NAMED))


def _year_last(first: int, second: int, year: str) -> Written | None:
    is_short = len(year) == 2
    full = 2000 + int(year) if is_short else int(year)
    orders: list[Order] = ["dmy"] if _exists(full, second, first) else []
    orders += ["mdy"] if _exists(full, first, second) else []
    if is_short and not orders:  # three numbers of two digits are more often something else
        return None
    return Written(tuple(orders), is_short)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def formats_of(cells: Iterable[Any], *, is_uniform: bool) -> list[str]:
    """Return the orders that the cells of a column of dates have; if all have one, the first clear cell decides."""
    orders: set[tuple[Order, ...]] = set()
    for cell in cells:
        written = read(cell) if isinstance(cell, str) else None
        if written and written.orders:
            orders.add(written.orders)
            if is_uniform and len(written.orders) == 1:
                return list(written.orders)
    clear = {order for one in orders if len(one) == 1 for order in one}
    if any(len(one) > 1 for one in orders) and not clear & {"dmy", "mdy"}:
        clear |= {"dmy", "mdy"}
    names: tuple[Order, ...] = ("ymd", "dmy", "mdy", "d mon y")
    return [name for name in names if name in clear]


@cache
def country_names() -> frozenset[str]:
    """Return names of countries in lower case."""
    text = files(__package__).joinpath("country_names.txt").read_text("utf-8")
    return frozenset(text.splitlines())


Semantic = Literal[
    "email", "phone", "url", "iban", "postcode", "country", "uuid", "currency", "percent", "id", "category"
]

_SAMPLE = 1000
_USUAL = 0.9
"""Share of the values that have the form; the others are mistakes."""

_EMAIL = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]{2,}")
_URL = re.compile(r"(?:https?|ftp)://\S+|www\.[^\s.]+\.\S+", re.IGNORECASE)
_UUID = re.compile(r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?|[0-9a-f]{32}", re.IGNORECASE)
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_PHONE = re.compile(r"(?:\+|00)?[\d\s().\-/]{6,22}(?: ?(?:x|ext\.?) ?\d{1,6})?", re.IGNORECASE)
_CLEAR_PHONE = re.compile(r"\+\d[\d\s().\-/]{6,20}|\(\d{2,4}\) ?\d[\d\s.\-]{5,12}|\d{3}-\d{3}-\d{4}")
_BRITISH_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|\d{4} [A-Z]{2}|\d{5}-\d{4}")
_POSTCODE = re.compile(r"(?=\S*\d|\S+ \S*\d)[A-Za-z\d][A-Za-z\d\- ]{1,9}")
_MARK = r"(?:US\$|[$€£¥₹₩₽]|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|MXN|BRL|CAD|AUD|INR|CNY)"
_NUMBER = "[-+]?\\d[\\d.,' \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]*"
_MONEY = re.compile(rf"-?{_MARK} ?{_NUMBER}|{_NUMBER} ?{_MARK}")
_PERCENT = re.compile(r"[-+]?\d[\d.,]* ?%")
_CATEGORY_LENGTH = 40
_MAX_CATEGORIES = 50
_ROWS_PER_CATEGORY = 2
_LEAST_COUNTRIES = 3
_UNIQUE_SHARE = 0.8


def semantic_of(observed: Observed) -> Semantic | None:
    """Return the meaning of a column; None if nothing is known of it."""
    if not observed.distinct:
        return None
    if observed.is_text:
        texts = [text.strip() for text in observed.distinct[:_SAMPLE]]
        return next((name for name, fits in _TEXT_CHECKS if fits(observed, texts)), None)
    return _of_number(observed) if observed.is_number else None


def _of_number(observed: Observed) -> Semantic | None:
    words = observed.words
    if observed.unit:
        return "percent" if observed.unit == "%" else "currency"
    if observed.type == "integer":
        if words & POSTCODES:
            return "postcode"
        if words & PHONES and min(observed.distinct) > 10**5:
            return "phone"
        if names_identifier(words) or _is_sequence(observed):
            return "id"
    if words & WORDS["percents"]:
        return "percent"
    return "currency" if words & WORDS["money"] else None


def _is_sequence(observed: Observed) -> bool:
    """Return whether the rows are numbered."""
    numbers = observed.distinct
    if not observed.is_unique or len(numbers) < 10 or len(numbers) < len(observed.values):
        return False
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(pattern.fullmatch(text) is not None for text in texts) / len(texts)


def _matches(pattern: re.Pattern[str]) -> Callable[[Observed, list[str]], bool]:
    return lambda _observed, texts: _share(pattern, texts) >= _USUAL


def _is_iban(_observed: Observed, texts: list[str]) -> bool:
    joined = ["".join(text.split()).upper() for text in texts]
    return _share(_IBAN, joined) >= _USUAL and sum(map(_checks, joined)) >= len(joined) / 2


def _checks(iban: str) -> bool:
    """Return whether the check digits of an IBAN are right (ISO 13616)."""
    turned = iban[4:] + iban[:4]
    is_plain = turned.isascii() and turned.isalnum()
    return is_plain and int("".join(str(int(letter, 36)) for letter in turned[:40])) % 97 == 1


def _is_phone(observed: Observed, texts: list[str]) -> bool:
    share = _share(_PHONE, texts)
    return share >= 0.5 and (bool(observed.words & PHONES) or (share >= _USUAL and _share(_CLEAR_PHONE, texts) >= 0.5))


def _is_postcode(observed: Observed, texts: list[str]) -> bool:
    named = bool(observed.words & POSTCODES)
    if _share(_BRITISH_POSTCODE, texts) >= _USUAL and (named or len(texts) >= _LEAST_COUNTRIES):
        return True
    return named and _share(_POSTCODE, texts) >= _USUAL


def _is_country(observed: Observed, texts: list[str]) -> bool:
    known = country_names()
    upper = {text.upper() for text in texts}
    are_codes = _within(upper, WORDS["alpha_2"]) or _within(upper, WORDS["alpha_3"])
    are_names = _within({text.casefold() for text in texts}, known)
    if observed.words & WORDS["countries"]:
        return are_codes or are_names
    if are_names:
        return len(texts) > 1
    return (
        are_codes
        and all(map(str.isupper, texts))
        and len(upper) >= _LEAST_COUNTRIES
        and upper > upper & WORDS["us_states"]
    )


def _within(texts: set[str], known: frozenset[str]) -> bool:
    return len(texts & known) >= _USUAL * len(texts)


def _is_currency(observed: Observed, texts: list[str]) -> bool:
    names = {"currency", "moneda", "divisa", "waehrung", "wahrung", "devise", "ccy"}
    are_codes = set(texts) <= WORDS["currencies"] and (len(texts) > 1 or bool(observed.words & names))
    return are_codes or _share(_MONEY, texts) >= _USUAL


def _is_id(observed: Observed, texts: list[str]) -> bool:
    if len(observed.distinct) < _UNIQUE_SHARE * observed.count:
        return names_identifier(observed.words) and not _is_category(observed, texts)
    if names_identifier(observed.words):
        return True
    is_code = all(any(map(str.isdigit, text)) and not any(map(str.isspace, text)) for text in texts)
    return is_code and observed.is_unique and len({len(text) for text in texts}) == 1 and len(texts) > 1


def _is_category(observed: Observed, texts: list[str]) -> bool:
    if len(observed.distinct) > _MAX_CATEGORIES or observed.count < _ROWS_PER_CATEGORY * len(observed.distinct):
        return False
    return max(map(len, texts)) <= _CATEGORY_LENGTH


_TEXT_CHECKS: tuple[tuple[Semantic, Callable[[Observed, list[str]], bool]], ...] = (
    ("email", _matches(_EMAIL)),
    ("url", _matches(_URL)),
    ("uuid", lambda seen, texts: _share(_UUID, texts) >= _USUAL and (seen.is_unique or any("-" in x for x in texts))),
    ("iban", _is_iban),
    ("percent", _matches(_PERCENT)),
    ("currency", _is_currency),
    ("phone", _is_phone),
    ("country", _is_country),
    ("postcode", _is_postcode),
    ("id", _is_id),
    ("category", _is_category),
)
