"""IBANs with valid check digits at banks that do not exist, so that no account has them."""

from collections.abc import Callable, Mapping

from mediakit.tools.data.data_sample.chance import Chance
from mediakit.tools.data.data_sample.values import check_digits

_ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (*_ODD_DIGITS, *_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)


def make_iban(chance: Chance, country: str) -> str:
    """Return an IBAN of one of `COUNTRIES`."""
    return check_digits.iban(country, _BBANS[country](chance))


def _spanish(chance: Chance) -> str:
    bank, account = "99990000", chance.digits(10)
    return bank + _spanish_digit(f"00{bank}") + _spanish_digit(account) + account


def _spanish_digit(digits: str) -> str:
    rest = check_digits.mod_11(digits, (1, 2, 4, 8, 5, 10, 9, 7, 3, 6))
    return str({10: 1, 11: 0}.get(rest, rest))


def _french(chance: Chance) -> str:
    bank, branch, account = "99999", "00001", chance.digits(11)
    return f"{bank}{branch}{account}{97 - (89 * int(bank) + 15 * int(branch) + 3 * int(account)) % 97:02d}"


def _italian(chance: Chance) -> str:
    digits = f"9999900000{chance.digits(12)}"
    total = sum(int(digit) if place % 2 else _ODD[digit] for place, digit in enumerate(digits))
    return f"{chr(65 + total % 26)}{digits}"


def _portuguese(chance: Chance) -> str:
    digits = f"99990000{chance.digits(11)}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


def _belgian(chance: Chance) -> str:
    digits = f"999{chance.digits(7)}"
    return f"{digits}{int(digits) % 97 or 97:02d}"


def _dutch(chance: Chance) -> str:
    while True:
        digits = f"0{chance.digits(8)}"
        rest = check_digits.weighted_sum(digits, range(10, 1, -1)) % 11
        if rest != 1:
            return f"TEST{digits}{-rest % 11}"


def _polish(chance: Chance) -> str:
    bank = "9990000"
    return f"{bank}{-check_digits.weighted_sum(bank, (3, 9, 7, 1)) % 10}{chance.digits(16)}"


def _norwegian(chance: Chance) -> str:
    while True:
        digits = f"0000{chance.digits(6)}"
        rest = check_digits.mod_11(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2))
        if rest != 10:
            return f"{digits}{rest % 11}"


def _finnish(chance: Chance) -> str:
    digits = f"999000{chance.digits(7)}"
    return digits + check_digits.luhn(digits)


def _bank(code: str, digits: int) -> Callable[[Chance], str]:
    return lambda chance: code + chance.digits(digits)


_BBANS: Mapping[str, Callable[[Chance], str]] = {
    "AT": _bank("00000", 11),
    "BE": _belgian,
    "CH": _bank("00000", 12),
    "DE": _bank("00000000", 10),
    "DK": _bank("0001", 10),
    "ES": _spanish,
    "FI": _finnish,
    "FR": _french,
    "GB": _bank("TEST000000", 8),
    "IE": _bank("TEST000000", 8),
    "IT": _italian,
    "LU": _bank("000", 13),
    "NL": _dutch,
    "NO": _norwegian,
    "PL": _polish,
    "PT": _portuguese,
}

COUNTRIES = tuple(_BBANS)
"""Countries whose IBANs can be made."""
