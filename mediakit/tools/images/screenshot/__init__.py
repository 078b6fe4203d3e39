"""The `screenshot` tool: take a screenshot of a web page."""

from mediakit.tools.images.screenshot.tool import screenshot

__all__ = ["screenshot"]
