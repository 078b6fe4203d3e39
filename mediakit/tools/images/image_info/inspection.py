"""What an image is. Runs in a worker process."""

import hashlib
from fractions import Fraction
from io import BytesIO
from pathlib import PurePath
from typing import Any

from PIL import Image

from mediakit.core.inputs import FileBytes, file_of
from mediakit.engines.raster import hashes
from mediakit.engines.raster.color import flatten, to_eight_bit, to_srgb
from mediakit.engines.raster.formats import EXTENSIONS, MIME_TYPES, NAMES, ImageFormat, detect_image
from mediakit.engines.raster.metadata import resolution_of, xmp_of
from mediakit.engines.raster.source import (
    DecodedImage,
    check_pixels,
    decode_partly,
    is_truncated,
    open_image,
    orientation_of,
)
from mediakit.engines.raster.structure import MAX_FRAMES, Timing, avif_size, page_count, timing_of, webp_size
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_info.main_colors import main_colors
from mediakit.tools.images.image_info.metadata import photograph_of, texts_of
from mediakit.tools.images.image_info.samples import (
    codes_wide_gamut,
    describe,
    is_see_through,
    quality_of,
    samples_of,
)
from mediakit.tools.images.image_info.tool import ImageInfoRequest

_MAX_RATIO = 100
_THUMBNAIL_SIDE = 320

_NO_PIXELS = "The file is truncated: its pixels cannot be decoded."


Inspected = tuple[dict[str, Any], dict[str, Any], bytes]
"""The fields of the result, its meta, and a small WebP, which is empty if the image cannot be decoded."""


def inspect_image(request: ImageInfoRequest) -> Inspected:
    """Return the facts of an image."""
    content = file_of(request.file)
    kind = detect_image(content, "file", content.name)
    if found := _cut_file(content, kind):
        return found
    image, _ = open_image(content, kind)
    stored, orientation = image.size, orientation_of(image)
    if kind == "tiff" and orientation > 4:  # Pillow states the upright size
        stored = stored[::-1]
    times = timing_of(content, kind, image)
    check_pixels(stored[0] * stored[1], "file", times.frames)
    samples = samples_of(content, kind, image)
    dpi = resolution_of(image, kind)
    quality = quality_of(image.quantization) if kind == "jpeg" else None  # type: ignore[attr-defined]
    decoded = decode_partly(content, kind)
    if kind == "ico":  # the directory of an icon may state another size than its image has
        stored = decoded.image.size
    profile = decoded.source.info.get("icc_profile")
    description, wide = describe(profile)
    srgb = to_srgb(to_eight_bit(decoded.image), profile)
    named, rest = main_colors(srgb, request.palette) if request.palette else (None, None)
    fields = {
        **_identity(content, kind, stored, orientation, times),
        **samples,
        "transparent": samples["has_alpha"] and is_see_through(content, kind, decoded.image),
        **({"frames": page_count(content)} if kind == "tiff" else {}),
        "dpi": list(dpi) if dpi else None,
        "quality": quality,
        "icc_profile": description,
        "wide_gamut": wide or (description is None and codes_wide_gamut(content, kind)),
        **photograph_of(decoded.source, xmp_of(decoded.source), named=request.exif),
        "text": texts_of(decoded.source) or None,
        "palette": named,
        "hashes": _hashes(content, srgb) if request.hashes else None,
        "truncated": decoded.truncated,
    }
    meta = {} if rest is None else {"palette_rest": rest}
    return (fields, {**meta, "warnings": _warnings(fields, content.name, decoded)}, _thumbnail(srgb))


def _cut_file(content: FileBytes, kind: ImageFormat) -> Inspected | None:
    """Return the facts of a truncated file that no decoder opens; None for all others."""
    if kind not in ("webp", "avif") or not is_truncated(content, kind):
        return None
    try:
        open_image(content, kind)[0].load()
    except (InvalidInput, OSError, ValueError, SyntaxError):
        size = webp_size(content) if kind == "webp" else avif_size(content)
    else:
        return None
    if size is None:
        raise InvalidInput(f"file: is damaged and cannot be decoded as {NAMES[kind]}.")
    check_pixels(size[0] * size[1], "file")
    fields = {
        **dict.fromkeys(_UNKNOWN_WHEN_CUT),
        **_identity(content, kind, size, 1, timing_of(content, kind)),
        "color_mode": "rgb",
        "bit_depth": 8,
        **dict.fromkeys(("has_alpha", "transparent", "wide_gamut", "has_gps"), False),
        "truncated": True,
    }
    return (fields, {"warnings": _warnings(fields, content.name, None)}, b"")


_UNKNOWN_WHEN_CUT = (
    *("dpi", "progressive", "quality", "icc_profile", "taken_at", "camera", "lens", "exposure"),
    *("exif", "gps", "text", "palette", "hashes"),
)


def _identity(
    content: bytes, kind: ImageFormat, stored: tuple[int, int], orientation: int, times: Timing
) -> dict[str, Any]:
    """Return format, sizes and frames."""
    width, height = stored if orientation < 5 else stored[::-1]
    ratio = Fraction(width, height)
    numbers = ratio.numerator, ratio.denominator
    return {
        "format": kind,
        "mime_type": MIME_TYPES[kind],
        "extension": EXTENSIONS[kind][0],
        "width": width,
        "height": height,
        "stored_width": stored[0],
        "stored_height": stored[1],
        "megapixels": round(width * height / 1e6, 3),
        "aspect_ratio": f"{numbers[0]}:{numbers[1]}" if max(numbers) <= _MAX_RATIO else None,
        "orientation": orientation,
        "animated": times.animated,
        "frames": times.frames,
        "duration_ms": sum(times.delays_ms) if times.animated else None,
        "loop": times.loop,
        "delays_ms": list(times.delays_ms[:MAX_FRAMES]) if times.animated else None,
        "size_bytes": len(content),
    }


def _hashes(content: bytes, srgb: Image.Image) -> dict[str, str]:
    colors = flatten(srgb).convert("RGB")
    gray = colors.convert("L")
    return {
        "average": hashes.average(gray),
        "perceptual": hashes.perceptual(gray),
        "difference": hashes.difference(gray),
        "color": hashes.color(colors),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _warnings(fields: dict[str, Any], name: str, decoded: DecodedImage | None) -> list[str]:
    kind, suffix, found = fields["format"], PurePath(name).suffix.lower(), []
    if fields["has_gps"]:
        found.append("The picture tells where it was taken (GPS).")
    if suffix and suffix not in EXTENSIONS[kind]:
        article = "an" if kind in ("avif", "ico") else "a"
        found.append(f"The file's name says {suffix}, it is {article} {NAMES[kind]}.")
    if fields["wide_gamut"]:
        found.append("Colours are wider than sRGB; browsers without colour management show them dull.")
    if decoded and decoded.warning:
        found.append(f"The file {decoded.warning}")
    percent = decoded.decoded_percent if decoded else 0
    if percent is not None:
        found.append(f"The file is truncated: it ends after {percent} % of its rows." if percent else _NO_PIXELS)
    return found


def _thumbnail(image: Image.Image) -> bytes:
    small = image.copy() if max(image.size) <= _THUMBNAIL_SIDE else image
    small.thumbnail((_THUMBNAIL_SIDE, _THUMBNAIL_SIDE))
    small.info.clear()
    target = BytesIO()
    small.save(target, "WEBP", quality=75, method=2)
    return target.getvalue()
