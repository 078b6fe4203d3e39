"""`DataFileResult`: data, and a file if the call made one."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import pybase64

from mediakit.results.data import DataResult
from mediakit.results.file import FileResult
from mediakit.results.result import Result, without_usage


class DataFileResult(DataResult):
    """Data, and a file if the call made one.

    As a file it is the file that the call made, or the data as JSON. Subclasses define `data_fields`, `data_schema` and
    `from_data`; those whose files have another class than `FileResult` define `read_file` as well.
    """

    _internal_names = frozenset(("data_fields", "data_schema", "from_data", "read_file"))
    makes_files: ClassVar[bool] = True
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")

    def __init__(self, made: Result | None, meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        self._made = made
        self.mime_type = "application/json" if made is None else made.mime_type
        self.filename = "" if made is None else made.filename
        self.meta = {**({} if made is None else {"size_bytes": len(made.content)}), **(meta or {})}
        self.alt = alt

    @property
    def content(self) -> bytes:  # type: ignore[override]  # the file, or JSON
        """The file; the data as JSON if there is none."""
        return self.to_json().encode() if self._made is None else self._made.content

    @property
    def file(self) -> bytes:
        """The file; the data as JSON if there is none."""
        return self.content

    @property
    def has_file(self) -> bool:
        """Whether the call made a file."""
        return self._made is not None

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the file."""
        raise NotImplementedError

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `data_fields`, by name."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: Any, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response.

        Args:
            body: The response.
            made: The file in it as a result; None if it has none.
            meta: The meta, without the account's usage.
        """
        raise NotImplementedError

    @classmethod
    def read_file(cls, content: bytes, body: Mapping[str, Any], meta: Mapping[str, Any]) -> Result:
        """Return the file of a server's response as a result."""
        return FileResult(content, body["mime_type"], body["filename"], meta)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the file."""
        return self.data_fields()

    def response(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        made = self._made
        if made is None:
            return self.data_fields()
        written = {self.member: pybase64.b64encode(made.content).decode(), "mime_type": made.mime_type}
        return {**self.data_fields(), **written, **({"filename": made.filename} if self.member == "file" else {})}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the response, by name."""
        content = {"type": "string", "contentEncoding": "base64", "description": "The file, if one was made."}
        names = ("mime_type", "filename") if cls.member == "file" else ("mime_type",)
        return {
            **cls.data_schema(),
            cls.member: {**content, "x-optional": True},
            **{name: {"type": "string", "x-optional": True} for name in names},
        }

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        meta = without_usage(body["meta"])
        made = cls.read_file(pybase64.b64decode(body[cls.member]), body, meta) if cls.member in body else None
        return cls.from_data(body, made, meta)
