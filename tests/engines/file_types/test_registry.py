"""The registry of file types."""

import re

from mediakit.core.media import media_type
from mediakit.engines.file_types.registry import FILE_TYPES
from mediakit.engines.file_types.registry.archives import ARCHIVES
from mediakit.engines.file_types.registry.binaries import DATA, EXECUTABLES, FONTS
from mediakit.engines.file_types.registry.documents import DOCUMENTS
from mediakit.engines.file_types.registry.images import IMAGES
from mediakit.engines.file_types.registry.media import MEDIA
from mediakit.engines.file_types.registry.texts import TEXTS


def test_no_name_is_in_two_tables() -> None:
    tables = (IMAGES, MEDIA, ARCHIVES, DOCUMENTS, FONTS, EXECUTABLES, DATA, TEXTS)
    assert len(FILE_TYPES) == sum(map(len, tables))


def test_extensions_and_media_types_are_well_formed() -> None:
    for file_type in FILE_TYPES.values():
        assert re.fullmatch(r"[a-z]+/[a-zA-Z0-9.+-]+", file_type.mime_type), file_type
        assert all(re.fullmatch(r"\.[A-Za-z0-9_+]+", one) for one in file_type.extensions), file_type


def test_usual_extension_of_a_registered_media_type_is_accepted() -> None:
    for file_type in FILE_TYPES.values():
        known = media_type(file_type.mime_type)
        if known and file_type.extensions and file_type.kind != "text" and file_type.mime_type != "application/zip":
            assert f".{known.extensions[0]}" in file_type.extensions, file_type
