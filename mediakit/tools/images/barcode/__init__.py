"""The `barcode` tool."""

from mediakit.tools.images.barcode.tool import barcode

__all__ = ["barcode"]
