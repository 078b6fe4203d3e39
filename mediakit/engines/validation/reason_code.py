"""The attribute `code` of a verdict on one value."""

from collections.abc import Callable
from typing import Self

from mediakit.results.result import Language


class ReasonCode(str):
    """The stable word for why a value is not valid; empty for a valid value, and equal to None.

    Called, it returns the call that made the result, as `code` of every result does: `result.code("curl")`.
    """

    __slots__ = ("_write",)
    _write: Callable[[Language], str]

    @classmethod
    def of(cls, word: str | None, write: Callable[[Language], str]) -> Self:
        """Return a word whose call is `write`."""
        made = cls(word or "")
        made._write = write
        return made

    def __call__(self, language: Language = "python") -> str:
        """Return the call that made the result, to copy."""
        return self._write(language)

    def __eq__(self, other: object) -> bool:
        return not self if other is None else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__
