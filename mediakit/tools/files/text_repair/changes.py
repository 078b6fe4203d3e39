"""The list of changes to a text: kind, what was there, what is there now, and the line."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

MAX_CHANGES = 100
MAX_CHARACTERS = 80
"""Characters of a change that are reported."""

ChangeKind = Literal["encoding", "control", "unicode", "quotes", "trim"]

_WORDS = re.compile(r"\s+|\S+")


@dataclass(frozen=True)
class Change:
    """A change to a text."""

    kind: ChangeKind
    before: str
    after: str
    line: int
    """Number of the line, from 1."""


class Changes:
    """Collects changes; all are counted, the first 100 kept."""

    def __init__(self) -> None:
        self.kept: list[Change] = []
        self.counts: dict[str, int] = {}

    def add(self, kind: ChangeKind, before: str, after: str, line: int) -> None:
        """Add a change."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if len(self.kept) < MAX_CHANGES:
            self.kept.append(Change(kind, _cut(before), _cut(after), line))

    def add_line(self, kind: ChangeKind, before: str, after: str, line: int) -> None:
        """Add the changed words of a line."""
        for old, new in _changed_words(before, after):
            self.add(kind, old, new, line)

    def as_fields(self) -> list[dict[str, Any]]:
        """Return the kept changes in the order of their lines."""
        return [asdict(change) for change in sorted(self.kept, key=lambda change: change.line)]


def _changed_words(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield the words that differ; the whole difference where the number of words changed."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) == len(new):
        yield from ((one, other) for one, other in zip(old, new, strict=True) if one != other)
        return
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    yield before[start : len(before) - end], after[start : len(after) - end]


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"
