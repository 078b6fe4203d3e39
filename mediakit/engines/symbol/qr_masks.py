"""Data masks of QR codes: of eight patterns, the one whose symbol has the fewest misleading features.

A symbol is one long integer with a bit per module, so that each rule is a few operations on all of its modules. The
rules are those of ISO/IEC 18004:2015, 7.8.3.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

MASKS = 8
EDGE = 4
"""Light modules beyond each edge, which the rule of finder patterns counts."""
TO_BITS = bytes.maketrans(b"\x00\xff", b"10")

RUN_PENALTY, BLOCK_PENALTY, FINDER_PENALTY, BALANCE_PENALTY = 3, 3, 40, 10
HIGHEST_PENALTY = 1 << 30


class Frame(NamedTuple):
    """How the modules of a symbol are arranged in an integer: with light modules after each row and the last one."""

    side: int
    """Modules of a side."""
    stride: int
    """Distance of the modules of a column, in bits."""
    in_row: int = 0
    """The modules with a neighbor in their row."""
    in_column: int = 0
    """The modules with a neighbor in their column."""

    def integer(self, pixels: bytes) -> int:
        """Return the integer of a symbol with one byte per module, black on white."""
        side, light, bits = self.side, b"0" * EDGE, pixels.translate(TO_BITS)
        rows = [bits[start : start + side] for start in range(0, len(bits), side)]
        return int(light.join(rows) + light * (1 + self.stride), 2)


class Mask(NamedTuple):
    """What a mask changes, compared with mask 0."""

    modules: int
    """The modules, in the frame of the symbol."""
    pixels: int
    """The bytes of the symbol with one byte per module."""


def best_masked(pixels: bytes, side: int, create: Callable[[int, int], bytes]) -> bytes:
    """Return the symbol with the mask of the lowest penalty.

    Args:
        pixels: The symbol with mask 0: one byte per module, black on white.
        side: Modules of a side.
        create: Returns any symbol of a version with a mask. Two masks differ in the same modules for all texts and
            error correction levels, because the format information is a linear code.
    """
    frame, masks = _frame(side), _masks(side, create)
    symbol = frame.integer(pixels)
    best, lowest = masks[0], HIGHEST_PENALTY
    for mask in masks:
        dark = symbol ^ mask.modules
        penalty = _plain_penalty(dark, frame)
        if penalty < lowest:
            penalty += FINDER_PENALTY * (_finders(dark, 1) + _finders(dark, frame.stride))
        if penalty < lowest:
            best, lowest = mask, penalty
    return (int.from_bytes(pixels, "big") ^ best.pixels).to_bytes(len(pixels), "big")


@cache
def _frame(side: int) -> Frame:
    frame = Frame(side, side + EDGE)
    in_row = frame.integer((b"\xff" + b"\0" * (side - 1)) * side)
    in_column = frame.integer(b"\xff" * side + b"\0" * side * (side - 1))
    return frame._replace(in_row=in_row, in_column=in_column)


@cache
def _masks(side: int, create: Callable[[int, int], bytes]) -> tuple[Mask, ...]:
    symbols = [create((side - 17) // 4, number) for number in range(MASKS)]
    modules = [_frame(side).integer(symbol) for symbol in symbols]
    pixels = [int.from_bytes(symbol, "big") for symbol in symbols]
    return tuple(Mask(modules[number] ^ modules[0], pixels[number] ^ pixels[0]) for number in range(MASKS))


def _plain_penalty(dark: int, frame: Frame) -> int:
    """Return the penalty of a symbol without that of patterns like a finder pattern, which takes longest to compute."""
    side, stride, in_row, in_column = frame
    same_in_row = (dark ^ dark >> 1) & in_row ^ in_row
    same_in_column = (dark ^ dark >> stride) & in_column ^ in_column
    blocks = same_in_row & same_in_row >> stride & same_in_column
    runs = _runs(same_in_row, 1) + _runs(same_in_column, stride)
    return runs + BLOCK_PENALTY * blocks.bit_count() + _imbalance(dark.bit_count(), side * side)


def _runs(same: int, step: int) -> int:
    """Return the penalty of runs of five and more equal modules: 3 for five, and 1 for each further one.

    Args:
        same: The modules with an equal neighbor.
        step: Distance to the neighbor, in bits.
    """
    three = same & same >> step
    five = three & three >> 2 * step
    return RUN_PENALTY * five.bit_count() - (RUN_PENALTY - 1) * (five & five >> step).bit_count()


def _finders(dark: int, step: int) -> int:
    """Return the number of patterns like a finder pattern (1:1:3:1:1) with four light modules on one side."""
    second, third = dark >> step, dark >> 2 * step
    found = dark & third & second >> 2 * step & third >> 2 * step & third >> 4 * step
    found ^= found & (second | second >> 4 * step)
    two = dark | second
    four = two | two >> 2 * step
    return (found ^ found & four >> 7 * step & four << EDGE * step).bit_count()


def _imbalance(dark: int, modules: int) -> int:
    """Return the penalty for each 5 % by which the share of dark modules differs from one half."""
    return BALANCE_PENALTY * (abs(20 * dark - 10 * modules) // modules)
