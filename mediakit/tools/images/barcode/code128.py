"""Code 128 (ISO/IEC 15417): text to the fewest symbol characters.

Encoders at hand stop at 256 characters or lose data, and are not always shortest; this one tries all ways.
"""

from collections.abc import Sequence

from mediakit.errors import InvalidInput

FNC1 = -1
"""Function character 1: it begins the text of GS1-128 and ends its fields of variable length."""
FNC1_VALUE, SHIFT = 102, 98
A, B, C = 0, 1, 2
"""Code sets: capitals and control characters, capitals and small letters, pairs of digits."""
START = (103, 104, 105)
SWITCH = (101, 100, 99)
FNC4 = (101, 100)
"""Function 4, which adds 128 to the next character."""
ZERO, NINE = 48, 57
FAR = 1 << 30
"""Cost of what cannot be."""

LENGTHS = [(1 + (code & 127 > 95) + (code > 127), 1 + (code & 127 < 32) + (code > 127)) for code in range(256)] + [
    (1, 1)
]
"""Symbol characters that a code point takes in sets A and B: with a shift, and function 4 beyond ASCII; last FNC1."""


def modules(text: Sequence[int]) -> str:
    """Give the bars as `1` and the spaces as `0`, a character a module.

    Args:
        text: Code points up to 255, and `FNC1`.
    """
    from barcode.charsets.code128 import CODES, STOP

    values = symbol_values(text)
    check = (values[0] + sum(place * value for place, value in enumerate(values))) % 103
    return "".join([CODES[value] for value in values]) + f"{CODES[check]}{STOP}11"


def code_points(data: str) -> list[int]:
    """Give the code points of a text.

    Raises:
        InvalidInput: A character is beyond Latin-1.
    """
    if other := next((char for char in data if ord(char) > 255), None):
        raise InvalidInput(
            f"data: code128 holds ASCII and Latin-1 characters, not {other!r}; datamatrix, pdf417 and aztec hold any."
        )
    return [ord(char) for char in data]


def symbol_values(text: Sequence[int]) -> list[int]:
    """Give the values of the shortest sequence of symbol characters, the start first, without the check character."""
    costs = _costs(text)
    current = _cheapest(costs[0])
    values, place = [START[current]], 0
    while place < len(text):
        cost = costs[place]
        if cost[current] > min(cost):
            current = _cheapest(cost)
            values.append(SWITCH[current])
        if current == C and text[place] != FNC1:
            values.append(text[place] * 10 + text[place + 1] - 11 * ZERO)
            place += 2
        else:
            values += _character(text[place], current)
            place += 1
    return values


def _costs(text: Sequence[int]) -> list[tuple[int, int, int]]:
    """Count the symbol characters from each place to the end, by the set that the next one is in."""
    a = b = c = 0
    after_pair, digit_follows, found = FAR, False, [(0, 0, 0)]
    for code in reversed(text):
        digit = ZERO <= code <= NINE
        in_pair = after_pair if digit and digit_follows else FAR
        after_pair, digit_follows = c, digit
        in_a, in_b = LENGTHS[code]
        a, b, c = in_a + a, in_b + b, 1 + (c if code == FNC1 else in_pair)
        switched = 1 + min(a, b, c)
        a, b, c = min(a, switched), min(b, switched), min(c, switched)
        found.append((a, b, c))
    found.reverse()
    return found


def _cheapest(cost: tuple[int, int, int]) -> int:
    return cost.index(min(cost))


def _character(code: int, current: int) -> list[int]:
    if code == FNC1:
        return [FNC1_VALUE]
    base = code & 127
    home = base < 96 if current == A else base >= 32
    prefix = [FNC4[current]] if code > 127 else []
    return [*prefix, *([] if home else [SHIFT]), base + 64 if base < 32 else base - 32]
