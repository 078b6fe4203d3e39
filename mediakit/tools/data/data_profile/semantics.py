"""What the values of a column mean: e-mail addresses, countries, percentages and others."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from mediakit.tools.data.data_profile import codes, names
from mediakit.tools.data.data_profile.observed import Observed

Semantic = Literal[
    "email", "phone", "url", "iban", "postcode", "country", "uuid", "currency", "percent", "id", "category"
]
SEMANTICS: tuple[str, ...] = get_args(Semantic)

_SAMPLE = 1000
_USUAL = 0.9
"""Share of the values that have the form; the others are mistakes."""

_EMAIL = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]{2,}")
_URL = re.compile(r"(?:https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
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
_IBAN_MODULUS = 97
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
        if words & names.POSTCODES:
            return "postcode"
        if words & names.PHONES and min(observed.distinct) > 10**5:
            return "phone"
        if names.names_identifier(words) or _is_sequence(observed):
            return "id"
    if words & names.PERCENTS:
        return "percent"
    return "currency" if words & names.MONEY else None


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


def _is_uuid(observed: Observed, texts: list[str]) -> bool:
    return _share(_UUID, texts) >= _USUAL and (observed.is_unique or any("-" in text for text in texts))


def _is_iban(_observed: Observed, texts: list[str]) -> bool:
    joined = ["".join(text.split()).upper() for text in texts]
    return _share(_IBAN, joined) >= _USUAL and sum(map(_checks, joined)) >= len(joined) / 2


def _checks(iban: str) -> bool:
    """Return whether the check digits of an IBAN are right (ISO 13616)."""
    turned = iban[4:] + iban[:4]
    if not (turned.isascii() and turned.isalnum()):
        return False
    return int("".join(str(int(letter, 36)) for letter in turned[:40])) % _IBAN_MODULUS == 1


def _is_phone(observed: Observed, texts: list[str]) -> bool:
    if _share(_CLEAR_PHONE, texts) >= 0.5 and _share(_PHONE, texts) >= _USUAL:
        return True
    return bool(observed.words & names.PHONES) and _share(_PHONE, texts) >= 0.5


def _is_postcode(observed: Observed, texts: list[str]) -> bool:
    named = bool(observed.words & names.POSTCODES)
    if _share(_BRITISH_POSTCODE, texts) >= _USUAL and (named or len(texts) >= _LEAST_COUNTRIES):
        return True
    return named and _share(_POSTCODE, texts) >= _USUAL


def _is_country(observed: Observed, texts: list[str]) -> bool:
    known = codes.country_names()
    upper = {text.upper() for text in texts}
    are_codes = _within(upper, codes.ALPHA_2) or _within(upper, codes.ALPHA_3)
    are_names = _within({text.casefold() for text in texts}, known)
    if observed.words & names.COUNTRIES:
        return are_codes or are_names
    if are_names:
        return len(texts) > 1
    return (
        are_codes
        and all(map(str.isupper, texts))
        and len(upper) >= _LEAST_COUNTRIES
        and upper > upper & codes.US_STATES
    )


def _within(texts: set[str], known: frozenset[str]) -> bool:
    return len(texts & known) >= _USUAL * len(texts)


def _is_currency(observed: Observed, texts: list[str]) -> bool:
    if _share(_MONEY, texts) >= _USUAL:
        return True
    are_codes = set(texts) <= codes.CURRENCIES
    return are_codes and (
        len(texts) > 1
        or bool(observed.words & {"currency", "moneda", "divisa", "waehrung", "wahrung", "devise", "ccy"})
    )


def _is_id(observed: Observed, texts: list[str]) -> bool:
    if len(observed.distinct) < _UNIQUE_SHARE * observed.count:
        return names.names_identifier(observed.words) and not _is_category(observed, texts)
    if names.names_identifier(observed.words):
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
    ("uuid", _is_uuid),
    ("iban", _is_iban),
    ("percent", _matches(_PERCENT)),
    ("currency", _is_currency),
    ("phone", _is_phone),
    ("country", _is_country),
    ("postcode", _is_postcode),
    ("id", _is_id),
    ("category", _is_category),
)
