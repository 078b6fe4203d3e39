"""The result of `pdf_to_images`."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, Self

import pybase64

from mediakit.core.tool import Wire
from mediakit.results.files import ImageResult, ZipResult
from mediakit.results.result import Bundle

IMAGE = "image"
"""Member of the envelope that holds a single image."""


class ImagesResult(ZipResult[ImageResult]):
    """Images of pages: a sequence in Python, also of a single one.

    Over HTTP and in `.content`, a single image is the image itself, and several are a ZIP file.
    """

    _wire = Wire(member="file", outputs=("json", "binary", "url", "image"), sends_file=True)

    def __init__(self, results: Sequence[ImageResult], filename: str, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(results, filename, meta)
        _describe(results, self.meta.get("pages", ()))
        if self.is_single:
            only = results[0]
            self.content, self.mime_type, self.filename = only.content, only.mime_type, only.filename
            self.meta["size_bytes"] = len(only.content)

    @property
    def is_single(self) -> bool:
        """Whether there is only one image."""
        return len(self) == 1

    def _sent_as(self) -> str:
        return IMAGE if self.is_single else super()._sent_as()

    def _facts(self) -> str:
        return self[0]._facts() if self.is_single else f"{len(self)} images"

    def _caption(self) -> str:
        return self[0]._caption() if self.is_single else ""

    def _bundle(self) -> Bundle:
        return self[0]._bundle() if self.is_single else super()._bundle()

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        content = {"type": "string", "contentEncoding": "base64", "x-optional": True}
        return {
            "file": {**content, "description": "A ZIP file of several images."},
            IMAGE: {**content, "description": "The image, if there is only one."},
        }

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:
        if IMAGE not in body:
            return super()._parsed(body, meta, annotation)
        name = body["filename"]
        image = ImageResult(pybase64.b64decode(body[IMAGE]), body["mime_type"], filename=name)
        return cls([image], f"{PurePath(name).stem}.zip", meta)

    def __repr__(self) -> str:
        return f"<ImagesResult of one image: {self[0]!r}>" if self.is_single else super().__repr__()


def _describe(results: Sequence[ImageResult], pages: Sequence[Mapping[str, Any]]) -> None:
    """Set the alt texts of images, of one page each or of all pages."""
    numbers = [str(page["page"]) for page in pages]
    if len(results) == len(numbers):
        for result, number in zip(results, numbers, strict=True):
            result._alt = f"Page {number} of a PDF"
    else:
        for result in results:
            result._alt = f"Pages {', '.join(numbers)} of a PDF"
