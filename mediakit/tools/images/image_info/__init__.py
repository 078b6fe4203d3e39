"""The `image_info` tool."""

from mediakit.tools.images.image_info.tool import image_info

__all__ = ["image_info"]
