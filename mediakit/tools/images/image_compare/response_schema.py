"""JSON Schema of what the response of `image_compare` has beside the image."""

from typing import Any

SCHEMA: dict[str, Any] = {
    "same": {"type": "boolean", "description": "Whether no pixel differs.", "examples": [False]},
    "different_pixels": {"type": "integer", "examples": [1284]},
    "share": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "Share of the compared pixels that differ.",
        "examples": [0.0008],
    },
    "similarity": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "Structural similarity (SSIM) of the brightness.",
        "examples": [0.9871],
    },
    "hash_distance": {
        "type": "integer",
        "minimum": 0,
        "maximum": 64,
        "description": "Bits that differ in the perceptual hashes.",
        "examples": [2],
    },
    "regions": {
        "type": "array",
        "maxItems": 100,
        "items": {
            "type": "object",
            "properties": {
                "box": {
                    "type": "array",
                    "items": {"type": "integer"},
                    "minItems": 4,
                    "maxItems": 4,
                    "description": "Left, top, width and height in pixels.",
                },
                "pixels": {"type": "integer", "description": "Different pixels in it."},
            },
            "required": ["box", "pixels"],
        },
        "description": "Different pixels, joined if they are up to 8 pixels apart; largest first.",
        "examples": [[{"box": [30, 20, 25, 18], "pixels": 450}]],
    },
    "offset": {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
        "description": "How far the content of `file2` is to the right and below, in pixels; found with `align`.",
        "examples": [[0, 0]],
    },
    "width": {"type": "integer", "description": "Width of the compared area.", "examples": [1600]},
    "height": {"type": "integer", "description": "Height of the compared area.", "examples": [1000]},
    "size_equal": {"type": "boolean", "description": "Whether both images have one size.", "examples": [True]},
}
