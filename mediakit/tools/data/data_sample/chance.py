"""Random numbers that are the same for the same seed, in every process and version of Python."""

import random
from bisect import bisect
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from statistics import NormalDist
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_STANDARD = NormalDist()
_SMALLEST = 2.0**-53
_EXACT = 2**40
"""Below, a float has bits enough for an even draw."""


class Chance:
    """Draws from a generator of its own.

    Only `random` and `getrandbits` of Python's generator are used, whose sequence Python guarantees.
    """

    def __init__(self, *seed: object) -> None:
        generator = random.Random("/".join(map(str, seed)))  # noqa: S311  # sample data is not a secret
        self.random = generator.random
        self.bits = generator.getrandbits

    def below(self, end: int) -> int:
        """Return an integer from 0 up to, but without, `end`."""
        return int(self.random() * end) if end < _EXACT else self.bits(end.bit_length() + 64) % end

    def between(self, first: int, last: int) -> int:
        """Return an integer of a range, both ends included."""
        return first + self.below(last - first + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Return an item; all are equally likely."""
        return items[int(self.random() * len(items))]

    def digits(self, count: int) -> str:
        """Return decimal digits."""
        return f"{self.below(10**count):0{count}d}" if count else ""

    def fill(self, mask: str) -> str:
        """Return a text in which each `#` is a digit and each `?` is a capital letter."""
        return "".join(
            str(self.below(10)) if sign == "#" else chr(65 + self.below(26)) if sign == "?" else sign for sign in mask
        )

    def normal(self, mean: float, std: float) -> float:
        """Return a normally distributed number."""
        return mean + std * _STANDARD.inv_cdf(self.random() or _SMALLEST)

    def sample(self, size: int, count: int) -> list[int]:
        """Return different integers from 0 up to, but without, `size`, in random order."""
        moved: dict[int, int] = {}
        drawn = []
        for place in range(count):
            other = place + self.below(size - place)
            drawn.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return drawn


class Weighted(Generic[T]):
    """Items with weights."""

    def __init__(self, items: Sequence[T], weights: Sequence[float] | None = None) -> None:
        self.items = items
        self._weights = weights

    @cached_property
    def _sums(self) -> list[float]:
        return list(accumulate(self._weights or ()))

    def draw(self, chance: Chance) -> T:
        """Return an item."""
        if self._weights is None:
            return chance.pick(self.items)
        place = bisect(self._sums, chance.random() * self._sums[-1])
        return self.items[min(place, len(self.items) - 1)]


def weighted(source: Any) -> Weighted[Any]:
    """Return the items of a list, or of a mapping with their weights."""
    if isinstance(source, dict):
        return Weighted(list(source), list(source.values()))
    return Weighted(sorted(source) if isinstance(source, set | frozenset) else list(source))
