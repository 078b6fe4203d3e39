"""`FileInfo`: what a file is."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from mediakit.core.messages import readable_size
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.results.legacy import LegacyData, without_usage
from mediakit.tools.files.file_info.response_schema import SCHEMA


class FileInfo(LegacyData):
    """What a file is. Its attributes are the fields of the HTTP response."""

    mime_type: str
    """Media type of the file, such as `image/png`; `application/octet-stream` if it is unknown."""
    extension: str = ""
    """Usual file name extension with the dot; empty if the type is unknown."""
    description: str
    """The type in words, such as `PNG image`."""
    kind: str
    """`image`, `video`, `audio`, `document`, `spreadsheet`, `presentation`, `archive`, `text`, `font`, `executable` or
    `data`."""
    size_bytes: int
    hashes: dict[str, str]
    """Hexadecimal digits by the name of the hash."""
    extension_matches: bool | None
    """Whether the extension of the file's name fits; None without a name, or if the extension is unknown."""
    encrypted: bool | None
    """Whether a PDF, Office document or ZIP archive is encrypted; None for other files."""
    details: dict[str, Any]
    """What is known by kind: `width`, `height`, `frames`; `pages`; `entries`, `unpacked_bytes`; `charset`, `lines`,
    `newline`; `duration_seconds`."""
    alternatives: list[str]
    """Media types that the file is as well."""
    entropy: float
    """Bits per byte, 0 to 8; near 8 for compressed and encrypted data."""

    def __init__(self, fields: Mapping[str, Any], meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        for name in SCHEMA:
            setattr(self, name, fields[name])
        self.meta = dict(meta or {})
        self._alt = alt

    @property
    def content(self) -> bytes:  # type: ignore[override]  # made on demand
        """The fields and the meta as a JSON file."""
        return self.file

    @property
    def extent(self) -> str:
        """The size of the described file, such as `1.2 MB`."""
        return readable_size(self.size_bytes)

    @property
    def file_extension(self) -> str:
        """The extension of the saved fields: `json`."""
        return "json"

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        return {name: getattr(self, name) for name in SCHEMA}

    def rows(self) -> list[dict[str, Any]]:
        """Return one row: the fields, with those of `hashes` and `details` as columns of their own."""
        flat = {name: value for name, value in self.fields().items() if name not in ("hashes", "details")}
        return [{**flat, "alternatives": ", ".join(self.alternatives), **self.hashes, **self.details}]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fields as a JSON file and return its path."""
        return self._json_file().save(path)

    def data_uri(self) -> str:
        """Return the fields as a `data:` URI of JSON."""
        return self._json_file().data_uri()

    def _json_file(self) -> FileResult:
        return FileResult(self.file, "application/json", "file-info.json")

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        return dict(SCHEMA)

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        try:
            return cls(body, without_usage(body["meta"]))
        except KeyError as error:
            raise InvalidInput(f"The server's response does not describe a file: {error} is missing.") from None

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.files.file_info import notebook_view

        return {"text/plain": repr(self), "text/html": notebook_view.html(self.fields(), self.meta)}, {}

    def __repr__(self) -> str:
        return f"<FileInfo {self.description}, {self.mime_type}, {self.extent}>"
