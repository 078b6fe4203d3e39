"""The types of files, judged by their content."""

from mediakit.engines.file_types.file_type import FileType
from mediakit.engines.file_types.identify import identify

__all__ = ["FileType", "identify"]
