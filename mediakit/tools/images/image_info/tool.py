"""The tool `image_info`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.samples import LABEL, LANDSCAPE, LOGO
from mediakit.tools.images.image_info.request import ImageInfoRequest, Inspected
from mediakit.tools.images.image_info.result import ImageInfo, image_info_of

META: Mapping[str, meta_schemas.Schema] = {
    "palette_rest": meta_schemas.optional(
        {"type": "number", "description": "Share of the pixels that `palette` leaves out.", "examples": [0.08]}
    ),
    "warnings": meta_schemas.texts("What may not be as expected, such as a location in the file."),
}


@tool(
    ImageInfoRequest,
    tag="Images",
    raw={"image/*": "file"},
    produces={"json": "application/json"},
    meta=META,
    errors=[NotConvertible],
    examples=[
        Example("Facts of a photo", {"file": LANDSCAPE}),
        Example("Main colors", {"file": LANDSCAPE, "palette": 5}),
        Example("Hashes to find similar images", {"file": LOGO, "hashes": True}),
        Example("Without EXIF data", {"file": LABEL, "exif": False}),
    ],
)
async def image_info(request: ImageInfoRequest) -> ImageInfo:
    """Tell what an image is: size, colors, animation, EXIF, location, palette, hashes.

    Nothing is changed. Width and height are those of the upright image. `quality` of a JPEG is estimated from its
    tables. `palette` lists the main colors by their share of the visible pixels; hashes of similar images differ in few
    bits. A file that ends early is described as far as it can be read, with `truncated` set.

    Raises:
        InvalidInput: The file is not an image, is damaged, or has more than 50 megapixels (200 in all frames together).
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.images.image_info.inspection:inspect_image", Guard("image", seconds=10)
    found = await run_guarded(work, request, returns=Inspected, guard=guard)
    rest = {} if found.palette_rest is None else {"palette_rest": found.palette_rest}
    meta = {**rest, "warnings": found.warnings}
    return image_info_of(found.fields, meta, has_exif=request.exif, thumbnail=found.thumbnail)
