"""`image_animate`: makes an animation of images, or converts one."""

from mediakit.tools.images.image_animate.tool import image_animate

__all__ = ["image_animate"]
