"""Media types of the files that tools take and make."""

from pathlib import PurePath

EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/svg+xml": "svg",
    "application/pdf": "pdf",
}
"""Media type to the usual file name extension, without the dot."""

_SUFFIXES = {f".{extension}": media for media, extension in EXTENSIONS.items()} | {
    ".jpeg": "image/jpeg",
    # No tool makes these, so a file must not be named as if one did.
    ".gif": "image/gif",
    ".tif": "image/tiff",
    ".tiff": "image/tiff",
    ".bmp": "image/bmp",
}


def image_type(image_format: str) -> str:
    """Give the media type of an image format's name: `svg` is `image/svg+xml`."""
    return "image/svg+xml" if image_format == "svg" else f"image/{image_format}"


def type_of(path: PurePath) -> str | None:
    """Give the media type that a path's suffix promises, None where it promises none that we know."""
    return _SUFFIXES.get(path.suffix.lower())
