"""What an image is, and how its pixels are stored. Runs in a worker process."""

import hashlib
import math
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import PurePath
from typing import Any

from PIL import Image, ImageCms
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.core.inputs import FileBytes, file_of
from mediakit.engines.raster import hashes
from mediakit.engines.raster.color import flatten, to_eight_bit, to_srgb
from mediakit.engines.raster.formats import EXTENSIONS, MIME_TYPES, NAMES, ImageFormat, detect_image
from mediakit.engines.raster.metadata import WIDE_PRIMARIES, avif_color_codes, resolution_of, xmp_of
from mediakit.engines.raster.source import (
    DecodedImage,
    bits_of,
    check_pixels,
    decode_partly,
    is_truncated,
    open_image,
    orientation_of,
)
from mediakit.engines.raster.structure import (
    MAX_FRAMES,
    Timing,
    avif_samples,
    avif_size,
    page_count,
    timing_of,
    webp_size,
)
from mediakit.errors import InvalidInput
from mediakit.results.item import fields_of
from mediakit.tools.images.image_info.main_colors import main_colors
from mediakit.tools.images.image_info.metadata import photograph_of, texts_of
from mediakit.tools.images.image_info.tool import ImageInfo, ImageInfoRequest

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
        **dict.fromkeys(field.name for field in fields_of(ImageInfo) if field.name != "meta"),
        **_identity(content, kind, size, 1, timing_of(content, kind)),
        "color_mode": "rgb",
        "bit_depth": 8,
        **dict.fromkeys(("has_alpha", "transparent", "wide_gamut", "has_gps"), False),
        "truncated": True,
    }
    return (fields, {"warnings": _warnings(fields, content.name, None)}, b"")


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


_MODES = {
    **dict.fromkeys(("1", "L", "LA", "La", "I", "F", "I;16", "I;16B", "I;16L", "I;16N"), "gray"),
    "P": "palette",
    "PA": "palette",
    "CMYK": "cmyk",
    "LAB": "lab",
}
"""Color mode by Pillow mode; other modes are RGB."""
_PNG_MODES = {0: "gray", 2: "rgb", 3: "palette", 4: "gray", 6: "rgb"}
"""Color mode by color type (ISO/IEC 15948, 11.2.2)."""
_TIFF_PHOTOMETRIC, _TIFF_PALETTE = 262, 3


def samples_of(content: bytes, kind: ImageFormat, image: Any) -> dict[str, Any]:
    """Return the fields that say how the pixels of an opened image are stored."""
    mode, depth, interlaced = _MODES.get(image.mode, "rgb"), 8, None
    match kind:
        case "png":
            depth, color_type, _, _, method = content[24:29]
            mode, interlaced = _PNG_MODES.get(color_type, "rgb"), bool(method)
        case "jpeg":
            depth = getattr(image, "bits", 8) or 8
            interlaced = bool(image.info.get("progressive") or image.info.get("progression"))
        case "gif":
            mode, depth = "palette", (content[10] & 7) + 1 if content[10] & 0x80 else 8
        case "bmp":
            (bits,) = struct.unpack_from("<H", content, 24 if content[14] == 12 else 28)
            mode, depth = ("palette", bits) if bits <= 8 else (mode, 5 if bits == 16 else 8)
        case "tiff":
            is_indexed = image.tag_v2.get(_TIFF_PHOTOMETRIC) == _TIFF_PALETTE
            mode, depth = "palette" if is_indexed else mode, bits_of(content, kind, image)
        case "avif" | "heic":
            depth, has_color = avif_samples(content)
            mode = "rgb" if has_color else "gray"
    has_alpha = kind != "jpeg" and image.has_transparency_data
    return {"color_mode": mode, "bit_depth": depth, "has_alpha": has_alpha, "progressive": interlaced}


def quality_of(tables: Mapping[int, Sequence[int]]) -> int | None:
    """Return the quality, 1 to 100, whose tables (0: luminance, 1: chrominance) are nearest; None without tables."""
    # Sorted values do not depend on the order in which a table is stored.
    used = [(number, sorted(tables[number])) for number in (0, 1) if number in tables]

    def distance(quality: int) -> int:
        pairs = (zip(table, _tables(quality)[number], strict=False) for number, table in used)
        return sum(abs(one - other) for pair in pairs for one, other in pair)

    return min(range(100, 0, -1), key=distance) if used else None


@cache
def _tables(quality: int) -> list[list[int]]:
    """Return the sorted quantization tables that libjpeg writes for a quality."""
    Image.new("RGB", (8, 8)).save(file := BytesIO(), "JPEG", quality=quality)
    return [sorted(table) for table in JpegImageFile(BytesIO(file.getvalue())).quantization.values()]


_SRGB_D50 = ((0.6484, 0.3309), (0.3212, 0.5979), (0.1559, 0.0660))
"""Chromaticities of the sRGB primaries, adapted to D50 as ICC profiles have them."""
_TOLERANCE = 0.012
"""Distance beyond the triangle of sRGB from which colors count as wider."""


def describe(profile: bytes | None) -> tuple[str | None, bool]:
    """Return the description of an ICC profile, and whether its primaries reach beyond sRGB."""
    if not profile:
        return None, False
    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile)).profile
        description = (opened.profile_description or "").strip("\0 \n")[:500]
        return description or "unnamed profile", _is_wide(opened)
    except Exception:  # noqa: BLE001 - a broken profile does not make the image unreadable
        return "unreadable profile", False


def codes_wide_gamut(content: bytes, kind: ImageFormat) -> bool:
    """Return whether a PNG or AVIF states wide primaries without an ICC profile (ITU-T H.273)."""
    if kind == "png":
        place = content.find(b"cICP", 8, 4096)
        return place > 0 and content[place + 4] in WIDE_PRIMARIES
    return kind in ("avif", "heic") and avif_color_codes(content)[0] in WIDE_PRIMARIES


def _is_wide(profile: Any) -> bool:
    """Return whether the chromaticity of a primary is outside the triangle of sRGB."""
    colorants = (profile.red_colorant, profile.green_colorant, profile.blue_colorant)
    if any(colorant is None for colorant in colorants):
        return False
    points = [(x / total, y / total) for x, y, z in (c[0] for c in colorants) if (total := x + y + z)]
    # Red, green and blue turn counterclockwise: the outside is on the right of each side.
    for (x1, y1), (x2, y2) in zip(_SRGB_D50, (*_SRGB_D50[1:], _SRGB_D50[0]), strict=True):
        length = math.dist((x1, y1), (x2, y2))
        if any(((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length > _TOLERANCE for x, y in points):
            return True
    return False


_MAX_PIXELS = 50_000_000
"""Pixels of further frames that are decoded to find one."""


def is_see_through(content: bytes, kind: ImageFormat, first: Image.Image) -> bool:
    """Return whether a pixel of the first frame, or of the next ones up to 50 megapixels, is not opaque."""
    if _has_hole(first):
        return True
    if kind not in ("gif", "png", "webp"):
        return False
    with suppress(Exception):  # the first frame could be decoded; a further one is damaged
        image = Image.open(BytesIO(content), formats=[kind])
        frames = min(getattr(image, "n_frames", 1), 1 + _MAX_PIXELS // (image.width * image.height))
        for number in range(1, frames):
            image.seek(number)
            if _has_hole(image):
                return True
    return False


def _has_hole(image: Image.Image) -> bool:
    if not image.has_transparency_data:
        return False
    low, _ = image.convert("RGBA").getchannel("A").getextrema()
    return isinstance(low, int | float) and low < 255
