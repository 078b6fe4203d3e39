"""The tool `image_compare`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.samples import LANDSCAPE, LANDSCAPE_EDITED
from mediakit.tools.images.image_compare.request import Compared, ImageCompareRequest, NumbersCall, PictureCall
from mediakit.tools.images.image_compare.result import ComparisonResult, Differences

META: Mapping[str, meta_schemas.Schema] = {
    "pixels_compared": meta_schemas.integer("Pixels that were compared.", 1_600_000),
    "warnings": meta_schemas.texts("What was not compared, such as further frames of an animation."),
}


def _media_type(values: Mapping[str, object]) -> str:
    kinds = {"blink": "image/webp", "none": "application/json"}
    return kinds.get(str(values.get("output_image")), "image/png")


@overloads(PictureCall, ComparisonResult, NumbersCall, Differences)
@tool(
    ImageCompareRequest,
    tag="Images",
    produces=("image/png", "image/webp"),
    meta=META,
    errors=[NotConvertible],
    media_type_of=_media_type,
    alt=lambda _: "Differences of the images in red",
    examples=[
        Example("What has changed", {"file": LANDSCAPE, "file2": LANDSCAPE_EDITED}),
        Example(
            "Without one area, images side by side",
            {
                "file": LANDSCAPE,
                "file2": LANDSCAPE_EDITED,
                "ignore": [[1100, 600, 300, 300]],
                "output_image": "side_by_side",
            },
        ),
        Example("Numbers only", {"file": LANDSCAPE, "file2": LANDSCAPE_EDITED, "output_image": "none"}),
    ],
)
async def image_compare(request: ImageCompareRequest) -> ComparisonResult | Differences:
    """Compare two images pixel by pixel, and show what differs.

    Different pixels are red, smoothed edges that do not count yellow, ignored areas blue. Colors are compared in OKLab,
    with the threshold of pixelmatch. Images are compared upright and in sRGB; transparent pixels on white and on gray,
    so that transparent and white differ. `regions` lists where the differences are. In tests, use
    `result.assert_same()`.

    Raises:
        InvalidInput: A file is not an image, is damaged or has more than 50 megapixels, or an area of `ignore` is
            outside the first image.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.images.image_compare.comparison:compare", Guard("comparison", seconds=10)
    found = await run_guarded(work, request, returns=Compared, guard=guard)
    meta: dict[str, Any] = {"pixels_compared": found.pixels_compared, "warnings": found.warnings}
    numbers = Differences(**found.fields, meta=meta)
    if not found.image:
        return numbers
    return ComparisonResult(found.image, _media_type({"output_image": request.output_image}), meta, numbers)
