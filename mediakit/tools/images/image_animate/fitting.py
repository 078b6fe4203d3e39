"""Images in the size of the animation."""

from PIL import Image

from mediakit.engines.raster.color import flatten
from mediakit.tools.images.image_animate.job import AnimateJob

Size = tuple[int, int]

WHITE = "#ffffff"


def animation_size(first: Size, width: int | None, height: int | None) -> Size:
    """Return the size of an animation; with one side missing, the aspect ratio of the first image is kept."""
    if width and height:
        return width, height
    if width:
        return width, max(1, round(first[1] * width / first[0]))
    if height:
        return max(1, round(first[0] * height / first[1])), height
    return first


def fitted(image: Image.Image, size: Size, job: AnimateJob) -> Image.Image:
    """Return an RGBA image in a size."""
    if image.size != size:
        image = _resized(image, size, job)
    return flatten(image, job.background).convert("RGBA") if job.background else image


def _resized(image: Image.Image, size: Size, job: AnimateJob) -> Image.Image:
    x, y = size[0] / image.width, size[1] / image.height
    if job.fit == "fill" or x == y:
        return _scaled(image, size)
    if job.fit == "cover":
        width, height = size[0] / max(x, y), size[1] / max(x, y)
        left, top = (image.width - width) / 2, (image.height - height) / 2
        return _scaled(image, size, (left, top, left + width, top + height))
    scale = min(x, y)
    inner = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    borders = job.background or (WHITE if job.format == "gif" else None)
    canvas = Image.new("RGBA", size, borders or (0, 0, 0, 0))
    canvas.paste(_scaled(image, inner), ((size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2))
    return canvas


def _scaled(image: Image.Image, size: Size, box: tuple[float, float, float, float] | None = None) -> Image.Image:
    method = Image.Resampling.LANCZOS
    if image.getchannel("A").getextrema() == (255, 255):
        return image.convert("RGB").resize(size, method, box, reducing_gap=3.0).convert("RGBA")
    return image.convert("RGBa").resize(size, method, box, reducing_gap=3.0).convert("RGBA")
