"""Descriptions of the results of tools whose class of result depends on an option."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.results.file import FileResult
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result


class OneOfSeveral(FileResult):
    """What the HTTP API and clients need to know of such results. Calls return one of `kinds`."""

    _internal_names = frozenset(("kinds",))
    kinds: ClassVar[tuple[type[Result], ...]]
    """The classes of the results; the member of each in the JSON envelope is different."""

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name, which only files have."""
        return {name: {**schema, "x-optional": True} for name, schema in FileResult.extra_schema().items()}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Any:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        kind = next(kind for kind in cls.kinds if kind.member in body)
        result = kind.from_envelope(body)
        if isinstance(result, ImageResult):
            result.alt = body["meta"].get("alt", "").partition("\n\n")[0]
        return result


class FileOrPdf(OneOfSeveral):
    """A PDF for one value of an option, and another file for the others."""

    kinds = (PdfResult, FileResult)
    members: ClassVar[tuple[str, ...]] = (PdfResult.member, FileResult.member)
    outputs: ClassVar[tuple[str, ...]] = PdfResult.outputs


class ImageOrFile(OneOfSeveral):
    """An image, a PDF or another file, by the value of an option."""

    kinds = (ImageResult, PdfResult, FileResult)
    members: ClassVar[tuple[str, ...]] = (ImageResult.member, PdfResult.member, FileResult.member)
    outputs: ClassVar[tuple[str, ...]] = ImageResult.outputs
