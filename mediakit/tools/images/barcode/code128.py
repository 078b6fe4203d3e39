"""Code 128 (ISO/IEC 15417): text to the shortest sequence of symbol characters.

Available encoders stop at 256 characters, lose data or are not optimal. This one finds the shortest sequence.
"""

from collections.abc import Sequence

from mediakit.errors import InvalidInput

FNC1 = -1
"""Function character 1: the first character of GS1-128, and the end of its fields of variable length."""
FNC1_VALUE, SHIFT = 102, 98
A, B, C = 0, 1, 2
"""Code sets: uppercase and control characters, uppercase and lowercase letters, pairs of digits."""
START = (103, 104, 105)
SWITCH = (101, 100, 99)
FNC4 = (101, 100)
"""Function 4, which adds 128 to the next character."""
ZERO, NINE = 48, 57
IMPOSSIBLE_COST = 1 << 30
"""Cost of a sequence that does not exist."""

LENGTHS = [(1 + (code & 127 > 95) + (code > 127), 1 + (code & 127 < 32) + (code > 127)) for code in range(256)] + [
    (1, 1)
]
"""Symbol characters per code point in sets A and B, with a shift, and function 4 beyond ASCII. Last entry: FNC1."""


def modules(text: Sequence[int]) -> str:
    """Return the modules of code points up to 255 and `FNC1`: bars as `1`, spaces as `0`."""
    from barcode.charsets.code128 import CODES, STOP

    values = symbol_values(text)
    check = (values[0] + sum(index * value for index, value in enumerate(values))) % 103
    return "".join([CODES[value] for value in values]) + f"{CODES[check]}{STOP}11"


def code_points(data: str) -> list[int]:
    """Return the code points of a text.

    Raises:
        InvalidInput: A character is beyond Latin-1.
    """
    if other := next((char for char in data if ord(char) > 255), None):
        raise InvalidInput(
            f"data: must be ASCII or Latin-1 for code128, got {other!r}. datamatrix, pdf417 and aztec encode any text."
        )
    return [ord(char) for char in data]


def symbol_values(text: Sequence[int]) -> list[int]:
    """Return the values of the shortest symbol character sequence, with the start and without the check character."""
    costs = _costs(text)
    current = _cheapest(costs[0])
    values, index = [START[current]], 0
    while index < len(text):
        cost = costs[index]
        if cost[current] > min(cost):
            current = _cheapest(cost)
            values.append(SWITCH[current])
        if current == C and text[index] != FNC1:
            values.append(text[index] * 10 + text[index + 1] - 11 * ZERO)
            index += 2
        else:
            values += _character(text[index], current)
            index += 1
    return values


def _costs(text: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the number of symbol characters from each index to the end, by the code set of the next one."""
    a = b = c = 0
    after_pair, digit_follows, costs = IMPOSSIBLE_COST, False, [(0, 0, 0)]
    for code in reversed(text):
        digit = ZERO <= code <= NINE
        in_pair = after_pair if digit and digit_follows else IMPOSSIBLE_COST
        after_pair, digit_follows = c, digit
        cost_a, cost_b = LENGTHS[code]
        a, b, c = cost_a + a, cost_b + b, 1 + (c if code == FNC1 else in_pair)
        switched = 1 + min(a, b, c)
        a, b, c = min(a, switched), min(b, switched), min(c, switched)
        costs.append((a, b, c))
    costs.reverse()
    return costs


def _cheapest(cost: tuple[int, int, int]) -> int:
    return cost.index(min(cost))


def _character(code: int, current: int) -> list[int]:
    if code == FNC1:
        return [FNC1_VALUE]
    base = code & 127
    is_in_set = base < 96 if current == A else base >= 32
    prefix = [FNC4[current]] if code > 127 else []
    return [*prefix, *([] if is_in_set else [SHIFT]), base + 64 if base < 32 else base - 32]
