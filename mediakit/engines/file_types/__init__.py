"""The types of files, judged by their content."""

from mediakit.engines.file_types.identify import identify, other_types, type_name
from mediakit.engines.file_types.types import FILE_TYPES, FileType, Kind

__all__ = ["FILE_TYPES", "FileType", "Kind", "identify", "other_types", "type_name"]
