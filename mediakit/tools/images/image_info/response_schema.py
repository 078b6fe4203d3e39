"""JSON Schema of the response of `image_info`."""

from typing import Any

from mediakit.engines.image_files.formats import NAMES


def _or_null(kind: str, description: str, *examples: Any, **rules: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], "description": description, "examples": list(examples), **rules}


_NUMBER: dict[str, Any] = {"type": ["number", "null"]}

SCHEMA: dict[str, Any] = {
    "format": {"type": "string", "enum": list(NAMES), "examples": ["jpeg"]},
    "mime_type": {"type": "string", "examples": ["image/jpeg"]},
    "extension": {"type": "string", "description": "Usual extension with the dot.", "examples": [".jpg"]},
    "width": {"type": "integer", "description": "Pixels, upright.", "examples": [1600]},
    "height": {"type": "integer", "description": "Pixels, upright.", "examples": [1000]},
    "stored_width": {
        "type": "integer",
        "description": "Pixels, before the orientation is applied.",
        "examples": [1600],
    },
    "stored_height": {"type": "integer", "examples": [1000]},
    "megapixels": {"type": "number", "examples": [1.6]},
    "aspect_ratio": _or_null("string", "Reduced; null if a number is above 100.", "8:5"),
    "orientation": {"type": "integer", "minimum": 1, "maximum": 8, "description": "EXIF orientation.", "examples": [1]},
    "color_mode": {"type": "string", "enum": ["gray", "rgb", "palette", "cmyk", "lab"], "examples": ["rgb"]},
    "bit_depth": {"type": "integer", "description": "Bits per channel, or per index of a palette.", "examples": [8]},
    "has_alpha": {"type": "boolean", "examples": [False]},
    "transparent": {"type": "boolean", "description": "Whether a pixel is not opaque.", "examples": [False]},
    "animated": {"type": "boolean", "examples": [False]},
    "frames": {"type": "integer", "description": "Frames, or pages of a TIFF.", "examples": [1]},
    "duration_ms": _or_null("integer", "Duration of an animation.", None),
    "loop": _or_null("integer", "How often an animation repeats; 0: endlessly.", None),
    "delays_ms": _or_null("array", "Delays of the first 1000 frames.", None, items={"type": "integer"}),
    "dpi": _or_null("array", "Horizontal and vertical resolution.", [72, 72], items={"type": "number"}),
    "progressive": _or_null("boolean", "Progressive JPEG or interlaced PNG; null for other formats.", *[False]),
    "quality": _or_null("integer", "Quality of a JPEG, estimated from its tables.", 82),
    "icc_profile": _or_null("string", "Description of the color profile.", "sRGB IEC61966-2.1"),
    "wide_gamut": {"type": "boolean", "description": "Whether colors reach beyond sRGB.", "examples": [False]},
    "taken_at": _or_null("string", "ISO 8601, with an offset only if the file has one.", "2024-05-04T18:20:11+02:00"),
    "camera": _or_null("string", "Maker and model.", "ACME Model 7"),
    "lens": _or_null("string", "Maker and model of the lens.", None),
    "exposure": _or_null(
        "object",
        "How the image was taken.",
        {"time": "1/250", "f_number": 8, "iso": 100, "focal_mm": 35},
        properties={
            "time": {"type": ["string", "null"], "description": "Seconds."},
            "f_number": _NUMBER,
            "iso": _NUMBER,
            "focal_mm": _NUMBER,
        },
        required=["time", "f_number", "iso", "focal_mm"],
    ),
    "exif": {
        **_or_null("object", "EXIF values by the name of their tag.", {"Make": "ACME"}, additionalProperties={}),
        "x-optional": True,
    },
    "has_gps": {"type": "boolean", "description": "Whether the file has a location.", "examples": [False]},
    "gps": {
        **_or_null(
            "object",
            "Degrees, and meters above the sea.",
            {"latitude": 40.416667, "longitude": -3.7, "altitude": 650},
            properties={"latitude": {"type": "number"}, "longitude": {"type": "number"}, "altitude": _NUMBER},
            required=["latitude", "longitude", "altitude"],
        ),
        "x-optional": True,
    },
    "text": _or_null("object", "PNG texts and comments.", {"Title": "Lake"}, additionalProperties={"type": "string"}),
    "palette": _or_null(
        "array",
        "Main colors, largest share first.",
        [{"color": "#1d3f72", "share": 0.41}],
        items={
            "type": "object",
            "properties": {"color": {"type": "string"}, "share": {"type": "number", "minimum": 0, "maximum": 1}},
            "required": ["color", "share"],
        },
    ),
    "hashes": _or_null(
        "object",
        "Hexadecimal digits by the name of the hash: average, perceptual, difference, color and sha256.",
        {"perceptual": "9c3c6cc9c3363936"},
        additionalProperties={"type": "string"},
    ),
    "truncated": {"type": "boolean", "description": "Whether the file ends early.", "examples": [False]},
    "size_bytes": {"type": "integer", "examples": [64268]},
}
