"""The `file_info` tool."""

from mediakit.tools.files.file_info.tool import file_info

__all__ = ["file_info"]
