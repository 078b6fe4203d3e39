"""The `text_repair` tool."""

from mediakit.tools.files.text_repair.tool import text_repair

__all__ = ["text_repair"]
