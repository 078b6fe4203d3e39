"""CRC-32C (Castagnoli; RFC 3720, appendix B.4), of many parts of the data at a time."""

import numpy as np

_POLYNOMIAL = 0x82F63B78
"""The polynomial with its bits reversed."""

_LANES = 4096
_MIN_LANE_BYTES = 64
_ALL_ONES = 0xFFFFFFFF


def crc32c(content: bytes) -> int:
    """Return the checksum of data.

    The data is cut into 4096 parts of equal size, whose checksums are calculated side by side and then combined, as
    appending zeros to data is a linear function of its checksum.
    """
    size = len(content) // _LANES
    if size < _MIN_LANE_BYTES:
        return _update(_ALL_ONES, content) ^ _ALL_ONES
    parts = np.frombuffer(content, np.uint8, size * _LANES).reshape(_LANES, size).T.copy()
    states = np.zeros(_LANES, np.uint32)
    table = np.array(_TABLE, np.uint32)
    for column in parts:
        states = table[(states ^ column) & 0xFF] ^ (states >> np.uint32(8))
    shift = _zeros_operator(size)
    state = _ALL_ONES
    for part in states.tolist():
        state = _apply(shift, state) ^ part
    return _update(state, content[size * _LANES :]) ^ _ALL_ONES


def _update(state: int, content: bytes) -> int:
    for byte in content:
        state = _TABLE[(state ^ byte) & 0xFF] ^ (state >> 8)
    return state


def _zeros_operator(count: int) -> list[int]:
    """Return the states that each bit of a state becomes after zero bytes."""
    operator = [1 << bit for bit in range(32)]
    step = [_TABLE[(1 << bit) & 0xFF] ^ ((1 << bit) >> 8) for bit in range(32)]
    while count:
        if count & 1:
            operator = [_apply(step, column) for column in operator]
        step = [_apply(step, column) for column in step]
        count >>= 1
    return operator


def _apply(operator: list[int], state: int) -> int:
    result, bit = 0, 0
    while state:
        if state & 1:
            result ^= operator[bit]
        state >>= 1
        bit += 1
    return result


def _table_entry(value: int) -> int:
    for _ in range(8):
        value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
    return value


_TABLE = [_table_entry(value) for value in range(256)]
