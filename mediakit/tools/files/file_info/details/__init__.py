"""The details of a file by its kind: size of images, pages, entries, lines, duration."""

from typing import Any

from mediakit.engines.file_types import FileType


def details_of(content: bytes, found: FileType, *, encrypted: bool) -> dict[str, Any]:
    """Return what is known of the content of a file; empty for kinds without details.

    A damaged file has the details that its head has.
    """
    from mediakit.tools.files.file_info.details import archive, image_size, media, pages, text

    if found.mime_type == "application/pdf":
        return pages.pdf_details(content)
    if found.kind == "image" and found.mime_type != "image/svg+xml":
        return image_size.image_details(content)
    if found.kind in ("audio", "video"):
        return media.media_details(content, found)
    if details := archive.archive_details(content, found):
        return details
    is_text = found.kind == "text" or found.mime_type in text.TEXT_TYPES
    return text.text_details(content) if is_text and not encrypted else {}
