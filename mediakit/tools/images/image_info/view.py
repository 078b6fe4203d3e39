"""What a notebook shows of an image."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pybase64

from mediakit.core.messages import readable_size
from mediakit.display import facts_html, view_html
from mediakit.engines.raster.formats import NAMES
from mediakit.results.result import Bundle
from mediakit.tools.images.image_info.tool import ImageInfo

_TEMPLATE = Path(__file__).with_name("view.html")
_SIDE = 160
"""Longest side of the thumbnail, in CSS pixels."""


def bundle(result: ImageInfo) -> Bundle:
    """Return the facts of an image as HTML; those that it does not have are omitted."""
    fields, meta = result.to_dict(), result.meta
    facts = facts_html(f"{NAMES[fields['format']]} image", fields["mime_type"], _facts(fields), meta["warnings"])
    scale = min(1.0, _SIDE / max(fields["width"], fields["height"]))
    html = view_html(
        _TEMPLATE,
        facts=facts,
        thumbnail=pybase64.b64encode(vars(result).get("_thumbnail", b"")).decode(),
        side=_SIDE,
        **{side: max(1, round(fields[side] * scale)) for side in ("width", "height")},
        colors=[(one["color"], max(0.04, one["share"]), _share(one)) for one in fields["palette"] or ()],
    )
    return {"text/html": html}, {}


def _share(one: Mapping[str, Any]) -> str:
    return f"{one['color']} {one['share']:.0%}"


def _facts(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    ratio = f", {fields['aspect_ratio']}" if fields["aspect_ratio"] else ""
    yield "Pixels", f"{fields['width']:,} × {fields['height']:,} ({fields['megapixels']:g} megapixels{ratio})"
    if fields["orientation"] > 1:
        stored = f"{fields['stored_width']:,} × {fields['stored_height']:,}"
        yield "Orientation", f"{fields['orientation']} (stored as {stored})"
    alpha = ", with transparent pixels" if fields["transparent"] else ", with alpha" if fields["has_alpha"] else ""
    mode = {"rgb": "RGB", "cmyk": "CMYK", "lab": "Lab"}.get(fields["color_mode"], fields["color_mode"])
    yield "Colors", f"{mode}, {fields['bit_depth']} bits per {'index' if mode == 'palette' else 'channel'}{alpha}"
    if fields["animated"]:
        times = "endlessly" if not fields["loop"] else f"{fields['loop']} times" if fields["loop"] > 1 else "once"
        yield "Animation", f"{fields['frames']:,} frames, {fields['duration_ms'] / 1000:g} s, plays {times}"
    elif fields["frames"] > 1:
        yield "Pages", f"{fields['frames']:,}"
    yield "Color profile", (fields["icc_profile"] or "") + (" (wide gamut)" if fields["wide_gamut"] else "")
    yield "Resolution", " × ".join(f"{value:g}" for value in fields["dpi"]) + " dpi" if fields["dpi"] else ""
    yield "Progressive", "yes" if fields["progressive"] else ""
    yield "JPEG quality", f"about {fields['quality']}" if fields["quality"] else ""
    yield "Taken", (fields["taken_at"] or "").replace("T", " ")
    yield "Camera", fields["camera"] or ""
    yield "Lens", fields["lens"] or ""
    taken = fields["exposure"] or {}
    parts = {"time": "{} s", "f_number": "f/{}", "iso": "ISO {}", "focal_mm": "{} mm"}
    yield "Exposure", ", ".join(text.format(taken[name]) for name, text in parts.items() if taken.get(name) is not None)
    place = fields.get("gps")
    yield "Location", f"{place['latitude']:.5f}, {place['longitude']:.5f}" if place else ""
    shown = ("Make", "Model", "DateTimeOriginal", "ExposureTime", "FNumber", "FocalLength", "Orientation")
    names = [name for name in fields.get("exif") or {} if name not in shown]
    yield "EXIF", ", ".join(names)
    yield from (fields["text"] or {}).items()
    yield "Main colors", ", ".join(_share(one) for one in fields["palette"] or ())
    for name, value in (fields["hashes"] or {}).items():
        yield f"{name.capitalize() if name != 'sha256' else 'SHA-256'} hash", value
    yield "Size", f"{readable_size(fields['size_bytes'])} ({fields['size_bytes']:,} bytes)"
