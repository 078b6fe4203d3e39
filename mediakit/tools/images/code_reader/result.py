"""The codes of a file: the fields of the HTTP answer as attributes, and a picture of them for notebooks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import pybase64
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from mediakit.core.files import file_of
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.result import without_usage

MOST_NAMED = 3
"""Codes that a short description names."""

Point = tuple[int, int]


@dataclass(frozen=True)
class Position:
    """Corners of a code in pixels, from its own top left, as it is read."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point


@dataclass(frozen=True)
class Box:
    """The upright rectangle around a code, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Gs1Element:
    """A field of a GS1 code."""

    ai: str
    """Application identifier."""
    title: str | None
    """Data title of the common ones, such as GTIN or BATCH/LOT."""
    value: str


@dataclass(frozen=True)
class Code:
    """A code that was read."""

    format: str
    """Code type, such as QRCode, EAN13 or Code128."""
    text: str
    """What it says; separators of GS1 are U+001D."""
    bytes_base64: str
    """The bytes that it holds, in base64."""
    content_type: Literal["text", "binary", "mixed", "gs1", "iso15434", "unknown_eci"]
    symbology_identifier: str
    """As ISO/IEC 15424 has it: `]Q1`."""
    page: int | None
    """Page of a PDF, from 1; None in a picture."""
    position: Position
    """Corners in the upright picture, or in the page as drawn at `scale`."""
    box: Box
    orientation: int
    """Degrees by which it is turned clockwise, -179 to 180."""
    ec_level: str | None
    """Error correction level, where the code type has one."""
    version: str | None
    """Size of the symbol, where the code type has several."""
    gtin: str | None
    """Number of the article in 14 digits, where the code has one."""
    add_on: str | None
    """The two or five digits beside a retail code."""
    gs1: list[Gs1Element] | None
    """Fields of a GS1 code."""
    parsed: dict[str, Any] | None
    """What the text means to a phone, by `type`: url, wifi, contact, event, email, phone, sms, location or payment."""
    confidence: Literal["high", "medium"]
    """High: read at once or repeatedly; medium: by a few of the harder looks."""

    @property
    def content(self) -> bytes:
        """The bytes that the code holds."""
        return pybase64.b64decode(self.bytes_base64)

    def __str__(self) -> str:
        return self.text


class CodesResult(DataResult):
    """The codes of a file, by page, from top to bottom and left to right: `codes[0].text`."""

    member = "codes"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")

    def __init__(
        self, codes: list[Code], meta: Mapping[str, Any] | None = None, *, truncated: bool = False, alt: str = ""
    ) -> None:
        self.codes = codes
        """The codes that were read; empty where there is none."""
        self.truncated = truncated
        """Whether the file has more codes than `max_codes`."""
        self.mime_type = "application/json"
        self.meta = dict(meta or {})
        self.alt = alt
        self.source: bytes | None = None
        """The file that was read; notebooks show it."""
        self.scale = 1.0

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Make it of the fields of the answer."""
        codes = _CODES.validate_python(fields["codes"])
        return cls(codes, fields["meta"], truncated=fields["truncated"])

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Make again the result that a server answered with."""
        try:
            return cls.of({**body, "meta": without_usage(body["meta"])})
        except (KeyError, TypeError, ValidationError) as error:
            raise InvalidInput(f"The server answered with no codes: {error}") from None

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
        """What the codes say, in their order."""
        return [code.text for code in self.codes]

    @cached_property
    def content(self) -> bytes:  # type: ignore[override]  # written when it is asked for
        """The fields of the answer, as JSON."""
        return to_json({**self.fields(), "meta": self.meta}, indent=2)

    @property
    def file(self) -> bytes:
        """The fields of the answer, as JSON."""
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
        """Give the fields as the HTTP answer has them."""
        codes = _CODES.dump_python(self.codes, mode="json")
        return {"codes": codes, "count": self.count, "truncated": self.truncated}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Describe the fields by their names, as JSON Schema."""
        from mediakit.tools.images.code_reader.schema import fields

        return fields(_CODES)

    def __iter__(self) -> Iterator[Code]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: int) -> Code:
        return self.codes[index]

    def __bool__(self) -> bool:
        return True

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.images.code_reader import view

        return {"text/plain": repr(self), "text/html": view.html(self)}, {}

    def __repr__(self) -> str:
        named = [f"{code.format} {_short(code.text)}" for code in self.codes[:MOST_NAMED]]
        rest = [f"{self.count - MOST_NAMED} more"] if self.count > MOST_NAMED else []
        return f"<CodesResult {self.extent}{': ' if named else ''}{', '.join(named + rest)}>"


_CODES = TypeAdapter(list[Code])


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
