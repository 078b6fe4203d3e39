"""What a tool gives back: a file that shows, saves and describes itself."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import pybase64
from pydantic_core import to_json

from mediakit.core.media import EXTENSIONS, type_of
from mediakit.core.messages import readable_size
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.core.tool import Tool

Language = Literal["python", "curl", "http", "shell"]


class Result:
    """A file that a tool made."""

    member: ClassVar[str] = "file"
    """Name of the file in the JSON envelope."""
    is_data: ClassVar[bool] = False
    """Whether the result is its fields first, and a file of them only when one is asked for."""
    _call: "tuple[Tool[..., Any], Any] | None" = None
    """The tool and the request that made it."""

    def __init__(self, content: bytes, mime_type: str, meta: Mapping[str, Any] | None = None, *, alt: str = "") -> None:
        self.content = content
        self.mime_type = mime_type
        self.meta: dict[str, Any] = {"size_bytes": len(content), **(meta or {})}
        self.alt = alt
        """What the file shows, in words, for those who cannot see it."""

    @property
    def file(self) -> bytes:
        """The bytes of the file."""
        return self.content

    def made_for(self, request: Any) -> None:
        """Learn the request that it answers; results that can make more of it keep it."""

    @property
    def extent(self) -> str:
        """How much there is to see, as `1200 × 630` or `3 pages`; empty where there is nothing to say."""
        return ""

    @property
    def caption(self) -> str:
        """The line that a notebook shows below the picture; empty where the picture says all."""
        return ""

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return EXTENSIONS.get(self.mime_type, "bin")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file, making folders on the way, and give its path.

        A path without a suffix gets the right one.

        Raises:
            InvalidInput: The path is a folder, or its suffix promises another format than the file has.
        """
        target = Path(path)
        if target.is_dir():
            raise InvalidInput(f"path: {target} is a folder; add a file name.")
        if not target.suffix:
            target = target.with_suffix(f".{self.extension}")
        promised = type_of(target)
        if promised not in (None, self.mime_type):
            raise InvalidInput(f"path: {target.name} promises {promised}, but the file is {self.mime_type}.")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(self.file)
        return target

    def data_uri(self) -> str:
        """Give the file as a `data:` URI, ready for HTML and CSS."""
        return f"data:{self.mime_type};base64,{pybase64.b64encode(self.file).decode()}"

    def code(self, language: Language = "python") -> str:
        """Write the call that made it, to copy.

        Only what differs from the defaults is written; a long value becomes the name of a file that would hold it.

        Args:
            language: `python`, `curl`, `http` (the request as it travels) or `shell` (the `mediakit` command).

        Raises:
            InvalidInput: There is no such language, or no tool made it.
        """
        from mediakit.core import snippets

        if self._call is None:
            raise InvalidInput("code: only results of a tool's call know their call.")
        tool, request = self._call
        values = {name: getattr(value, "path", value) for name, value in vars(request).items()}
        return snippets.write(language, tool, values)

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Give the JSON that HTTP answers with; `usage` joins the meta."""
        head = b'{"success":true,' + to_json(self.member) + b":"
        meta = to_json({**self.meta, **(usage or {})})
        file = pybase64.b64encode(self.file)
        return b"".join((head, b'"', file, b'","mime_type":', to_json(self.mime_type), b',"meta":', meta, b"}"))

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Make again the result that a server answered with; the account's usage is left out of its meta."""
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
            raise NotImplementedError  # IPython goes on with the bundle
        from mediakit.display import captions

        captions.display(self)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.extension.upper()} {readable_size(len(self.file))}>"


def without_usage(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Give an answer's meta without what is the account's."""
    return {name: value for name, value in meta.items() if name not in ("used", "remaining", "unlimited")}
