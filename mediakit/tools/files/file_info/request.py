"""The request of `file_info`."""

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from mediakit.core.inputs import MAX_NAME_LENGTH, File, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms

Hash = Literal["md5", "sha1", "sha256", "sha512", "sha3-256", "blake2b", "crc32", "crc32c"]


@request
class FileInfoRequest:
    """A file, and which hashes to calculate."""

    file: File
    """The file, of any kind."""
    _: KW_ONLY
    hashes: Annotated[list[Hash] | tuple[Hash, ...], Field(max_length=8), Synonyms("hash, algorithms, checksums")] = (
        "sha256",
    )
    """Hashes to calculate: `md5`, `sha1`, `sha256`, `sha512`, `sha3-256`, `blake2b`, `crc32` and `crc32c`."""
    filename: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)] | None = None
    """Name of the file, to check its extension. Paths and forms bring their own."""

    @property
    def name(self) -> str:
        """The name of the file; empty if it is unknown."""
        return self.filename or file_of(self.file).name


@dataclass(frozen=True)
class Inspected:
    """What a worker returns."""

    fields: dict[str, Any]
    warnings: list[str]
