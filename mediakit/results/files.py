"""Results that are files: any file, an image, a PDF, or several files."""

import html
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self, TypeVar, final, overload
from zipfile import ZipFile

import pybase64

from mediakit.core.media import media_type, type_of
from mediakit.core.messages import quote, readable_size
from mediakit.core.tool import Wire
from mediakit.errors import InvalidInput
from mediakit.results.item import Json, warning_messages
from mediakit.results.result import Bundle, Coded, ListResult, card
from mediakit.results.saving import SavedFile, zip_content

if TYPE_CHECKING:
    from PIL import Image
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

PDF = "application/pdf"
SVG = "image/svg+xml"
ZIP = "application/zip"


class FileResult(Coded):
    """A file. In JSON it is `file` (base64), `filename` and `mime_type`."""

    _wire = Wire(member="file", outputs=("json", "binary", "url"), sends_file=True)

    def __init__(
        self,
        content: bytes,
        mime_type: str,
        filename: str = "",
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        self.content = content
        self.mime_type = mime_type
        self.filename = filename
        """Name of the file; empty if the tool does not name it."""
        self.meta: dict[str, Any] = {"size_bytes": len(content), **(meta or {})}
        self._alt = alt

    @property
    @final
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return self._saved().extension

    @property
    @final
    def text(self) -> str:
        """The content of a text file.

        Raises:
            InvalidInput: The file is not a text file, or it is not UTF-8.
        """
        try:
            text = self._text()
        except UnicodeDecodeError:
            raise InvalidInput(
                f"text: {self.filename or 'the file'} is not UTF-8; mediakit.text_repair reads other charsets."
            ) from None
        if text is None:
            raise InvalidInput(f"text: {self.filename or 'the file'} is not a text file; use .content.")
        return text

    @property
    @final
    def is_text(self) -> bool:
        """Whether the file is a text file."""
        return self._text("replace") is not None

    def _text(self, errors: str = "strict") -> str | None:
        """Return the text of a text file; None for other files."""
        media = media_type(self.mime_type.partition(";")[0])
        is_text = media.is_text if media else self.mime_type.startswith("text/")
        return self.content.decode("utf-8-sig", errors) if is_text else None

    def _saved(self) -> SavedFile:
        return SavedFile(self.content, self.mime_type, self.filename)

    def _members(self) -> dict[str, Any]:
        named = {"filename": self.filename} if self._wire.member == "file" else {}
        return {"mime_type": self.mime_type, **named, **self._extra()}

    def _extra(self) -> dict[str, Any]:
        """Return further members of the JSON, which repeat the content."""
        return {}

    def _notes(self) -> Sequence[str]:
        return warning_messages(self.meta)

    def _sent_as(self) -> str:
        """Return the name of the member of the JSON that holds the file."""
        return self._wire.member

    def _compared(self) -> Any:
        return self.mime_type, self.content, self.meta

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        """Return the result in a server's response."""
        content, name = pybase64.b64decode(body[cls._wire.member]), body.get("filename", "")
        return cls(content, body["mime_type"], filename=name, meta=meta)

    def _wire_members(self) -> Iterator[tuple[str, Any]]:
        yield self._sent_as(), Json(b'"' + pybase64.b64encode(self.content) + b'"')
        yield from self._members().items()

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of further members, and of the `meta` of all tools with such results."""
        return {}

    def _bundle(self) -> Bundle:
        from mediakit.display import documents

        return {
            "text/html": documents.file_html(self.filename, self.mime_type, self.content, self._text("replace"))
        }, {}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string", "contentEncoding": "base64"}


class ImageResult(FileResult):
    """An image; a notebook shows it. In JSON it is `image` (base64) and `mime_type`."""

    _internal_names = frozenset(("original", "pixel_ratio"))
    _wire = Wire(member="image", outputs=("json", "binary", "url", "image"), sends_file=True)

    def __init__(
        self,
        content: bytes,
        mime_type: str,
        meta: Mapping[str, Any] | None = None,
        *,
        filename: str = "",
        alt: str = "",
    ) -> None:
        super().__init__(content, mime_type, filename, meta, alt=alt)
        self.original: bytes | None = None
        """The image that it was converted from, shown beside it; None in results of a client."""

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:
        made = super()._parsed(body, meta, annotation)
        made.alt = str(meta.get("alt", "")).partition("\n\n")[0]
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without the image that it was converted from."""
        return {**super().__getstate__(), "original": None}

    @property
    @final
    def width(self) -> int:
        """Width in pixels."""
        return self._size[0]

    @property
    @final
    def height(self) -> int:
        """Height in pixels."""
        return self._size[1]

    @final
    def to_pil(self) -> "Image.Image":
        """Return a Pillow image; an SVG is rendered at its own size."""
        from mediakit.display import images

        return images.decode(self.content, self.mime_type)

    @final
    def img(self, alt: str | None = None) -> str:
        """Return an HTML `img` element with the image, its size in CSS pixels and its text alternative.

        Args:
            alt: The text alternative; that of the result by default.
        """
        ratio = self.pixel_ratio
        text = html.escape(self.alt if alt is None else alt)
        source = self._saved().data_uri()
        return f'<img src="{source}" width="{self.width // ratio}" height="{self.height // ratio}" alt="{text}">'

    @property
    @final
    def pixel_ratio(self) -> int:
        """Image pixels in a CSS pixel: 2 for an image of a page rendered with `device_scale_factor=2`."""
        ratio = None if self._call is None else self._call.tool.spec.pixel_ratio
        return 1 if ratio is None or self._call is None else ratio(self._call.request)

    @cached_property
    def _size(self) -> tuple[int, int]:
        if "width" in self.meta and "height" in self.meta:
            return self.meta["width"], self.meta["height"]
        from mediakit.display import images

        return images.size(self.content, self.mime_type)

    def _facts(self) -> str:
        with suppress(InvalidInput):  # an image of an archive can be damaged
            return f"{self.width} × {self.height}"
        return ""

    def _shown_file(self) -> SavedFile:
        ratio = self.pixel_ratio
        if ratio == 1 or self.mime_type == SVG:
            return self._saved()
        size = f'width="{self.width // ratio}" height="{self.height // ratio}"'
        source = self._saved().data_uri()
        image = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image href="{source}" {size}/></svg>'
        return SavedFile(image.encode(), SVG)

    def _caption(self) -> str:
        from mediakit.display import images

        facts = self._facts()
        if not facts or images.fits(self.content, self._size):
            return ""
        full = f"{facts} pixels ({readable_size(len(self.content))})"
        return f"Preview of {full}. .save('image.{self.extension}') writes the full file."

    def _bundle(self) -> Bundle:
        from mediakit.display import images

        ratio, original = self.pixel_ratio, self.original
        with suppress(InvalidInput):
            return images.bundle(
                self.content, self.mime_type, self._size, alt=self.alt, pixel_ratio=ratio, original=original
            )
        return super()._bundle()

    def __repr__(self) -> str:
        size = f" {self._facts()}".replace(" × ", "x").rstrip()
        alt = f" {self.alt!r}" if self.alt else ""
        about = f"{self.extension.upper()}{size}, {readable_size(len(self.content))}{alt}"
        return f"<{type(self).__name__} {about}>"


class PdfResult(FileResult):
    """A PDF; a notebook shows its first pages. In JSON it is `pdf` (base64) and `mime_type`."""

    _wire = Wire(member="pdf", outputs=("json", "binary", "url", "pdf"), sends_file=True)

    def __init__(
        self,
        content: bytes,
        mime_type: str = PDF,
        meta: Mapping[str, Any] | None = None,
        *,
        filename: str = "",
        alt: str = "",
    ) -> None:
        super().__init__(content, mime_type, filename, meta, alt=alt)

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        return cls(pybase64.b64decode(body[cls._wire.member]), body["mime_type"], meta)

    @cached_property
    def pages(self) -> int:
        """Number of pages."""
        if "pages" in self.meta:
            return int(self.meta["pages"])
        from mediakit.display import images

        return images.count_pages(self.content)

    @final
    def to_pil(self, page: int = 1, *, dpi: int = 144, password: str | None = None) -> "Image.Image":
        """Return a Pillow image of a page; needs PyMuPDF.

        Args:
            page: The page number, from 1.
            dpi: Pixels an inch.
            password: Opens an encrypted PDF.

        Raises:
            InvalidInput: The page does not exist, its image would be too large, or the PDF needs a password.
        """
        from mediakit.display import images

        return images.render_page(self.content, page, dpi, password)

    def _facts(self) -> str:
        with suppress(InvalidInput):  # a PDF of an archive can be damaged
            return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"
        return ""

    def _caption(self) -> str:
        facts = ("PDF", self._facts(), self.meta.get("format"), readable_size(len(self.content)))
        return " · ".join(filter(None, facts))

    def _bundle(self) -> Bundle:
        from mediakit.display import images

        with suppress(InvalidInput):
            return images.pdf_bundle(self.content, pages=self.pages, text=self._caption(), alt=self.alt)
        return super()._bundle()

    def __repr__(self) -> str:
        about = ", ".join(filter(None, (self._facts(), readable_size(len(self.content)))))
        return f"<{type(self).__name__} {about}>"


F = TypeVar("F", bound=FileResult)


class FilesResult(ListResult[F], Sequence[F]):
    """Several files, by position or name: `result[0]`, `result["a.pdf"]`."""

    def _card_image(self) -> bytes:
        return card(self[0]).thumbnail if len(self) else b""

    @overload
    def __getitem__(self, index: int | str) -> F: ...
    @overload
    def __getitem__(self, index: slice) -> list[F]: ...
    def __getitem__(self, index: int | str | slice) -> F | list[F]:
        """Return the result at an index or of a file name."""
        if isinstance(index, slice):
            return list(self._listed()[index])
        if not isinstance(index, str):
            try:
                return self._listed()[index]
            except IndexError:
                raise IndexError(f"{index} is too large; there are {len(self)} results, numbered from 0.") from None
        found = next((result for result in self if result.filename == index), None)
        if found is None:
            names = ", ".join(quote(result.filename) for result in self[:5])
            raise KeyError(f"{quote(index)} is not the name of a file; names are {names}{', …' * (len(self) > 5)}.")
        return found

    @property
    @final
    def names(self) -> list[str]:
        """The names of the files."""
        return [result.filename for result in self]

    def _facts(self) -> str:
        return f"{len(self)} {'file' if len(self) == 1 else 'files'}"


class ZipResult(FileResult, FilesResult[F]):
    """Several files: a sequence of results in Python, a ZIP file over HTTP and in `.content`.

    Raises:
        ValueError: Two results have the same name, or one has none.
    """

    _items = "_results"

    def __init__(self, results: Sequence[F], filename: str, meta: Mapping[str, Any] | None = None) -> None:
        names = {PurePath(result.filename).name for result in results} - {"", ".."}
        if len(names) < len(results):
            raise ValueError(f"every file needs its own name, got {[result.filename for result in results]}.")
        self._results = list(results)
        super().__init__(zip_content(self._parts()), ZIP, filename, meta)

    def _attached(self) -> Sequence[FileResult]:
        """Return files that are saved with the results, and are not results, such as a report."""
        return ()

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        content = pybase64.b64decode(body[cls._wire.member])
        made = cls(unzipped_files(content), body["filename"], meta)
        made.content = content
        return made

    def _parts(self) -> Sequence[SavedFile]:
        files: list[FileResult] = [*self._results, *self._attached()]
        return [file._saved() for file in files]

    def _bundle(self) -> Bundle:
        from mediakit.display.images import gallery_html

        return {"text/html": gallery_html((result.filename, card(result)) for result in self._results)}, {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._facts()}, {readable_size(len(self.content))}>"


def file_result(content: bytes, filename: str, mime_type: str = "") -> FileResult:
    """Return a file as the result class of its media type, which is judged by its name if it is not passed."""
    mime_type = mime_type or type_of(PurePath(filename)) or "application/octet-stream"
    if mime_type == PDF:
        return PdfResult(content, mime_type, filename=filename)
    if mime_type.startswith("image/"):
        return ImageResult(content, mime_type, filename=filename)
    return FileResult(content, mime_type, filename)


def unzipped_files(content: bytes) -> list[Any]:
    """Return the files of an archive that mediakit wrote, as the result classes of their media types."""
    with ZipFile(io.BytesIO(content)) as archive:
        return [file_result(archive.read(entry), entry.filename) for entry in archive.infolist()]
