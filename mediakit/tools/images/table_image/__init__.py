"""`table_image`: a table as an image, a PDF or an HTML page."""

from mediakit.tools.images.table_image.tool import table_image

__all__ = ["table_image"]
