"""The `code_reader` tool."""

from mediakit.tools.images.code_reader.tool import code_reader

__all__ = ["code_reader"]
