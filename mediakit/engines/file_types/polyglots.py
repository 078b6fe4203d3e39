"""Types that a file is besides its first one: a ZIP behind an image, a PDF behind other bytes."""

from mediakit.engines.file_types.containers.archive_types import is_tar
from mediakit.engines.file_types.containers.pdf_header import is_pdf
from mediakit.engines.file_types.containers.zip_directory import is_archive
from mediakit.engines.file_types.file_type import FileType
from mediakit.engines.file_types.registry import FILE_TYPES

_ZIP_START = (b"PK\3\4", b"PK\5\6", b"PK\7\x08", b"PK00")
_ISO_OFFSET, _ISO_MARK = 32_769, b"CD001"
_DICOM_OFFSET, _DICOM_MARK = 128, b"DICM"


def other_types(content: bytes, found: FileType) -> list[FileType]:
    """Return the types that readers of other formats accept the file as."""
    rules = (
        ("pdf", is_pdf(content)),
        ("zip", not content.startswith(_ZIP_START) and is_archive(content)),
        ("iso", content.startswith(_ISO_MARK, _ISO_OFFSET)),
        ("dicom", content.startswith(_DICOM_MARK, _DICOM_OFFSET)),
        ("tar", is_tar(content)),
    )
    others = [FILE_TYPES[name] for name, is_true in rules if is_true]
    return [one for one in others if one.mime_type != found.mime_type]
