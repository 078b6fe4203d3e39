"""`FileType`: a kind of file, with its names and signatures."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "image",
    "video",
    "audio",
    "document",
    "spreadsheet",
    "presentation",
    "archive",
    "text",
    "font",
    "executable",
    "data",
]

Signature = tuple[tuple[int, bytes], ...]
"""Bytes and the offsets at which all of them stand."""


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

    def matches(self, signature_of: bytes) -> bool:
        """Return whether a file's first bytes have one of the signatures."""
        return any(
            all(signature_of.startswith(part, offset) for offset, part in signature) for signature in self.signatures
        )


def at(*parts: int | bytes) -> Signature:
    """Return a signature of alternating offsets and bytes: `at(0, b"RIFF", 8, b"WEBP")`."""
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return tuple((offset, part) for offset, part in pairs if isinstance(offset, int) and isinstance(part, bytes))


def starts(*beginnings: bytes) -> tuple[Signature, ...]:
    """Return signatures of the given first bytes, one of which a file has."""
    return tuple(((0, beginning),) for beginning in beginnings)
