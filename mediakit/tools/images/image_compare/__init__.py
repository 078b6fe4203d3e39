"""The `image_compare` tool."""

from mediakit.tools.images.image_compare.tool import image_compare

__all__ = ["image_compare"]
