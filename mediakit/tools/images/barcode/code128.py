"""Code 128 (ISO/IEC 15417): text to the shortest sequence of symbol characters.

Available encoders stop at 256 characters, lose data or are not optimal. This one finds the shortest sequence.
"""

from collections.abc import Sequence
from functools import cache

Values = tuple[int, ...]
"""Values of symbol characters."""

FNC1 = -1
"""Function character 1: the first character of GS1-128, and the end of its fields of variable length."""
FNC1_VALUE, SHIFT = 102, 98
A, B, C = 0, 1, 2
"""Code sets: uppercase and control characters, uppercase and lowercase letters, pairs of digits."""
START = (103, 104, 105)
SWITCH = (101, 100, 99)
FNC4 = (101, 100)
"""Function 4, which adds 128 to the next character."""
ZERO = 48


def modules(text: Sequence[int]) -> str:
    """Return the modules of code points up to 255 and `FNC1`: bars as `1`, spaces as `0`."""
    from barcode.charsets.code128 import CODES, STOP

    values = symbol_values(text)
    check = (values[0] + sum(index * value for index, value in enumerate(values))) % 103
    return "".join([CODES[value] for value in values]) + f"{CODES[check]}{STOP}11"


def symbol_values(text: Sequence[int]) -> Values:
    """Return the values of the shortest symbol character sequence, with the start and without the check character."""
    before, follows_digit = list[Values](), False
    shortest: list[Values] = [(START[current],) for current in (A, B, C)]  # by the code set in which they end
    for index, code in enumerate(text):
        is_digit = 0 <= code - ZERO < 10
        longer = {current: shortest[current] + _character(code, current) for current in (A, B)}
        if code == FNC1:
            longer[C] = (*shortest[C], FNC1_VALUE)
        elif is_digit and follows_digit:
            longer[C] = (*before[C], text[index - 1] * 10 + code - 11 * ZERO)
        best = min(longer.values(), key=len)
        before, shortest, follows_digit = shortest, [], is_digit
        for current in (A, B, C):
            switched = (*best, SWITCH[current])
            shortest.append(min(longer.get(current, switched), switched, key=len))
    return min(shortest, key=len)


@cache
def _character(code: int, current: int) -> Values:
    """Return a character in set A or B, with a shift, and function 4 beyond ASCII, where it needs them."""
    if code == FNC1:
        return (FNC1_VALUE,)
    base = code & 127
    is_in_set = base < 96 if current == A else base >= 32
    prefix = (FNC4[current],) if code > 127 else ()
    return (*prefix, *(() if is_in_set else (SHIFT,)), base + 64 if base < 32 else base - 32)
