"""`zip`: packs files into a ZIP file."""

from mediakit.tools.files.zip.tool import zip  # noqa: A004  # the name of the tool

__all__ = ["zip"]
