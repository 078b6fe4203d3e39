"""`ImageOrFiles`: describes the results of tools that return an image, and several files for one option."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.results.files import FilesResult
from mediakit.results.image import ImageResult
from mediakit.results.result import Result


class ImageOrFiles(ImageResult):
    """What the HTTP API and clients need to know of such results. Calls return an `ImageResult` or a `FilesResult`."""

    members: ClassVar[tuple[str, ...]] = (ImageResult.member, FilesResult.member)

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name, which images do not have."""
        return {name: {**schema, "x-optional": True} for name, schema in FilesResult.extra_schema().items()}

    @classmethod
    def from_envelope(  # type: ignore[override]  # one of both
        cls, body: Mapping[str, Any]
    ) -> "ImageResult | FilesResult[Result]":
        """Return the result in the JSON body of a server's response, without the account's usage."""
        return ImageResult.from_envelope(body) if ImageResult.member in body else FilesResult.from_envelope(body)
