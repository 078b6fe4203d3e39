"""Numbers of trade items, as EAN-13, EAN-8, UPC-A and UPC-E (ISO/IEC 15420): check digits and modules.

Every zero suppression of UPC-E is accepted, including those that have a shorter form and that other encoders reject.
"""

from collections.abc import Sequence

from mediakit.errors import InvalidInput

LENGTHS = {"ean13": 13, "ean8": 8, "upca": 12, "upce": 8, "itf14": 14}
"""Digits of each type, including the check digit."""

SET_A: Sequence[str] = (
    "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
)  # fmt: skip
"""Digits left of the center, with an odd number of dark modules."""
SET_C: Sequence[str] = tuple(code.translate({ord("0"): "1", ord("1"): "0"}) for code in SET_A)
"""Digits right of the center."""
SET_B: Sequence[str] = tuple(code[::-1] for code in SET_C)
"""Digits left of the center, with an even number of dark modules."""

SETS_BY_FIRST_DIGIT = (
    "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
)  # fmt: skip
"""Sets of the digits left of the center, which encode the first digit of EAN-13."""
SIDE_GUARD, CENTER_GUARD = "101", "01010"
EVEN_PARITY_PLACES = ("012", "013", "014", "015", "023", "034", "045", "024", "025", "035")
"""Positions of even parity in number system 0, by check digit; in number system 1 all others are even."""
UPCE_END_GUARD = "010101"


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


def ean_modules(number: str) -> str:
    """Return the modules of 8, 12 or 13 digits of an EAN or UPC-A: `1` for a bar, `0` for a space."""
    digits = f"0{number}" if len(number) == 12 else number
    sets = "AAAA" if len(digits) == 8 else SETS_BY_FIRST_DIGIT[int(digits[0])]
    left, right = digits[-2 * len(sets) : -len(sets)], digits[-len(sets) :]
    before = [(SET_A if name == "A" else SET_B)[int(digit)] for name, digit in zip(sets, left, strict=True)]
    after = [SET_C[int(digit)] for digit in right]
    return "".join([SIDE_GUARD, *before, CENTER_GUARD, *after, SIDE_GUARD])


def upce_modules(number: str) -> str:
    """Return the modules of eight digits of a UPC-E: `1` for a bar, `0` for a space."""
    system, body, check = number[0], number[1:7], number[7]
    even = [(str(place) in EVEN_PARITY_PLACES[int(check)]) == (system == "0") for place in range(6)]
    digits = [(SET_B if is_even else SET_A)[int(digit)] for digit, is_even in zip(body, even, strict=True)]
    return "".join([SIDE_GUARD, *digits, UPCE_END_GUARD])
