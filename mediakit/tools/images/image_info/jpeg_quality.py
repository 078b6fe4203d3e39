"""The quality of a JPEG, estimated from its quantization tables."""

from collections.abc import Mapping, Sequence

_LUMINANCE = (
    *(16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55),
    *(14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62),
    *(18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92),
    *(49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99),
)
_CHROMINANCE = (
    *(17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99),
    *(24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99),
    *(99,) * 32,
)
"""ITU-T T.81, annex K.1: what libjpeg scales for qualities."""


def quality_of(tables: Mapping[int, Sequence[int]]) -> int | None:
    """Return the quality, 1 to 100, whose tables are nearest to those of a file; None without tables.

    Args:
        tables: The tables by number, each of 64 values.
    """
    used = [(list(tables[number]), base) for number, base in ((0, _LUMINANCE), (1, _CHROMINANCE)) if number in tables]
    if not used:
        return None
    # Sorted values do not depend on the order in which a table is stored.
    return min(range(100, 0, -1), key=lambda quality: sum(_distance(table, base, quality) for table, base in used))


def _distance(table: list[int], base: Sequence[int], quality: int) -> int:
    percent = 5000 // quality if quality < 50 else 200 - quality * 2
    scaled = (min(255, max(1, (value * percent + 50) // 100)) for value in base)
    return sum(abs(one - other) for one, other in zip(sorted(table), sorted(scaled), strict=False))
