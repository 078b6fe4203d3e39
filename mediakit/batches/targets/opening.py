"""Chooses the target of a path or URL."""

import os
from collections.abc import Callable
from pathlib import PurePath
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mediakit.batches.targets.backend import Backend
from mediakit.batches.targets.folder_store import FolderStore
from mediakit.batches.targets.pdf_product import PdfProduct
from mediakit.batches.targets.product_target import Product, ProductTarget
from mediakit.batches.targets.sheet_product import SheetProduct
from mediakit.batches.targets.target import FolderTarget, Target
from mediakit.batches.targets.url_store import UrlStore
from mediakit.batches.targets.zip_product import ZipProduct
from mediakit.core.media import media_type, type_of
from mediakit.errors import InvalidInput

PRODUCTS: dict[str, Callable[[str], Product]] = {
    "zip": lambda _: ZipProduct(),
    "pdf": PdfProduct,
    "png": lambda title: SheetProduct(title, "png"),
    "jpg": lambda title: SheetProduct(title, "jpeg"),
    "jpeg": lambda title: SheetProduct(title, "jpeg"),
    "webp": lambda title: SheetProduct(title, "webp"),
}
"""How the files of all rows are combined, by the suffix of the target; each gets the title."""


def open_target(to: "str | os.PathLike[str]", *, title: str = "") -> Target:
    """Return the target of a path or URL, without reading or writing anything before its `open`.

    Args:
        to: A folder, or a file that combines all rows; a path, or a URL such as `s3://bucket/folder`.
        title: Title of a file that combines all rows; by default, the name of the file.

    Raises:
        InvalidInput: The path is empty, or that of a file of another type.
    """
    path = os.fspath(to)
    if not path.strip():
        raise InvalidInput("to: must be a path or URL, got an empty text.")
    parent, file = path.rpartition("/")[::2] if "://" in path else os.path.split(path)
    stem, _, suffix = file.rpartition(".")
    if make := PRODUCTS.get(suffix.lower()):
        folder, parts = _backend(parent or ".", path), _backend(f"{path}.parts", path)
        return ProductTarget(folder, file, parts, make(title or stem), path)
    if media := media_type(type_of(PurePath(file)) or ""):
        raise InvalidInput(f"to: must be a folder, .zip, .pdf, .png, .jpg or .webp, got {media.label}.")
    return FolderTarget(_backend(path, path))


def _backend(path: str, location: str) -> Backend:
    """Return the folder of a path or URL; `file:` URLs are paths of this machine."""
    if path.startswith("file://"):
        return FolderStore(url2pathname(urlsplit(path).path), location)
    return UrlStore(path, location) if "://" in path else FolderStore(path, location)
