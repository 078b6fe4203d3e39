"""`FileType`, a type of file with its names and signatures, and `FILE_TYPES`, all known types (`types.csv`)."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

Kind = Literal[
    "image", "video", "audio", "document", "spreadsheet", "presentation", "archive", "text", "font", "executable",
    "data",
]  # fmt: skip

FOLDER = Path(__file__).parent

KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}

Signature = tuple[tuple[int, bytes], ...]
"""Offsets, and the bytes at these offsets: all of them are required."""


@dataclass(frozen=True)
class FileType:
    """A type of file."""

    mime_type: str
    """Media type, such as `image/png`."""
    extensions: tuple[str, ...]
    """File name extensions with the dot; the first one is the usual one. Empty for unknown files."""
    description: str
    """Words for error messages, with an article: `a PNG image`."""
    kind: Kind
    signatures: tuple[Signature, ...] = ()
    """Any of these at the start of a file identifies the type."""

    @property
    def extension(self) -> str:
        """The usual file name extension with the dot; empty for unknown files."""
        return self.extensions[0] if self.extensions else ""

    @property
    def label(self) -> str:
        """The description as a title: `PNG image`."""
        words = self.description.partition(" ")[2]
        return words[:1].upper() + words[1:]

    def matches(self, head: bytes) -> bool:
        """Return whether the first bytes of a file have one of the signatures."""
        return any(all(head.startswith(part, offset) for offset, part in one) for one in self.signatures)


def _read_types() -> dict[str, FileType]:
    with (FOLDER / "types.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["name"]: FileType(
                row["mime_type"],
                tuple(f".{extension}" for extension in row["extensions"].split()),
                row["description"],
                KINDS[row["kind"]],
                tuple(map(_signature, row["signatures"].split())),
            )
            for row in csv.DictReader(file)
        }


def _signature(text: str) -> Signature:
    r"""Return a signature: `RIFF&8:WEBP` is `RIFF` at the start and `WEBP` at 8; `\x00` is a byte in hexadecimal."""
    parts = (part.rpartition(":") for part in text.split("&"))
    return tuple(
        (int(offset or 0), value.encode("ascii").decode("unicode_escape").encode("latin-1"))
        for offset, _, value in parts
    )


FILE_TYPES: Mapping[str, FileType] = _read_types()
"""Types by a short name, such as `png`.

The table has a row for each: extensions without the dot, the usual one first; signatures separated by spaces.
"""


Stage = Literal["start", "binary", "unsure", "text", "script"]
"""When a rule of `rules.txt` is tried."""


def matching_rule(stage: Stage, content: str | bytes) -> str | None:
    """Return the name of the type whose rule the start of a file fits; None if there is no such rule."""
    return next((name for name, pattern in _rules(stage) if pattern.match(content)), None)


@cache
def _rules(stage: Stage) -> list[tuple[str, re.Pattern[Any]]]:
    lines = (FOLDER / "rules.txt").read_text(encoding="ascii").splitlines()
    rules = (line.split(maxsplit=2) for line in lines if line.startswith(f"{stage} "))
    if stage in ("text", "script"):
        return [(name, re.compile(pattern)) for _, name, pattern in rules]
    return [(name, re.compile(pattern.encode(), re.DOTALL)) for _, name, pattern in rules]
