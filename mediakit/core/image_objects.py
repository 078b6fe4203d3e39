"""Images of other Python libraries as files: Pillow images, NumPy arrays, and figures and axes of matplotlib.

No library is imported for other objects.
"""

import io
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np


class _PillowImage(Protocol):
    def getbands(self) -> tuple[str, ...]:
        """Return the names of the bands."""


class _Array(Protocol):
    def __array_namespace__(self) -> Any:
        """Return the functions for arrays."""


class _Artist(Protocol):
    def get_figure(self) -> Any:
        """Return the figure."""


ImageObject = _PillowImage | _Array | _Artist
"""The objects, as type checkers see them."""

KINDS = "a Pillow image, a NumPy array or a matplotlib figure"

MAX_PNG_BYTES = 20_000_000
"""Opaque images whose PNG file is larger are JPEG files."""

JPEG_QUALITY = 95

_PNG_MODES = frozenset(("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA"))
_ALPHA_MODES = frozenset(("PA", "La", "RGBa"))


def image_file(value: Any) -> tuple[bytes, str] | None:
    """Return the file of an image object, and its name or an empty text; None for other objects.

    Arrays have the shape (height, width), (height, width, 3) or (height, width, 4), and values of uint8, booleans, or
    floats from 0 to 1, which are black to white.

    Raises:
        ValueError: The object cannot be an image; the message says how to convert it.
    """
    libraries = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    if "PIL" in libraries and hasattr(value, "getbands"):
        return _pillow_file(value)
    if "numpy" in libraries and hasattr(value, "ndim") and value.ndim > 0:
        return _array_file(value), ""
    if "matplotlib" in libraries and hasattr(value, "get_figure"):
        return _figure_file(value), "figure.png"
    return None


def _pillow_file(image: Any) -> tuple[bytes, str]:
    name = PurePath(getattr(image, "filename", "") or "").name
    source = getattr(image, "fp", None)
    if getattr(image, "n_frames", 1) > 1 and source is not None:  # its pixels are those of its file
        position = source.tell()
        source.seek(0)
        content: bytes = source.read()
        source.seek(position)
        return content, name
    return _encoded(image), f"{PurePath(name).stem}.png" if name else ""


def _encoded(image: Any) -> bytes:
    if image.mode not in _PNG_MODES:
        if image.mode == "F":
            raise ValueError('must be an image of 8 bits, got the mode F. Convert it, such as with image.convert("L").')
        image = image.convert("RGBA" if image.mode in _ALPHA_MODES else "RGB")
    exif, target = image.getexif(), io.BytesIO()
    image.save(target, "PNG", compress_level=1, **({"exif": exif} if exif else {}))
    if target.tell() > MAX_PNG_BYTES and image.mode in ("L", "RGB"):
        target = io.BytesIO()
        image.save(target, "JPEG", quality=JPEG_QUALITY, subsampling=0, **({"exif": exif} if exif else {}))
    return target.getvalue()


def _array_file(array: "np.ndarray[Any, Any]") -> bytes:
    import numpy as np
    from PIL import Image

    shape = array.shape
    if array.ndim not in (2, 3) or (array.ndim == 3 and shape[2] not in (1, 3, 4)) or 0 in shape:
        is_first = array.ndim == 3 and shape[0] in (1, 3, 4)
        hint = " Move the channels to the end with array.transpose(1, 2, 0)." if is_first else ""
        raise ValueError(
            f"must have the shape (height, width), (height, width, 3) or (height, width, 4), got {shape}.{hint}"
        )
    if array.dtype.kind == "f":
        low, high = array.min(), array.max()
        if not (low >= 0 and high <= 1):
            raise ValueError(
                f"floats must be from 0 to 1, got {low:g} to {high:g}. Convert the array, such as with array / 255 or "
                'array.clip(0, 255).astype("uint8").'
            )
        array = np.rint(array * 255).astype(np.uint8)
    elif array.dtype == bool:
        array = array.astype(np.uint8) * 255
    elif array.dtype != np.uint8:
        raise ValueError(
            f"must be an array of uint8, bool, or floats from 0 to 1, got {array.dtype}. Convert it, such as with "
            'array.clip(0, 255).astype("uint8").'
        )
    return _encoded(Image.fromarray(np.ascontiguousarray(array[:, :, 0] if shape[2:] == (1,) else array)))


def _figure_file(artist: Any) -> bytes:
    while not hasattr(artist, "savefig"):
        owner = artist.get_figure()
        if owner is None or owner is artist:
            raise ValueError("must be part of a figure.")
        artist = owner
    target = io.BytesIO()
    artist.savefig(target, format="png")
    return target.getvalue()
