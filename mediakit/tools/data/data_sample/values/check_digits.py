"""Check digits of numbers."""

from collections.abc import Sequence


def weighted_sum(digits: str, weights: Sequence[int]) -> int:
    """Return the sum of digits times weights; the weights repeat."""
    return sum(int(digit) * weights[place % len(weights)] for place, digit in enumerate(digits))


def gs1(digits: str) -> str:
    """Return the check digit of an EAN or GTIN (GS1 General Specifications 7.9)."""
    return str(-weighted_sum(digits[::-1], (3, 1)) % 10)


def luhn(digits: str) -> str:
    """Return the Luhn check digit (ISO/IEC 7812-1)."""
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(digits[::-1]))
    return str(-total % 10)


def mod_11_10(digits: str) -> str:
    """Return the check digit of ISO 7064 MOD 11,10."""
    product = 10
    for digit in digits:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return str((11 - product) % 10)


def mod_11(digits: str, weights: Sequence[int]) -> int:
    """Return 11 less the weighted sum modulo 11: 1 to 11."""
    return 11 - weighted_sum(digits, weights) % 11


def iban(country: str, bban: str) -> str:
    """Return the IBAN of an account (ISO 13616)."""
    rest = int("".join(str(int(sign, 36)) for sign in f"{bban}{country}00"))
    return f"{country}{98 - rest % 97:02d}{bban}"
