"""The form of `image_watermark`: the mark is dragged on the image."""
