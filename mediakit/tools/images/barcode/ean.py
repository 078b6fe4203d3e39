"""EAN-13, EAN-8 and UPC-A (ISO/IEC 15420): seven modules for each digit, in one of three sets."""

from collections.abc import Sequence

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


def modules(number: str) -> str:
    """Return the modules of 8, 12 or 13 digits: `1` for a bar, `0` for a space."""
    digits = f"0{number}" if len(number) == 12 else number
    sets = "AAAA" if len(digits) == 8 else SETS_BY_FIRST_DIGIT[int(digits[0])]
    left, right = digits[-2 * len(sets) : -len(sets)], digits[-len(sets) :]
    before = [(SET_A if name == "A" else SET_B)[int(digit)] for name, digit in zip(sets, left, strict=True)]
    after = [SET_C[int(digit)] for digit in right]
    return "".join([SIDE_GUARD, *before, CENTER_GUARD, *after, SIDE_GUARD])
