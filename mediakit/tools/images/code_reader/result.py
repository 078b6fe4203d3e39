"""The result of `code_reader`: the response fields as attributes, and a notebook display."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from mediakit.core.inputs import file_of
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.legacy import LegacyData, without_usage
from mediakit.tools.images.code_reader.code import Code

MAX_CODES_IN_REPR = 3
"""Codes that `repr` shows."""


class CodesResult(LegacyData):
    """The codes of a file, by page, from top to bottom and left to right: `codes[0].text`."""

    member = "codes"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")

    def __init__(
        self, codes: list[Code], meta: Mapping[str, Any] | None = None, *, truncated: bool = False, alt: str = ""
    ) -> None:
        self.codes = codes
        """The decoded codes; empty if there are none."""
        self.truncated = truncated
        """Whether the file has more codes than `max_codes`."""
        self.mime_type = "application/json"
        self.meta = dict(meta or {})
        self._alt = alt
        self.source: bytes | None = None
        """The input file; notebooks show it."""
        self.scale = 1.0

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """MakeView it of the fields of the answer."""
        codes = _CODES.validate_python(fields["codes"])
        return cls(codes, fields["meta"], truncated=fields["truncated"])

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """MakeView again the result that a server answered with."""
        try:
            return cls.from_fields({**body, "meta": without_usage(body["meta"])})
        except (KeyError, TypeError, ValidationError) as error:
            raise InvalidInput(f"The server response contains no codes: {error}") from None

    def attach_call(self, tool: Tool[..., Any], request: Any) -> None:
        """Store the call, and its file to show it."""
        super().attach_call(tool, request)
        self.source, self.scale = file_of(request.file), request.scale

    @property
    def count(self) -> int:
        """Number of codes."""
        return len(self.codes)

    @property
    def texts(self) -> list[str]:
        """The texts of the codes, in reading order."""
        return [code.text for code in self.codes]

    @cached_property
    def content(self) -> bytes:  # type: ignore[override]  # serialized on first use
        """The response fields as JSON."""
        return to_json({**self.fields(), "meta": self.meta}, indent=2)

    @property
    def file(self) -> bytes:
        """The response fields as JSON."""
        return self.content

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return "json"

    @property
    def extent(self) -> str:
        """Number of codes, as `3 codes`."""
        return f"{self.count} {'code' if self.count == 1 else 'codes'}"

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        codes = _CODES.dump_python(self.codes, mode="json")
        return {"codes": codes, "count": self.count, "truncated": self.truncated}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        from mediakit.tools.images.code_reader.response_schema import schema_fields

        return schema_fields(_CODES)

    def __iter__(self) -> Iterator[Code]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: int) -> Code:
        return self.codes[index]

    def __bool__(self) -> bool:
        return True

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.images.code_reader import notebook_view

        html = notebook_view.html(self.codes, self.alt, truncated=self.truncated, file=self.source, scale=self.scale)
        return {"text/plain": repr(self), "text/html": html}, {}

    def __repr__(self) -> str:
        named = [f"{code.format} {_short(code.text)}" for code in self.codes[:MAX_CODES_IN_REPR]]
        rest = [f"{self.count - MAX_CODES_IN_REPR} more"] if self.count > MAX_CODES_IN_REPR else []
        return f"<CodesResult {self.extent}{': ' if named else ''}{', '.join(named + rest)}>"


_CODES = TypeAdapter(list[Code])


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
