"""Numbers of trade items: lengths, characters and check digits (GS1 General Specifications, 7.9)."""

from mediakit.errors import InvalidInput

LENGTHS = {"ean13": 13, "ean8": 8, "upca": 12, "upce": 8, "itf14": 14}
"""Digits of each type, including the check digit."""


def with_check_digit(data: str, kind: str) -> str:
    """Return a number with its check digit, which is added if missing and verified otherwise.

    Args:
        data: The digits, with or without the check digit.
        kind: A key of `LENGTHS`.

    Raises:
        InvalidInput: A character is not a digit, the length is wrong, or the check digit is wrong.
    """
    length = LENGTHS[kind]
    if other := next((char for char in data if char not in "0123456789"), None):
        raise InvalidInput(f"data: must be digits for {kind}, got {other!r}.")
    if len(data) not in (length - 1, length):
        raise InvalidInput(
            f"data: must have {length - 1} digits for {kind}, or {length} with the check digit, got {len(data)}."
        )
    if kind == "upce" and data[0] not in "01":
        raise InvalidInput(f"data: must begin with number system 0 or 1 for upce, got {data[0]}.")
    body = data[: length - 1]
    check = check_digit(expand_upce(body) if kind == "upce" else body)
    if len(data) == length and data[-1] != check:
        raise InvalidInput(f"data: check digit is {data[-1]}, should be {check}.")
    return body + check


def check_digit(body: str) -> str:
    """Compute the check digit of a number: alternating weights 3 and 1 from the right, modulo 10."""
    total = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)


def expand_upce(body: str) -> str:
    """Expand the seven digits of a UPC-E to the eleven of its UPC-A, both without check digit."""
    system, digits, last = body[0], body[1:6], body[6]
    if last in "012":
        return f"{system}{digits[:2]}{last}0000{digits[2:]}"
    if last in "34":
        kept = int(last)
        return f"{system}{digits[:kept]}{'0' * 5}{digits[kept:]}"
    return f"{system}{digits}0000{last}"
