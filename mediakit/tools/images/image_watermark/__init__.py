"""`image_watermark`: puts text or a logo on an image."""

from mediakit.tools.images.image_watermark.tool import image_watermark

__all__ = ["image_watermark"]
