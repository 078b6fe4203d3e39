"""The result of `pdf_to_images`."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, ClassVar, Self

import pybase64

from mediakit.results.files import FilesResult, zip_content
from mediakit.results.image import ImageResult
from mediakit.results.result import without_usage

IMAGE = "image"
"""Member of the envelope that holds a single image."""


class ImagesResult(FilesResult[ImageResult]):
    """Images of pages: a sequence in Python, also of a single one.

    Over HTTP and in `.content`, a single image is the image itself, and several are a ZIP file.
    """

    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "image")

    def __init__(self, results: Sequence[ImageResult], filename: str, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(results, filename, meta)
        _describe(results, self.meta.get("pages", ()))
        if self.is_single:
            only = results[0]
            self.member = IMAGE
            self.content, self.mime_type, self.filename = only.content, only.mime_type, only.filename
            self.meta["size_bytes"] = len(only.content)

    @property
    def is_single(self) -> bool:
        """Whether there is only one image."""
        return len(self) == 1

    @property
    def extent(self) -> str:
        """Number of images, such as `3 images`, or the size of a single one."""
        return self[0].extent if self.is_single else f"{len(self)} images"

    @property
    def caption(self) -> str:
        """The text below a preview of a single image; empty if the notebook stores it whole."""
        return self[0].caption if self.is_single else ""

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the images into a folder, or into an archive if the path ends with `.zip`, and return the path.

        A single image is also written to a path with its extension.

        Raises:
            InvalidInput: The path has another extension, or is an existing file where a folder is needed.
        """
        target = Path(path)
        if self.is_single and target.suffix and target.suffix.lower() != ".zip" and not target.is_dir():
            return self[0].save(target)
        if self.is_single and target.suffix:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(zip_content(self))
            return target
        return super().save(target)

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the members."""
        content = {"type": "string", "contentEncoding": "base64", "x-optional": True}
        return {
            "file": {**content, "description": "A ZIP file of several images."},
            IMAGE: {**content, "description": "The image, if there is only one."},
            **super().extra_schema(),
        }

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        if IMAGE not in body:
            return super().from_envelope(body)
        meta = without_usage(body["meta"])
        image = ImageResult(pybase64.b64decode(body[IMAGE]), body["mime_type"])
        image.filename = body["filename"]
        return cls([image], f"{PurePath(image.filename).stem}.zip", meta)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        return self[0]._repr_mimebundle_() if self.is_single else super()._repr_mimebundle_()

    def __repr__(self) -> str:
        if self.is_single:
            return f"<ImagesResult of one image: {self[0]!r}>"
        return super().__repr__()


def _describe(results: Sequence[ImageResult], pages: Sequence[Mapping[str, Any]]) -> None:
    """Set the alt texts of images, of one page each or of all pages."""
    numbers = [str(page["page"]) for page in pages]
    if len(results) == len(numbers):
        for result, number in zip(results, numbers, strict=True):
            result.alt = f"Page {number} of a PDF"
    else:
        for result in results:
            result.alt = f"Pages {', '.join(numbers)} of a PDF"
