"""The images of a PDF, each with its size and its soft mask."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.source import PageKey
from mediakit.tools.pdf.pdf_compress.content.usage import Usage
from mediakit.tools.pdf.pdf_compress.images.image import PdfImage
from mediakit.tools.pdf.pdf_compress.request import ImageCount


def images_of(objects: Sequence[pikepdf.Object], usage: Usage) -> list[PdfImage]:
    """Return the images among objects; a soft mask is as large as the largest of its images."""
    streams = [item for item in objects if isinstance(item, Stream) and item.get(Name.Subtype) == Name.Image]
    images = {item.objgen: PdfImage(item, usage.size(item.objgen)) for item in streams}
    masked: dict[PageKey, list[PdfImage]] = {}
    for image in images.values():
        mask = image.stream.get(Name.SMask)
        if isinstance(mask, Stream) and mask.objgen in images:
            masked.setdefault(mask.objgen, []).append(image)
            image.is_blended = Name.Matte in mask
    for key, owners in masked.items():
        mask_image = images[key]
        mask_image.is_soft_mask = True
        mask_image.is_blended = any(owner.is_blended for owner in owners)
        sizes = [owner.size for owner in owners if owner.size is not None]
        complete = len(sizes) == len(owners) and key not in usage.unsized
        mask_image.size = (max(size[0] for size in sizes), max(size[1] for size in sizes)) if complete else None
    return list(images.values())


def count_images(images: Sequence[PdfImage], recompressed: set[PageKey]) -> list[ImageCount]:
    """Return how many images of each kind there are, and how many were recompressed."""
    counts: dict[str, ImageCount] = {}
    for image in images:
        kind = image.kind or "other"
        count = counts.setdefault(kind, ImageCount(kind))
        count.count += 1
        count.recompressed += image.key in recompressed
    return [counts[kind] for kind in sorted(counts)]
