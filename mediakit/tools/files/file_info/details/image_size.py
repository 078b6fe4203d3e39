"""Width, height and frames of an image, from its header."""

import io
import warnings
from typing import Any


def image_details(content: bytes) -> dict[str, Any]:
    """Return the size in pixels as stored, and the number of frames; empty where the header cannot be read."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content)) as image:
                width, height = image.size
                frames = getattr(image, "n_frames", 1)
    except Exception:  # noqa: BLE001  # decoders raise errors of many classes for damaged files
        return {}
    return {"width": width, "height": height, "frames": frames}
