"""`Result`: a file that a tool returned, which can show, save and describe itself."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import pybase64

from mediakit.core.inputs import FileBytes
from mediakit.core.media import extension_of, type_of
from mediakit.core.messages import readable_size
from mediakit.core.public_names import PublicNames
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.display.gallery import Card

Language = Literal["python", "curl", "javascript", "http", "shell"]

USAGE_FIELDS = ("used", "remaining", "unlimited")
"""Members of a response's meta that describe the account, not the result."""


class Result(PublicNames):
    """A file that a tool returned."""

    _internal_names = frozenset(
        (
            "attach_call",
            "caption",
            "card",
            "envelope",
            "extra_fields",
            "extra_schema",
            "file_extension",
            "from_envelope",
            "has_file",
            "is_data",
            "makes_files",
            "member",
            "members",
            "outputs",
        )
    )

    member: str = "file"
    """Name of the file in the JSON envelope."""
    members: ClassVar[tuple[str, ...]] = ()
    """Names of the file in the JSON envelope, if it depends on the result."""
    is_data: ClassVar[bool] = False
    """Whether the result is data, which HTTP answers as JSON by default even to raw bodies."""
    makes_files: ClassVar[bool] = False
    """Whether HTTP answers raw and multipart bodies with the file, although the result is data."""
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url")
    """Values of the `output` option of the HTTP API."""
    filename: str = ""
    """Name of the file; empty if the tool does not name it."""
    _call: tuple[Tool[..., Any], Any] | None = None
    """The tool and the request that returned this result."""

    def __init__(self, content: bytes, mime_type: str, meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        self.content = content
        self.mime_type = mime_type
        self.meta: dict[str, Any] = {"size_bytes": len(content), **(meta or {})}
        self.alt = alt
        """Text alternative for people who cannot see the image."""

    @property
    def file(self) -> bytes:
        """The bytes of the file."""
        return self.content

    @property
    def has_file(self) -> bool:
        """Whether HTTP can answer with a file; results of data may have one only for some requests."""
        return True

    def attach_call(self, tool: Tool[..., Any], request: Any) -> None:
        """Store the call that returned this result; sets the alt text if the result has none."""
        self._call = tool, request
        if tool.alt and not self.alt:
            self.alt = tool.alt(request)

    @property
    def extent(self) -> str:
        """The size of the content, such as `1200 × 630` or `3 pages`; empty if it has none."""
        return ""

    @property
    def caption(self) -> str:
        """The line that a notebook shows below the result; empty for none."""
        return ""

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return extension_of(self.mime_type)

    @property
    def file_extension(self) -> str:
        """The extension of the file that `save` writes, which a result that describes another file can override."""
        return self.extension

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file and return its path. Missing folders are created.

        A path without an extension gets the usual one. A file that has a name can be saved into a folder.

        Raises:
            InvalidInput: The path is a folder and the file has no name, or the extension belongs to another format.
        """
        target = Path(path)
        if target.is_dir() and self.filename:
            target /= PurePath(self.filename).name
        if target.is_dir():
            raise InvalidInput(f"path: {target} is a folder; add a file name.")
        if not target.suffix:
            target = target.with_suffix(f".{self.file_extension}")
        check_suffix(target, self)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self.file)
        return target

    def data_uri(self) -> str:
        """Return the file as a `data:` URI for HTML and CSS."""
        return f"data:{self.mime_type};base64,{pybase64.b64encode(self.file).decode()}"

    def code(self, language: Language = "python") -> str:
        """Return the call that made the result, to copy.

        Options at their defaults are omitted. Calls over HTTP use the server that runs in this process, or say how to
        start one, and read the API key from `MEDIAKIT_API_KEY`.

        Args:
            language: `python`, `curl`, `javascript` (for Node.js), `http` (the raw request) or `shell` (the `mediakit`
                command).

        Raises:
            InvalidInput: The language is unknown, or the result does not come from a tool.
        """
        if self._call is None:
            raise InvalidInput("code: only results of a tool's call have code.")
        from mediakit.core import snippets

        tool, request = self._call
        return snippets.write(language, tool, {name: _written(value) for name, value in vars(request).items()})

    def card(self, title: str) -> "Card":
        """Return the result as a card of a gallery."""
        from mediakit.display.gallery import Card, thumbnail

        data, _ = self._repr_mimebundle_()
        facts = " · ".join(filter(None, (self.file_extension.upper(), self.extent, readable_size(len(self.file)))))
        return Card(title, facts, self.alt or title, thumbnail(data))

    def extra_fields(self) -> dict[str, Any]:
        """Return the fields that the JSON envelope has between the file's media type and `meta`."""
        return {}

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `extra_fields`, by name."""
        return {}

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        from pydantic_core import to_json

        head = b'{"success":true,' + to_json(self.member) + b":"
        rest = to_json({**self.extra_fields(), "meta": {**self.meta, **(usage or {})}})
        file = pybase64.b64encode(self.file)
        return b"".join((head, b'"', file, b'","mime_type":', to_json(self.mime_type), b",", rest[1:]))

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        return cls(pybase64.b64decode(body[cls.member]), body["mime_type"], without_usage(body["meta"]))

    def __bytes__(self) -> bytes:
        return self.file

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self.mime_type, self.file, self.meta) == (other.mime_type, other.file, other.meta)

    def __hash__(self) -> int:
        return hash((self.mime_type, self.file))

    def _ipython_display_(self) -> None:
        if not self.caption:
            raise NotImplementedError  # IPython goes on with the MIME bundle
        from mediakit.display import images

        images.display(*self._repr_mimebundle_(), self.caption)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.extension.upper()} {readable_size(len(self.file))}>"


def check_suffix(path: PurePath, result: Result) -> None:
    """Refuse the suffix of another format than that of the result.

    Raises:
        InvalidInput: The path has such a suffix.
    """
    if type_of(path) not in (None, result.mime_type):
        raise InvalidInput(f"path: the file is named {path.suffix}, but the result is {result.extension.upper()}.")


def without_usage(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return a response's meta without the fields of the account."""
    return {name: value for name, value in meta.items() if name not in USAGE_FIELDS}


def _written(value: Any) -> Any:
    """Return a value of a request as snippets write it: files by their path or name."""
    if isinstance(value, FileBytes):
        return value.path or (Path(value.name) if value.name else value)
    if isinstance(value, list):
        return [_written(item) for item in value]
    return value
