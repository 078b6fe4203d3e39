"""What a tool gives back: a file that shows, saves and describes itself."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import pybase64
from pydantic_core import to_json

from mediakit.core.media import EXTENSIONS, type_of
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from PIL import Image

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
        from mediakit.core import captions

        captions.display(self)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/plain": repr(self)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.extension.upper()} {readable_size(len(self.file))}>"


class DataResult(Result):
    """A result that is data: in JSON its fields stand beside `success` and `meta`."""

    is_data = True

    def fields(self) -> dict[str, Any]:
        """Give the fields as the HTTP answer has them."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        raise NotImplementedError

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Describe the fields by their names, as JSON Schema."""
        raise NotImplementedError

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Give the JSON that HTTP answers with; `usage` joins the meta."""
        return to_json({"success": True, **self.fields(), "meta": {**self.meta, **(usage or {})}})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataResult):
            return NotImplemented
        return (type(self), self.fields(), self.meta) == (type(other), other.fields(), other.meta)

    def __hash__(self) -> int:
        return hash(self.file)


class ImageResult(Result):
    """A picture: the last line of a cell shows it."""

    member = "image"
    before: bytes | None = None
    """The picture that it was made from, to be shown beside it; kept by the function that made it, not by clients."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self._size[0]

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self._size[1]

    @property
    def extent(self) -> str:
        """Width and height, as `1200 × 630`."""
        return f"{self.width} × {self.height}"

    @property
    def density(self) -> int:
        """Pixels for each pixel that it is shown at: 2 for the picture of a page at `device_scale_factor` 2."""
        return getattr(self._call[1], "device_scale_factor", 1) if self._call else 1

    @property
    def caption(self) -> str:
        """What a notebook says below a preview; empty below the picture itself."""
        from mediakit.core import pictures

        if pictures.fits(self):
            return ""
        full = f"{self.extent} pixels ({readable_size(len(self.content))})"
        return f"Preview of {full}. .save('picture.{self.extension}') writes the full file."

    def to_pil(self) -> "Image.Image":
        """Give the picture as a Pillow image; SVG is drawn at its own size."""
        from mediakit.core import pictures

        return pictures.opened(self.content, self.mime_type)

    @cached_property
    def _size(self) -> tuple[int, int]:
        if "width" in self.meta and "height" in self.meta:
            return self.meta["width"], self.meta["height"]
        from mediakit.core import pictures

        return pictures.size(self.content, self.mime_type)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.core import pictures

        return pictures.bundle(self)

    def __repr__(self) -> str:
        size = readable_size(len(self.content))
        about = f" {self.alt!r}" if self.alt else ""
        return f"<{type(self).__name__} {self.extension.upper()} {self.width}x{self.height}, {size}{about}>"


class PdfResult(Result):
    """A PDF: the last line of a cell shows its first pages."""

    member = "pdf"

    @cached_property
    def pages(self) -> int:
        """Number of pages."""
        if "pages" in self.meta:
            return int(self.meta["pages"])
        from mediakit.core import pages

        return pages.count(self.content)

    @property
    def extent(self) -> str:
        """Number of pages, as `3 pages`."""
        return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"

    @property
    def caption(self) -> str:
        """What a notebook says below the first pages, as `PDF · 3 pages · A4 · 84 kB`."""
        return " · ".join(filter(None, ("PDF", self.extent, self.meta.get("format"), readable_size(len(self.content)))))

    def to_pil(self, page: int = 1, *, dpi: int = 144) -> "Image.Image":
        """Draw a page as a Pillow image; needs PyMuPDF.

        Args:
            page: Its number, from 1.
            dpi: Pixels an inch.

        Raises:
            InvalidInput: There is no such page, or its picture would be too large.
        """
        from mediakit.core import pages

        return pages.drawn(self.content, page, dpi)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.core import pages

        return pages.bundle(self)

    def __repr__(self) -> str:
        return f"<PdfResult {self.extent}, {readable_size(len(self.content))}>"


def without_usage(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Give an answer's meta without what is the account's."""
    return {name: value for name, value in meta.items() if name not in ("used", "remaining", "unlimited")}


def readable_size(count: int) -> str:
    """Write a number of bytes as people read it: `840 B`, `1.4 kB`, `3.8 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
