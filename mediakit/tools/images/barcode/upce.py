"""UPC-E (ISO/IEC 15420): six digits whose parities tell the number system and the check digit.

It takes any zero suppression, also those that a shorter one exists for and that other encoders refuse.
"""

EVEN = ("012", "013", "014", "015", "023", "034", "045", "024", "025", "035")
"""Places of the digits of even parity in number system 0, by check digit; in number system 1 the others are."""
END = "010101"


def modules(number: str) -> str:
    """Give the bars of eight digits as `1` and the spaces as `0`, a character a module."""
    from barcode.charsets.ean import CODES, EDGE

    system, body, check = number[0], number[1:7], number[7]
    even = [(str(place) in EVEN[int(check)]) == (system == "0") for place in range(6)]
    digits = [CODES["B" if is_even else "A"][int(digit)] for digit, is_even in zip(body, even, strict=True)]
    return "".join([EDGE, *digits, END])
