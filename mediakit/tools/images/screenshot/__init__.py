"""The `screenshot` tool."""

from mediakit.tools.images.screenshot.tool import screenshot

__all__ = ["screenshot"]
