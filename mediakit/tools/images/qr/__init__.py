"""The `qr` tool."""

from mediakit.tools.images.qr.tool import qr

__all__ = ["qr"]
