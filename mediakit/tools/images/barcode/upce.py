"""UPC-E (ISO/IEC 15420): six digits whose parities encode the number system and the check digit.

Every zero suppression is accepted, including those that have a shorter form and that other encoders reject.
"""

from mediakit.tools.images.barcode.ean import SET_A, SET_B, SIDE_GUARD

EVEN_PARITY_PLACES = ("012", "013", "014", "015", "023", "034", "045", "024", "025", "035")
"""Positions of even parity in number system 0, by check digit; in number system 1 all others are even."""
END_GUARD = "010101"


def modules(number: str) -> str:
    """Return the modules of eight digits: `1` for a bar, `0` for a space."""
    system, body, check = number[0], number[1:7], number[7]
    even = [(str(place) in EVEN_PARITY_PLACES[int(check)]) == (system == "0") for place in range(6)]
    digits = [(SET_B if is_even else SET_A)[int(digit)] for digit, is_even in zip(body, even, strict=True)]
    return "".join([SIDE_GUARD, *digits, END_GUARD])
