"""The tool `pdf_compress`: its request, levels and description."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import REPORT

UNCHANGED = "unchanged"
"""`level_used` of a file that cannot be made smaller."""


@request
class PdfCompressRequest:
    """A PDF and how to compress it."""

    file: PdfFile
    """The PDF."""
    _: KW_ONLY
    level: Annotated[
        Literal["lossless", "medium", "strong"] | None,
        Field(json_schema_extra={"default": "medium"}),
        Synonyms(
            "quality, mode, strength, compression, preset",
            {
                "lossless": "none, low, light",
                "medium": "default, normal, ebook, balanced",
                "strong": "high, maximum, max, screen, extreme, aggressive",
            },
        ),
    ] = None
    """`lossless` compresses streams, objects and fonts, and pages draw to the same pixels; `medium` also reduces images
    over 170 dpi to 150 dpi, with JPEG quality 75; `strong` reduces them to 110 dpi, with quality 55."""
    max_bytes: Annotated[int | None, Field(ge=10_000, le=20_000_000), Synonyms("max_size, target_size, size")] = None
    """Largest size of the result in bytes. The mildest compression that fits is used: lossless, then images at 300,
    200, 150, 110, 96 or 72 dpi with falling quality. Cannot be combined with `level`, `image_dpi` and
    `image_quality`."""
    image_dpi: Annotated[int | None, Field(ge=36, le=600), Synonyms("dpi, resolution")] = None
    """Resolution of images at the size at which they are drawn, instead of that of the level."""
    image_quality: Annotated[int | None, Field(ge=1, le=100)] = None
    """JPEG quality of images, instead of that of the level."""
    grayscale: Annotated[bool, Synonyms("gray, grey, greyscale, black_white")] = False
    """Convert images, and the colors of text and graphics, to gray."""
    password: Password | None = None
    """Password of an encrypted file. The result stays encrypted with the same passwords."""

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        for name in ("level", "image_dpi", "image_quality"):
            if self.max_bytes is not None and getattr(self, name) is not None:
                raise ValueError(f"max_bytes: cannot be combined with {name}.")
        for name in ("image_dpi", "image_quality"):
            if self.level == "lossless" and getattr(self, name) is not None:
                raise ValueError(f"{name}: requires level medium or strong, got lossless.")
        return self


TOLERANCE = 17 / 15
"""Images are reduced from this multiple of the target resolution on: 170 dpi become 150."""


@dataclass(frozen=True)
class ImageSettings:
    """What happens to images."""

    name: str
    """`level_used` of a result with these settings."""
    dpi: int | None = None
    """Target resolution; None keeps all pixels."""
    quality: int | None = None
    """JPEG quality, 1 to 100; None allows no loss."""

    @property
    def lossy(self) -> bool:
        """Whether images may lose detail."""
        return self.quality is not None


GRAY_QUALITY = 92
"""JPEG quality of images that must be encoded again, to become gray, although no loss was requested."""

LOSSLESS = ImageSettings("lossless")
LEVELS = {
    "lossless": LOSSLESS,
    "medium": ImageSettings("medium", 150, 75),
    "strong": ImageSettings("strong", 110, 55),
}
LADDER = tuple(
    ImageSettings(f"{dpi} dpi", dpi, quality)
    for dpi, quality in ((300, 85), (200, 80), (150, 75), (110, 55), (96, 45), (72, 35))
)
"""Settings that `max_bytes` tries after `lossless`, the mildest first."""


def ladder_of(request: PdfCompressRequest) -> Sequence[ImageSettings]:
    """Return the settings to try, the mildest first."""
    if request.max_bytes is not None:
        return (LOSSLESS, *LADDER)
    level = LEVELS[request.level or "medium"]
    return (ImageSettings(level.name, request.image_dpi or level.dpi, request.image_quality or level.quality),)


META: Mapping[str, meta_schemas.Schema] = {
    "original_bytes": meta_schemas.integer("Size of the input in bytes.", 812_345),
    "ratio": {
        "type": "number",
        "description": "Size of the result divided by the size of the input; 1 if it is unchanged.",
        "examples": [0.42],
    },
    "pages": meta_schemas.integer("Number of pages.", 12),
    "images": {
        "type": "array",
        "description": "The images by the kind of their data in the input.",
        "items": {
            "type": "object",
            "required": ["kind", "count", "recompressed"],
            "properties": {
                "kind": {"type": "string", "enum": ["ccitt", "jbig2", "jpeg", "jpeg2000", "lossless", "other"]},
                "count": {"type": "integer"},
                "recompressed": {"type": "integer"},
            },
        },
        "examples": [[{"kind": "jpeg", "count": 9, "recompressed": 7}]],
    },
    "level_used": meta_schemas.text(
        "The level; with `max_bytes` `lossless` or a resolution such as `150 dpi`; `unchanged` for the input itself.",
        "medium",
    ),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfCompressRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    deadline_seconds=110,
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("A report", {"file": REPORT}),
        Example("At most 20 kB, in gray", {"file": REPORT, "max_bytes": 20_000, "grayscale": True}),
        Example("Without any loss", {"file": REPORT, "level": "lossless"}),
    ],
)
async def pdf_compress(request: PdfCompressRequest) -> PdfResult:
    """Make a PDF smaller; the result is never larger than the input.

    Images are reduced to the resolution at which they are drawn; scans of one bit stay as they are, and images that
    would become larger too. Fonts lose the characters that the PDF does not show, streams are compressed, and
    equal objects are stored once. Text, links, bookmarks, forms, tags, attachments and metadata are kept. If no
    smaller file can be made, the input is returned, and `meta.level_used` is `unchanged`.

    Raises:
        InvalidInput: The file is not a PDF, is encrypted or damaged, or `max_bytes` cannot be reached.
        NotConvertible: The compression took longer than 60 seconds.
    """
    work = "mediakit.tools.pdf.pdf_compress.compression:compress"
    made = await run_guarded(work, request, returns=MadePdf, guard=LONG_PDF)
    return PdfResult(made.content, "application/pdf", made.meta)
