"""The registry of file types, by a short name such as `png` or `docx`."""

from collections.abc import Mapping

from mediakit.engines.file_types.file_type import FileType
from mediakit.engines.file_types.registry.archives import ARCHIVES
from mediakit.engines.file_types.registry.binaries import DATA, EXECUTABLES, FONTS
from mediakit.engines.file_types.registry.documents import DOCUMENTS
from mediakit.engines.file_types.registry.images import IMAGES
from mediakit.engines.file_types.registry.media import MEDIA
from mediakit.engines.file_types.registry.texts import TEXTS

FILE_TYPES: Mapping[str, FileType] = {
    **IMAGES, **MEDIA, **ARCHIVES, **DOCUMENTS, **FONTS, **EXECUTABLES, **DATA, **TEXTS,
}  # fmt: skip
"""Types by name. Where signatures begin alike, the longest one wins."""
