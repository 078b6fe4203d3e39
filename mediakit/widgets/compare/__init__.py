"""The form of `image_compare`: a before and after slider, and boxes to ignore."""
